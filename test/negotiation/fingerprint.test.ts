import fc from "fast-check";
import { expect, test } from "vitest";
import { type Negotiation, negotiationSchema } from "../../src/backend/contract.ts";
import { fingerprint } from "../../src/negotiation/polling.ts";

const negotiation = (more: object): Negotiation =>
  negotiationSchema.parse({ negotiation_id: "neg_1", state: "offering", ...more });

/** Few and alike, halves of a pair among them, so that two texts often read the same in a row. */
const text = fc.string({ unit: fc.constantFrom("a", "\uD800", "\uDC00", '"', ","), maxLength: 3 });
const anything = fc
  .record({
    state: fc.constantFrom("offering", "completed"),
    demand_formulated: fc.option(text),
    plan_output: fc.option(text),
    center_rounds: fc.nat(2),
    sub_session_ids: fc.array(
      text.filter((id) => id !== ""),
      { maxLength: 2 },
    ),
    participants: fc.array(fc.record({ agent_id: text, state: text, offer_content: fc.option(text) }), {
      maxLength: 2,
    }),
  })
  .map(negotiation);

/** What is told of a negotiation, written out: a text that is empty tells no more than none. */
const told = (n: Negotiation) =>
  JSON.stringify([
    n.state,
    n.demand_formulated ?? "",
    n.plan_output,
    n.center_rounds,
    n.sub_session_ids,
    n.participants.map((p) => [p.agent_id, p.state, p.offer_content !== null]),
  ]);

test("a fingerprint changes exactly when there is something new to tell", () => {
  fc.assert(
    fc.property(anything, anything, (a, b) => {
      expect(fingerprint(a) === fingerprint(b)).toBe(told(a) === told(b));
      expect(fingerprint(structuredClone(a))).toBe(fingerprint(a));
    }),
    { numRuns: 2_000 },
  );
});

test("a fingerprint is short, whatever the negotiation holds", () => {
  const big = negotiation({ plan_output: "\uD800".repeat(150_000), sub_session_ids: ["neg_2"] });
  expect(fingerprint(big)).toHaveLength(43);
});
