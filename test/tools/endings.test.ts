import { describe, expect, it } from "vitest";
import type { MockOptions } from "../../mock-backend/main.ts";
import { textsOf } from "../../src/text/index.ts";
import type { Answerer } from "../support/clients.ts";
import { createWorld, type Process, type World } from "../support/world.ts";

/** Each ending, provoked at the mock backend and told through a client in both languages. */

const INTENT = "machine learning, python and data";
const accept: Answerer = () => ({ action: "accept", content: { decision: "accept" } });
const undecided: Answerer = () => ({ action: "cancel" });

interface Ending {
  marker?: string;
  feed?: true;
  answer?: Answerer;
  before?: (world: World) => void;
  after?: (world: World, p: Process, id: string) => Promise<unknown>;
  rewrite?: NonNullable<World["rewrite"]>;
  options?: MockOptions;
  /** What is told. */
  says: (texts: ReturnType<typeof textsOf>["state"]) => string;
  /** The codes that go with it. */
  more?: { risk: string; warning: string; note?: (notes: ReturnType<typeof textsOf>["note"]) => string };
}

const ENDINGS: Readonly<Record<string, Ending>> = {
  "a plan": { says: ({ completed }) => completed(1, 1, 1) },
  "nobody resonates": { marker: "[[resonate=none]]", feed: true, says: ({ noResonance }) => noResonance },
  "nobody takes part, and there is no feed that says why": {
    marker: "[[resonate=none]]",
    says: ({ noParticipants }) => noParticipants,
    more: { risk: "no_participants", warning: "no_participants" },
  },
  "every agent leaves": {
    before: ({ mock }) => mock.engine.offerWith(() => "exit"),
    says: ({ allLeft }) => allLeft(1),
  },
  "a plan that the backend put together by itself": {
    marker: "[[center=hang]]",
    options: { centerTimeoutMs: 2_000 },
    says: ({ completed }) => completed(1, 1, 1),
    more: { risk: "plan_fallback", warning: "plan_fallback", note: ({ plan_fallback }) => plan_fallback },
  },
  "no plan": { marker: "[[center=fail]]", says: ({ failed }) => failed },
  "an empty plan": {
    marker: "[[center=emptyplan]]",
    says: ({ emptyPlan }) => emptyPlan,
    more: { risk: "plan_missing", warning: "plan_missing" },
  },
  "a plan, and agents that stayed silent": {
    rewrite: (body) => {
      const { participants } = body as { participants?: object[] };
      if (participants === undefined) return body;
      const silent = { state: "active", offer_content: null, offer_capabilities: null };
      return { ...(body as object), participants: participants.map((one) => ({ ...one, ...silent })) };
    },
    says: ({ noOffers }) => noOffers(1),
  },
  "cancelled behind the broadcast": {
    options: { stepMs: 15_000 },
    after: (_, p, id) => p.call("towow_demand", { negotiation_id: id, decision: "cancel" }),
    says: ({ cancelled }) => cancelled,
  },
  "a yes that never took effect": {
    before: ({ mock }) => mock.faults.add({ route: "confirm", kind: "drop_before", times: 1_000 }),
    after: ({ clock }) => clock.advance(310_000),
    says: ({ withdrawnUnconfirmed }) => withdrawnUnconfirmed,
  },
  rejected: {
    answer: undecided,
    after: (_, p, id) => p.call("towow_demand", { negotiation_id: id, decision: "reject" }),
    says: ({ rejected }) => rejected,
  },
  "withdrawn before the deadline": {
    answer: undecided,
    after: ({ clock }) => clock.advance(310_000),
    says: ({ withdrawn }) => withdrawn,
  },
};

describe.each(["en", "zh"] as const)("in %s", (lang) => {
  it.each(Object.keys(ENDINGS))("%s", async (name) => {
    const { marker = "", feed, answer = accept, options, rewrite, before, after, says, more } = ENDINGS[name] as Ending;
    const world = await createWorld(options);
    if (rewrite !== undefined) world.rewrite = rewrite;
    const p = await world.process({ answer, config: { lang }, ...(feed && { feed }) });
    before?.(world);
    await p.call("towow_demand", { intent: `${INTENT} ${marker}` });
    const id = world.mock.negotiations()[0]?.negotiation_id ?? "";
    await after?.(world, p, id);
    const end = await p.call("towow_status", { negotiation_id: id, wait: "done", view: "full" });
    expect(end.result.data.state).toBe("completed");
    expect(end.result.summary).toContain(says(textsOf(lang).state));
    expect(end.text).toContain(says(textsOf(lang).state));
    if (more === undefined) return;
    expect(end.result.warnings).toContain(more.warning);
    expect(end.result.summary).toContain(more.note?.(textsOf(lang).note) ?? "");
    expect(end.result.data.risks).toContainEqual(expect.objectContaining({ code: more.risk }));
  });
});
