import { describe, expect, it } from "vitest";
import { uiSpec } from "../../src/room/ui-spec.ts";
import { openRoom } from "../support/room.ts";
import { DRAWING } from "../support/room-parts.ts";
import { roomStates } from "../support/room-states.ts";
import { DEMAND, toSheet } from "./world.ts";

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
    const { room } = await secondDemand();
    const before = room.section("bar");
    await room.press("openHistory");
    const bar = room.section("bar");
    expect(bar).toMatchObject({ decideBy: before?.kind === "bar" && before.decideBy, actions: [] });
    expect(bar?.kind === "bar" && bar.timer).toBeTruthy();
    const marks = () => {
      const list = room.section("list");
      return list?.kind === "list" ? list.items.map(({ mark }) => mark) : [];
    };
    await room.until(() => marks()[1] !== "Reading…");
    expect(marks()).toEqual(["Waits for you", "Withdrawn"]);
    await room.until(() => room.stage() === "done"); // its time runs out
    expect(marks()).toEqual(["Withdrawn", "Withdrawn"]);
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

/** A room whose demand has come to its plan, four seconds after the yes. */
async function toPlan() {
  const opened = await toSheet();
  const { room, world } = opened;
  await room.press("broadcast");
  await room.until(() => room.stage() === "done");
  const id = room.room.state.demand?.id ?? "";
  const scene = world.mock.scenes()[0]?.name ?? "";
  return { ...opened, id, scene };
}

type Opened = Awaited<ReturnType<typeof openRoom>>;

const rowsOf = ({ section }: Pick<Opened, "section">) => {
  const list = section("list");
  return list?.kind === "list" ? list.items.map(({ title, detail, mark }) => [title, detail, mark]) : [];
};

const stepsIn = ({ spec }: Pick<Opened, "spec">) =>
  Object.fromEntries(spec().steps.map(({ stage, tookMs }) => [stage, tookMs]));

/** Everything that its page was shown, from now on. */
const shownFrom = ({ updates }: Pick<Opened, "updates">) => {
  const before = updates.length;
  return () =>
    JSON.stringify(updates.slice(before).map(({ uiSpec: { heading, lead, sections } }) => [heading, lead, sections]));
};

