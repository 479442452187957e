import { describe, expect, it } from "vitest";
import { uiSpec } from "../../src/room/ui-spec.ts";
import { DRAWING } from "../support/room-parts.ts";
import { roomStates } from "../support/room-states.ts";
import { toSheet } from "./world.ts";

/** A room whose second demand waits, with its first one under History. */
async function secondDemand() {
  const opened = await toSheet();
  const { room } = opened;
  await room.press("withdraw");
  await room.until(() => room.stage() === "done");
  const first = room.room.state.demand?.id ?? "";
  await room.call("setField", { fieldId: "intent", value: "A second thing: growth marketing." });
  await room.press("next");
  await room.until(() => room.section("sheet") !== undefined && room.room.state.demand?.question !== undefined);
  const second = room.room.state.demand?.id ?? "";
  const open = async (itemId: string) => {
    await room.press("openHistory");
    await room.call("openDemand", { itemId });
    await room.until(() => room.room.state.demand?.negotiation?.negotiation_id === itemId);
  };
  return { ...opened, first, second, open };
}

describe("the own demands of this machine", () => {
  it("an edit, and whose words it was about, are there again when its demand is opened again", async () => {
    const { room, first, second, open } = await secondDemand();
    await room.press("edit");
    await room.call("setField", { fieldId: "text", value: "A version that took an hour." });
    await room.press("edit");
    const before = room.section("sheet");
    await open(first);
    expect(room.stage()).toBe("done");
    await open(second);
    await room.until(() => room.room.state.demand?.question !== undefined);
    expect(room.section("sheet")).toEqual(before);
    expect(room.section("sheet")).toMatchObject({ outgoing: "A version that took an hour." });
    expect(room.room.state.demand).toMatchObject({ writtenBy: "person" });
    await room.press("broadcast");
    await room.until(() => room.stage() !== "decision");
  });

  it("a text that waits goes on showing its time, and cannot be decided on unseen", async () => {
    const { room, second } = await secondDemand();
    const before = room.section("bar");
    await room.press("openHistory");
    const bar = room.section("bar");
    expect(bar).toMatchObject({ decideBy: before?.kind === "bar" && before.decideBy, actions: [] });
    expect(bar?.kind === "bar" && bar.timer).toBeTruthy();
    const marks = () => {
      const list = room.section("list");
      return list?.kind === "list" ? list.items.map(({ id, mark }) => [id === second, mark !== undefined]) : [];
    };
    expect(marks()[0]).toEqual([true, true]);
    await room.until(() => room.stage() === "done"); // its time runs out
    expect(marks()[0]).toEqual([true, false]);
    expect(room.section("bar")).toBeUndefined();
  });

  it("an edit of a text that has changed meanwhile is not put onto the new one", async () => {
    const { room, first, second, open, world } = await secondDemand();
    await room.press("edit");
    await room.call("setField", { fieldId: "text", value: "About the old text." });
    await open(first);
    world.mock.engine.patch(second, { demand_formulated: "Quite another text." } as never);
    await open(second);
    await room.until(() => room.section("sheet") !== undefined);
    expect(room.section("sheet")).toMatchObject({ outgoing: "Quite another text." });
  });
});

it.each([
  [99, undefined],
  [100, "The newest 100 are shown."],
])("of %i it says whether there may be more", (count, note) => {
  const history = Array.from({ length: count }, (_, i) => ({ id: `neg_${i}`, at: i, isOver: true }));
  const { sections } = uiSpec({ ...roomStates("en").history!, history }, DRAWING);
  expect(sections.find(({ kind }) => kind === "list")?.note).toBe(note);
});
