import { describe, expect, it } from "vitest";
import { confirms } from "../support/backend.ts";
import type { Answer } from "../support/clients.ts";
import { lastQuestionId, seenOn } from "../support/facts.ts";
import { createWorld, type World } from "../support/world.ts";

const LONG = "Wanted: somebody who knows hospital software. ".repeat(33).slice(0, 1_500);
const BOTH = { form: {}, url: {} };

async function longDemand(options: Parameters<World["process"]>[0]) {
  const world = await createWorld();
  world.mock.engine.formulateWith(() => LONG);
  return { world, p: await world.process(options) };
}

it("a long text goes to the page by URL elicitation; the page's decision is what counts", async () => {
  const { world, p } = await longDemand({
    elicitation: BOTH,
    async answer(form) {
      const url = (form as unknown as { url: string }).url;
      expect(url).toContain("/approve/");
      const id = url.split("/").at(-1) ?? "";
      const confirmationId = await lastQuestionId(world, id);
      const rendering = { ...seenOn("page", LONG), browser: "elicited" } as const;
      const deciding = p.negotiations.decide({ negotiationId: id, kind: "accept", confirmationId, rendering });
      deciding.catch(() => {});
      return { action: "accept" };
    },
  });
  const demand = await p.call("towow_demand", { intent: "A designer" });
  expect(p.forms[0]).toMatchObject({ mode: "url" });
  expect(p.forms[0]?.message).toContain("1500 characters");
  for (const row of p.forms[0]?.message.split("\n") ?? []) expect(row.length).toBeLessThanOrEqual(56);
  expect(demand.result.data).toMatchObject({ decision: "accept", decided_by: "page" });
  expect(world.mock.negotiations()[0]?.confirmedText).toBe(LONG);
});

it("'I'm done' without a decision waits within the budget, then returns with the pause open", async () => {
  const { world, p } = await longDemand({ elicitation: BOTH, answer: () => ({ action: "accept" }) });
  const from = world.clock.now();
  const demand = await p.call("towow_demand", { intent: "A designer" });
  expect(demand.result.data).toMatchObject({ state: "formulated", decision: null, formulated_text: LONG });
  expect(world.clock.now() - from).toBeGreaterThanOrEqual(45_000);
  expect(confirms(world.mock)).toHaveLength(0);
});

it("a page that was closed: nothing is sent, and the pause stays open", async () => {
  const { world, p } = await longDemand({ elicitation: BOTH, answer: () => ({ action: "cancel" }) });
  const demand = await p.call("towow_demand", { intent: "A designer" });
  expect(demand.result.data).toMatchObject({ state: "formulated", decision: null });
  expect(world.mock.negotiations()[0]).toMatchObject({ cancelled: false, confirmCount: 0 });
});

it("a page declined by a person is a no", async () => {
  const answer = async () => {
    await world.clock.sleep(2_000);
    return { action: "decline" } as const;
  };
  const { world, p } = await longDemand({ elicitation: BOTH, answer });
  const demand = await p.call("towow_demand", { intent: "A designer" });
  expect(demand.result.data).toMatchObject({ decision: "reject", decided_by: "form" });
  expect(world.mock.negotiations()[0]).toMatchObject({ cancelled: true, confirmCount: 0 });
});

describe("a client that declines pages unseen", () => {
  /** A demand that was asked about once; the next question is answered while the clock stands still. */
  const declining = async (answer: () => Answer) => {
    const answers: (() => Answer)[] = [() => ({ action: "cancel" }), () => ({ action: "decline" })];
    const demand = await longDemand({ elicitation: BOTH, answer: () => (answers.shift() ?? answer)() });
    await demand.p.call("towow_demand", { intent: "A designer" });
    const { negotiation_id } = demand.world.mock.negotiations()[0]!;
    return { ...demand, negotiation_id, declined: await demand.p.start("towow_demand", { negotiation_id }) };
  };

  it("is asked for none again: the text comes whole, with the terminal, and nobody has said no", async () => {
    const { world, p, negotiation_id, declined } = await declining(() => ({ action: "cancel" }));
    expect(declined.result.data).toMatchObject({ state: "formulated", decision: null, formulated_text: LONG });
    expect(declined.text).toContain(`towow-mcp confirm ${negotiation_id}`);
    expect(declined.text).not.toMatch(/rejected|said no/);
    await p.call("towow_demand", { negotiation_id });
    await p.call("towow_demand", { negotiation_id, decision: "accept" });
    expect(p.forms.map(({ mode }) => mode)).toEqual(["url", "url"]);
    expect(world.mock.negotiations()[0]).toMatchObject({ cancelled: false, confirmCount: 0 });
  });

  it("is asked in a form as soon as one shows the text", async () => {
    const { world, p, negotiation_id } = await declining(() => ({ action: "accept", content: { decision: "accept" } }));
    world.mock.engine.setFormulatedText(negotiation_id, "A designer in Vienna.");
    const again = await p.call("towow_demand", { negotiation_id });
    expect(again.result.data).toMatchObject({ decision: "accept", decided_by: "form" });
    expect(p.forms).toHaveLength(3);
  });
});

it("a client without any surface gets the page as a link", async () => {
  const { p } = await longDemand({});
  const demand = await p.call("towow_demand", { intent: "A designer" });
  expect(demand.result.summary).toContain("http://127.0.0.1:9/approve/result/");
  expect(p.opened).toEqual([]);
});

it("strict: no address appears in a result; the server opens the browser itself", async () => {
  const { p } = await longDemand({ config: { confirmation_policy: "strict" } });
  const demand = await p.call("towow_demand", { intent: "A designer" });
  expect(JSON.stringify(demand)).not.toContain("/approve/");
  expect(p.opened).toHaveLength(1);
});

it.each(["auto", "strict"])(
  "%s: a client that only opens pages is never decided for by an argument",
  async (policy) => {
    const { world, p } = await longDemand({
      config: { confirmation_policy: policy },
      elicitation: { url: {} },
      answer: () => ({ action: "cancel" }),
    });
    const { result } = await p.call("towow_demand", { intent: "A designer" });
    const id = await lastQuestionId(world, result.data.negotiation_id);
    expect(id).toBeTruthy();
    for (const more of [{ decision: "accept" }, { decision: "edit", confirmed_text: "Mine" }])
      await p.call("towow_demand", { ...result.data.resume_with.params, confirmation_id: id, ...more });
    expect(p.forms).toHaveLength(3);
    expect(confirms(world.mock)).toHaveLength(0);
  },
);