describe("what was", () => {
  it("has its text, scene, time and ending in a row", async () => {
    const { room, scene, world } = await toPlan();
    await room.press("restart");
    await room.press("openHistory");
    await room.until(() => rowsOf(room)[0]?.[2] !== "Reading…");
    const time = expect.stringMatching(/^.+ · \d\d:\d\d:\d\d$/);
    expect(rowsOf(room)).toEqual([[DEMAND, time, "Plan ready"]]);
    expect(rowsOf(room)[0]?.[1]).toContain(scene);
    await room.press("setLanguage");
    expect(rowsOf(room)[0]?.[2]).toBe("方案已生成");
    world.mock.faults.add({ route: "get", kind: "status", status: 502, times: 1_000 });
    // Another program of this home has seen none of it.
    const later = await openRoom(world, await world.process());
    await later.press("openHistory");
    expect(rowsOf(later)).toEqual([[`A demand in ${scene}`, expect.stringMatching(/^\d\d:/), "Reading…"]]);
    await later.until(() => rowsOf(later)[0]?.[2] !== "Reading…");
    expect(rowsOf(later)[0]?.[2]).toBe("No answer");
  });

  it("nothing read yet is not 'not found': a withdrawn demand is that at once, and while the backend is away", async () => {
    const { room, world } = await toSheet();
    await room.press("withdraw");
    await room.until(() => room.stage() === "done");
    const id = room.room.state.demand?.id ?? "";
    const later = await openRoom(world, await world.process());
    world.mock.faults.add({ route: "get", kind: "status", status: 502, times: 10_000 });
    await later.press("openHistory");
    expect(rowsOf(later)[0]?.[2]).toBe("Withdrawn");
    const shown = shownFrom(later);
    await later.call("openDemand", { itemId: id });
    await later.until(() => later.room.state.demand?.outageSince !== undefined);
    const { heading, lead } = later.spec();
    expect(heading).toBe("Withdrawn");
    expect(lead).toBe("The answer to the text was no, so the demand is withdrawn. It was not broadcast.");
    expect(later.section("facts")).toMatchObject({ facts: [{ value: "was not broadcast" }] });
    expect(shown()).not.toMatch(/no longer knows|no longer available|may have been broadcast|cannot be taken back/);
    expect(later.section("form")).toMatchObject({ note: expect.stringMatching(/not loaded yet/) });
  });

  it("a plan of a text that its person had withdrawn is marked as not what they decided", async () => {
    const { room, world } = await toSheet();
    world.mock.faults.add({ route: "action", kind: "status", status: 502, times: 1_000 });
    await room.press("withdraw").catch(() => {}); // its answer is lost
    await world.clock.advance(310_000); // the backend goes on by itself
    expect(world.mock.negotiations()).toMatchObject([{ state: "completed", confirmedBy: "timeout" }]);
    await room.press("restart");
    await room.press("openHistory");
    await room.until(() => rowsOf(room)[0]?.[2] !== "Reading…");
    expect(rowsOf(room)[0]?.[2]).toBe("Plan ready · not as you decided");
    await room.press("setLanguage");
    expect(rowsOf(room)[0]?.[2]).toBe("方案已生成 · 与你的决定不符");
  });

  it("a plan that the backend has not shown yet is not called a search for agents", async () => {
    const { id, world } = await toPlan();
    const later = await openRoom(world, await world.process());
    world.mock.faults.add({ route: "get", kind: "status", status: 502, times: 10_000 });
    const shown = shownFrom(later);
    await later.press("openHistory");
    await later.call("openDemand", { itemId: id });
    await later.until(() => later.room.state.demand?.outageSince !== undefined);
    expect(later.spec().heading).toBe("Reading your demand");
    world.mock.faults.clear();
    await later.until(() => later.section("people") !== undefined);
    expect(shown()).not.toMatch(/Looking for|Nobody has resonated|no longer knows/);
  });

  it("opened again after 27 minutes, or by another program, it took no longer than it took", async () => {
    const { room, id, world } = await toPlan();
    const first = stepsIn(room);
    expect(first.negotiating).toBeLessThan(10_000);
    await world.clock.advance(27 * 60_000);
    await room.call("refresh");
    expect(stepsIn(room)).toEqual(first);
    await room.press("restart");
    await room.press("openHistory");
    await room.call("openDemand", { itemId: id });
    await room.until(() => room.section("people") !== undefined);
    expect(stepsIn(room)).toEqual(first);
    const later = await openRoom(world, await world.process(), id);
    await later.until(() => later.section("people") !== undefined);
    const { decision, negotiating } = stepsIn(later);
    expect(decision).toBe(first.decision);
    expect(negotiating).toBeUndefined(); // nobody is left who saw it end
  });

  it("a name that is typed into another scene's form is nobody in a plan", async () => {
    const { room, id, world } = await toPlan();
    const people = () => {
      const section = room.section("people");
      return section?.kind === "people" ? section.people.filter(({ isMe }) => isMe).map(({ name }) => name) : [];
    };
    expect(people()).toEqual(["Lin"]);
    await room.press("restart");
    await room.call("select", { itemId: world.mock.scenes()[1]?.scene_id ?? "" });
    await room.press("next");
    await room.call("setField", { fieldId: "display_name", value: "Somebody else" });
    await room.press("openHistory");
    await room.call("openDemand", { itemId: id });
    await room.until(() => room.section("people") !== undefined);
    expect(people()).toEqual(["Lin"]);
    const later = await openRoom(world, await world.process());
    await later.call("select", { itemId: world.mock.scenes()[1]?.scene_id ?? "" });
    await later.press("next");
    await later.call("setField", { fieldId: "display_name", value: "Somebody else" });
    await later.press("openHistory");
    await later.call("openDemand", { itemId: id });
    await later.until(() => later.section("people") !== undefined);
    expect(JSON.stringify(later.spec().sections)).not.toContain("Somebody else");
  });

  it("an outside agent reads the rows as it reads results: contact data masked", async () => {
    const { room } = await toPlan();
    room.room.agentArrives("Their agent", true);
    await room.press("openHistory");
    await room.until(() => rowsOf(room)[0]?.[2] === "Plan ready");
    const [list] = room.room.snapshot("agent").uiSpec.sections;
    expect(list).toMatchObject({ items: [{ title: expect.stringContaining("[phone"), detail: rowsOf(room)[0]?.[1] }] });
    expect(JSON.stringify(list)).not.toContain("13800138000");
  });
});

it.each([
  [99, undefined],
  [100, "Showing the newest 100."],
])("of %i it says whether there may be more", (count, note) => {
  const history = Array.from({ length: count }, (_, i) => ({
    id: `neg_${i}`,
    at: i,
    kind: "over" as const,
    isUnwanted: false,
    answer: "read" as const,
  }));
  const { sections } = uiSpec({ ...roomStates("en").history!, history }, DRAWING);
  expect(sections.find(({ kind }) => kind === "list")?.note).toBe(note);
});
