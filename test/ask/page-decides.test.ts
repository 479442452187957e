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

it("'I'm done' without a decision returns at once, says that nothing is decided, and the next call asks again", async () => {
  let answeredAt = 0;
  const { world, p } = await longDemand({
    elicitation: BOTH,
    answer() {
      answeredAt = world.clock.now();
      return { action: "accept" };
    },
  });
  const { result } = await p.call("towow_demand", { intent: "A designer" });
  expect(result.data).toMatchObject({ state: "formulated", decision: null, formulated_text: LONG });
  expect(result.summary).toContain("Not decided yet: nothing was sent.");
  expect(world.clock.now() - answeredAt).toBeLessThan(1_000);
  expect(confirms(world.mock)).toHaveLength(0);
  await p.call(result.data.resume_with.tool, result.data.resume_with.params);
  expect(p.forms.map(({ mode }) => mode)).toEqual(["url", "url"]);
});

it("a client whose accept comes as the page opens: the call waits for what is decided there, within its budget", async () => {
  for (const decides of [true, false]) {
    const { world, p } = await longDemand({
      client: { name: "copilot-cli", version: "1.0.102" },
      elicitation: BOTH,
      answer() {
        const id = world.mock.negotiations()[0]?.negotiation_id ?? "";
        const decide = async () => {
          await world.clock.sleep(8_000);
          const rendering = { ...seenOn("page", LONG), browser: "elicited" } as const;
          const confirmationId = await lastQuestionId(world, id);
          await p.negotiations.decide({ negotiationId: id, kind: "accept", confirmationId, rendering });
        };
        if (decides) void decide();
        return { action: "accept" };
      },
    });
    const { result } = await p.call("towow_demand", { intent: "A designer" });
    expect(result.data.decided_by).toBe(decides ? "page" : null);
    expect(confirms(world.mock)).toHaveLength(decides ? 1 : 0);
  }
});

describe("a page that its person does not open", () => {
  /** Asked under `leave`, and declined after a look at it. */
  const declined = async (config: Record<string, unknown> = {}) => {
    const answer = async () => {
      await world.clock.sleep(2_000);
      return { action: "decline" } as const;
    };
    const { world, p } = await longDemand({
      elicitation: BOTH,
      answer,
      config: { on_unconfirmed: "leave", ...config },
    });
    const { result } = await p.call("towow_demand", { intent: "A designer" });
    return { world, p, result, negotiation: () => world.mock.negotiations()[0]! };
  };

  it.each([
    [
      "en",
      [
        "decides nothing",
        "The person can still decide on the page or in a terminal",
        "never broadcast",
        "it is withdrawn at",
      ],
    ],
    ["zh", ["这不算决定", "页面和终端都还可以用来决定", "不会广播", "自动撤回"]],
  ])("%s: that is no decision, and the result says what becomes of the demand", async (lang, said) => {
    const { result, negotiation } = await declined({ lang });
    expect(result.data).toMatchObject({ state: "formulated", decision: null, formulated_text: LONG });
    expect(result.warnings).toContain("page_declined");
    for (const words of said) expect(result.summary).toContain(words);
    expect(result.summary).toContain(`towow-mcp confirm ${negotiation().negotiation_id}`);
    expect(negotiation()).toMatchObject({ cancelled: false, confirmCount: 0 });
  });

  it("the page still decides", async () => {
    const { world, p, negotiation } = await declined();
    const { negotiation_id: negotiationId } = negotiation();
    const confirmationId = await lastQuestionId(world, negotiationId);
    const rendering = { ...seenOn("page", LONG), browser: "elicited" } as const;
    await world.clock.run(p.negotiations.decide({ negotiationId, kind: "accept", confirmationId, rendering }));
    expect(negotiation()).toMatchObject({ confirmedText: LONG });
  });

  it("a program that watches it learns of a page that was declined in another one", async () => {
    const world = await createWorld();
    world.mock.engine.formulateWith(() => LONG);
    const config = { on_unconfirmed: "leave" };
    const watching = await world.process({ config });
    const { result } = await watching.call("towow_demand", { intent: "A designer" });
    const { negotiation_id } = result.data;
    const answer = async () => {
      await world.clock.sleep(2_000);
      return { action: "decline" } as const;
    };
    const asking = await world.process({ config, elicitation: BOTH, answer });
    await world.clock.advance(260_000);
    await asking.call("towow_demand", { negotiation_id });
    world.dead.add(asking.pid);
    await world.clock.advance(60_000);
    expect(world.mock.negotiations()[0]).toMatchObject({ cancelled: true, confirmCount: 0, confirmedBy: undefined });
  });

  it("a program that ends withdraws it, where `leave` would leave it to the backend", async () => {
    const { world, p, negotiation } = await declined();
    await world.clock.run(p.negotiations.shutdown());
    expect(negotiation()).toMatchObject({ cancelled: true, confirmCount: 0 });
  });
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
