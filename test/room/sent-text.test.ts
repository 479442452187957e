import { expect, it } from "vitest";
import { textsForRoom } from "../../src/text/index.ts";
import { openRoom } from "../support/room.ts";
import { createWorld } from "../support/world.ts";
import { DEMAND, toSheet } from "./world.ts";

it("a changed text is never shown as broadcast in the network's words, from the yes to the plan", async () => {
  const { room: opened } = await toSheet();
  const text = `${opened.room.state.demand?.negotiation?.demand_formulated} Mornings only.`;
  await opened.call("edit");
  await opened.call("setField", { fieldId: "text", value: text });
  const before = opened.updates.length;
  await opened.press("broadcast");
  await opened.until(() => opened.stage() === "done");
  const sent = opened.updates
    .slice(before)
    .flatMap(({ uiSpec }) => uiSpec.sections)
    .filter((section) => section.kind === "quote")
    .filter(({ id }) => id === "sent");
  expect(sent.length).toBeGreaterThan(0);
  for (const section of sent) {
    expect(section.heading).toBe("The text you broadcast");
    expect(section.passages.map((passage) => passage.text).join("")).toBe(text);
  }
});

it("that nothing was added is said of the network's text, and no longer of one that its person has changed", async () => {
  const world = await createWorld();
  world.mock.engine.formulateWith((intent) => intent);
  const process = await world.process();
  const { result } = await process.call("towow_demand", { intent: DEMAND });
  const room = await openRoom(world, process, result.data.negotiation_id as string);
  const said = textsForRoom("en").note.degraded_formulation;
  const isSaid = () => room.spec().notes.some(({ text }) => text === said);
  expect(isSaid()).toBe(true);
  await room.call("edit");
  await room.call("setField", { fieldId: "text", value: `${DEMAND} Mornings only.` });
  expect(isSaid()).toBe(false);
  await room.call("reset");
  expect(isSaid()).toBe(true);
  await room.call("takeOut", { itemId: "p1" });
  expect(isSaid()).toBe(false);
});
