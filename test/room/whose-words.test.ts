import { expect, it } from "vitest";
import { roomTexts } from "../../src/text/room.ts";
import type { openRoom } from "../support/room.ts";
import { DEMAND, toSheet, world } from "./world.ts";

type Opened = Awaited<ReturnType<typeof openRoom>>;

const say = roomTexts("en");
const ADDED = "Remote work is fine";

const quoteOf = (room: Opened) => {
  const quote = room.section("quote");
  return quote?.kind === "quote" ? quote : undefined;
};
/** What the quote marks as the network's, or the agent's. */
const marked = (room: Opened, by: "network" | "agent") =>
  (quoteOf(room)?.passages ?? [])
    .filter((passage) => passage.by === by)
    .map(({ text }) => text)
    .join("");

const asked = (room: Opened) =>
  room.until(() => room.section("sheet") !== undefined && room.room.state.demand?.question !== undefined);

/** A text of the network with a change of the person's in it, whose time ran out. */
async function edited() {
  const opened = await toSheet({ lang: "en" });
  const { room, world: w } = opened;
  const network = room.room.state.demand?.negotiation?.demand_formulated ?? "";
  expect(network.length).toBeGreaterThan(DEMAND.length);
  await room.press("edit", "edit:sheet");
  await room.call("setField", { fieldId: "text", value: `${network} ${ADDED}.` });
  await w.clock.advance(400_000);
  await room.until(() => room.stage() === "done");
  return { ...opened, network };
}

it("a text whose time ran out while it was edited: asked again, the network's words in it are still the network's", async () => {
  const { room, network } = await edited();
  const [again] = room.spec().sections.filter(({ id }) => id === "again");
  expect(again).toMatchObject({ note: say.done.againVersion, fields: [{ value: `${network} ${ADDED}.` }] });
  await room.press("next");
  await asked(room);
  expect(quoteOf(room)?.heading).toBe(say.decision.submitted);
  expect(marked(room, "network").length).toBeGreaterThan(20);
  expect(marked(room, "network")).not.toContain(ADDED);
  const { lead, alert } = room.spec();
  expect(lead).not.toContain(say.decision.allYours);
  expect(alert?.text).toMatch(/The network added \d+ passages?\./);
  const sheet = room.section("sheet");
  expect(sheet?.kind === "sheet" && sheet.passages.find(({ text }) => text.includes(ADDED))?.by).toBe("person");
});

it("a text typed anew is compared with the one that stood there, however little of it had come in between", async () => {
  const { room } = await toSheet({ lang: "en" });
  const network = room.room.state.demand?.negotiation?.demand_formulated ?? "";
  await room.press("edit", "edit:sheet");
  const bases = [];
  for (const value of [network.slice(0, 1), network.slice(0, 40), `${network} ${ADDED}.`]) {
    await room.call("setField", { fieldId: "text", value });
    const typing = room.section("sheet");
    bases.push(typing?.kind === "sheet" ? typing.editor?.base.map(({ text }) => text).join("") : undefined);
  }
  expect(bases).toEqual([network, network, network]);
  await room.press("edit", "edit:sheet");
  const sheet = room.section("sheet");
  const typed = sheet?.kind === "sheet" ? sheet.passages.filter(({ by }) => by === "edit") : [];
  expect(typed.map(({ text }) => text.trim()).join("")).toBe(`${ADDED}.`);
});

it("an edit that arrives only after its time was out is judged by the text that it changed", async () => {
  const { room } = await toSheet({ lang: "en" });
  const network = room.room.state.demand?.negotiation?.demand_formulated ?? "";
  await room.press("withdraw");
  await room.until(() => room.stage() === "done");
  await room.call("setField", { fieldId: "intent", value: `${network} ${ADDED}.` });
  await room.press("next");
  await asked(room);
  expect(marked(room, "network").length).toBeGreaterThan(20);
  expect(marked(room, "network")).not.toContain(ADDED);
});

it("it goes to another scene with its authors, and a new demand starts empty", async () => {
  const { room } = await edited();
  await room.call("restart", { words: "kept" });
  expect(room.room.state.form.intent).toContain(ADDED);
  await room.press("next");
  await room.press("next");
  await asked(room);
  expect(marked(room, "network").length).toBeGreaterThan(20);
  await room.press("withdraw");
  await room.until(() => room.stage() === "done");
  await room.call("setField", { fieldId: "intent", value: "Another text" });
  await room.press("restart", "restart");
  expect(room.room.state.form.intent).toBe("");
  expect(room.room.state.form.written).toBeUndefined();
});

it("a need that the plan leaves open is the network's, and what the person adds is theirs", async () => {
  const { room } = await toSheet({ lang: "en" });
  await room.press("broadcast");
  await room.until(() => room.stage() === "done");
  room.room.update((state) => ({
    ...state,
    demand: state.demand && {
      ...state.demand,
      tasks: [{ id: "t", title: "Run the pilot", description: "", assignee_id: "unknown", prerequisites: [] }],
    },
  }));
  await room.press("ask");
  await room.call("setField", { fieldId: "intent", value: "Run the pilot in Hangzhou with me" });
  await room.press("next");
  await asked(room);
  expect(quoteOf(room)?.heading).toBe(say.decision.submitted);
  expect(marked(room, "network").trim()).toBe("Run the pilot");
});

it("what an outside agent wrote stays the agent's under the person's changes", async () => {
  const { room, world: w } = await world({ lang: "en" });
  await room.call("select", { itemId: w.sceneId });
  await room.press("next");
  await room.call("setField", { fieldId: "display_name", value: "Lin" });
  await room.press("next");
  room.room.agentArrives("a", true);
  room.room.pageOpened();
  await room.call("setField", { fieldId: "intent", value: "A designer for a hospital pilot" }, "agent");
  await room.call("setField", { fieldId: "intent", value: "A designer for a hospital pilot in spring, remote" });
  await room.press("next");
  await asked(room);
  expect(quoteOf(room)?.heading).toBe(say.decision.submitted);
  expect(marked(room, "agent").trim()).toBe("A designer for a hospital pilot");
});

it("a text that the person typed, again after its end, is theirs", async () => {
  const { room } = await toSheet({ lang: "en" });
  await room.press("withdraw");
  await room.until(() => room.stage() === "done");
  await room.press("next");
  await asked(room);
  expect(quoteOf(room)?.heading).toBe(say.decision.youWrote);
  expect(marked(room, "network")).toBe("");
});
