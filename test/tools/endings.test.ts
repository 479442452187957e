import { describe, expect, it } from "vitest";
import { textsOf } from "../../src/text/index.ts";
import type { Answerer } from "../support/clients.ts";
import { createWorld, type Process, type World } from "../support/world.ts";

/** Each ending, provoked at the mock backend and told through a client in both languages. */

const INTENT = "machine learning, python and data";
const accept: Answerer = () => ({ action: "accept", content: { decision: "accept" } });
const undecided: Answerer = () => ({ action: "cancel" });

interface Ending {
  marker?: string;
  answer?: Answerer;
  before?: (world: World) => void;
  after?: (world: World, p: Process, id: string) => Promise<unknown>;
  /** What is told. */
  says: (texts: ReturnType<typeof textsOf>["state"]) => string;
}

const ENDINGS: Readonly<Record<string, Ending>> = {
  "a plan": { says: ({ completed }) => completed(1, 1) },
  "nobody resonates": { marker: "[[resonate=none]]", says: ({ noResonance }) => noResonance },
  "every agent leaves": {
    before: ({ mock }) => mock.engine.offerWith(() => "exit"),
    says: ({ allLeft }) => allLeft(1),
  },
  "no plan": { marker: "[[center=fail]]", says: ({ failed }) => failed },
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
    const { marker = "", answer = accept, before, after, says } = ENDINGS[name] as Ending;
    const world = await createWorld();
    const p = await world.process({ answer, config: { lang } });
    before?.(world);
    const { result } = await p.call("towow_demand", { intent: `${INTENT} ${marker}` });
    const id = result.data.negotiation_id as string;
    await after?.(world, p, id);
    const end = await p.call("towow_status", { negotiation_id: id, wait: "done", view: "full" });
    expect(end.result.data.state).toBe("completed");
    expect(end.result.summary).toContain(says(textsOf(lang).state));
    expect(end.text).toContain(says(textsOf(lang).state));
  });
});
