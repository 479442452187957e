import { expect, it } from "vitest";
import { cancels, confirms } from "../support/backend.ts";
import { type Answer, READING_MS } from "../support/clients.ts";
import { lastQuestionId, seenOn } from "../support/facts.ts";
import { createWorld } from "../support/world.ts";
import { ACCEPT, INTENT, only } from "./pause-support.ts";

/** A form of the 2025 era is not taken back: it stays open while its person decides elsewhere, and is answered then. */

const DECLINE: Answer = { action: "decline" };
const CHANGE: Answer = { action: "accept", content: { decision: "edit" } };
const REJECT: Answer = { action: "accept", content: { decision: "reject" } };
const OTHER = "Another text, by the person.";
const CODE = "tool.negotiation.conflict.already_decided";

/** A demand whose form is open. `elsewhere`: what its person decides in the terminal meanwhile, and carries out. */
async function withOpenForm(elsewhere: "accept" | "edit" | "reject" | "cancel", { isCarriedOut = true } = {}) {
  const world = await createWorld();
  let reply: (answer: Answer) => void = () => {};
  const p = await world.process({ answer: () => new Promise((resolve) => (reply = resolve)) });
  const terminal = await world.process();
  const call = p.start("towow_demand", { intent: INTENT });
  await world.clock.until(() => p.forms.length === 1);
  const { negotiation_id: negotiationId, demand_formulated } = only(world);
  const shown = String(demand_formulated);
  const confirmationId = await lastQuestionId(world, negotiationId);
  const base = { negotiationId, confirmationId };
  const decisions = {
    accept: () => ({ ...base, kind: "accept", rendering: seenOn("terminal", shown) }) as const,
    edit: () => ({ ...base, kind: "edit", text: OTHER, rendering: seenOn("terminal", OTHER) }) as const,
    reject: () => ({ ...base, kind: "reject", by: "terminal" }) as const,
  };
  const deciding: Promise<unknown> =
    elsewhere === "cancel"
      ? terminal.negotiations.cancel(negotiationId, "terminal")
      : terminal.negotiations.decide(decisions[elsewhere]());
  if (isCarriedOut) await world.clock.run(deciding);
  else await world.clock.until(() => confirms(world.mock).length + cancels(world.mock).length === 1);
  await world.clock.advance(READING_MS);
  const sent = () => [confirms(world.mock).length, cancels(world.mock).length];
  return {
    world,
    sent,
    async answered(answer: Answer) {
      const before = sent();
      reply(answer);
      const called = await world.clock.run(call);
      expect(sent()).toEqual(before);
      return called;
    },
  };
}

it("the same yes is no second one: the result says what stands, and nothing is sent twice", async () => {
  const { answered, sent, world } = await withOpenForm("accept");
  const { result, text } = await answered(ACCEPT);
  expect(result).toMatchObject({ error: null, data: { decision: "accept", decided_by: "terminal" } });
  expect(result.data.resume_with).toMatchObject({ tool: "towow_status" });
  expect(text).not.toContain("already decided");
  expect(sent()).toEqual([1, 0]);
  expect(only(world)).toMatchObject({ confirmCount: 1, cancelled: false });
});

it("the same yes while the first is still on its way joins it", async () => {
  const { answered, sent } = await withOpenForm("accept", { isCarriedOut: false });
  expect((await answered(ACCEPT)).result).toMatchObject({ error: null, data: { decision: "accept" } });
  expect(sent()).toEqual([1, 0]);
});

it.each([
  ["reject", DECLINE],
  ["reject", REJECT],
  ["cancel", DECLINE],
] as const)("the same no after a %s: it is withdrawn, once", async (elsewhere, no) => {
  const { answered, sent, world } = await withOpenForm(elsewhere);
  const { result } = await answered(no);
  expect(result).toMatchObject({ error: null, data: { decision: elsewhere, decided_by: "terminal" } });
  expect(sent()).toEqual([0, 1]);
  expect(only(world)).toMatchObject({ confirmCount: 0, cancelled: true });
});

it.each([
  ["accept", DECLINE, "already decided: confirmed, in a terminal"],
  ["accept", CHANGE, "already decided: confirmed, in a terminal"],
  ["edit", ACCEPT, "already decided: confirmed with another text, in a terminal"],
  ["edit", DECLINE, "already decided: confirmed with another text, in a terminal"],
  ["reject", ACCEPT, "already decided: withdrawn, in a terminal"],
  ["reject", CHANGE, "already decided: withdrawn, in a terminal"],
  ["cancel", ACCEPT, "already decided: withdrawn, in a terminal"],
] as const)(
  "another answer after a %s decides nothing, and says what was decided: %o",
  async (elsewhere, other, words) => {
    const { answered, world } = await withOpenForm(elsewhere);
    const { result, text } = await answered(other);
    expect(result.error?.code).toBe(CODE);
    expect(text).toContain(words);
    const isYes = elsewhere === "accept" || elsewhere === "edit";
    expect(only(world)).toMatchObject({ confirmCount: isYes ? 1 : 0, cancelled: !isYes });
  },
);

it("a form that was closed has decided nothing, and is told where it stands", async () => {
  const { answered } = await withOpenForm("accept");
  expect((await answered({ action: "cancel" })).result).toMatchObject({ error: null, data: { decision: "accept" } });
});
