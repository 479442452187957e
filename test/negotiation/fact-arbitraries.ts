import fc from "fast-check";
import type { Negotiation } from "../../src/backend/contract.ts";
import { DECISION_KINDS, OUTCOMES } from "../../src/negotiation/facts.ts";
import { DECIDERS } from "../../src/question/who.ts";

/** Facts, snapshots and names as programs may write and see them, few enough values for them to meet. */

export const T0 = Date.parse("2026-11-21T00:00:00Z");
const at = fc.integer({ min: 0, max: 5 }).map((seconds) => T0 + seconds * 1_000);
const number = fc.integer({ min: 1, max: 3 });
const textHash = fc.constantFrom("text-a", "text-b");
const owner = fc.constantFrom(1, 2).map((pid) => ({ instance: `program-${pid}`, pid }));
const optional = <T>(name: string, value: fc.Arbitrary<T>) =>
  fc.option(value, { nil: undefined }).map((it) => (it === undefined ? {} : { [name]: it }));
const merged = (...parts: fc.Arbitrary<object>[]) =>
  fc.tuple(...parts).map((all) => Object.assign({}, ...all) as Record<string, unknown>);

export const submitted = fc.record({
  at,
  user_id: fc.constant("user"),
  deadline_at: at.map((it) => it + 300_000),
  on_unconfirmed: fc.constantFrom("cancel", "leave"),
  owner,
});
const formulated = fc.record({ at, deadline_at: at.map((it) => it + 301_000) });
const watched = fc.record({ at, owner, decisions: fc.integer({ min: 0, max: 3 }) });
const asked = fc.record({
  at,
  shown_hash: textHash,
  formulated_hash: textHash,
});
export const decided = merged(
  fc.record({ at, kind: fc.constantFrom(...DECISION_KINDS), by: fc.constantFrom(...DECIDERS), owner }),
  optional("text_hash", textHash),
  optional("formulated_hash", textHash),
);
const undone = fc.record({ at, why: fc.constantFrom("no_effect", "too_late", "edit_lost") });
export const outcome = merged(
  fc.record({ at, kind: fc.constantFrom(...OUTCOMES) }),
  optional("participants", fc.integer({ min: 0, max: 2 })),
  optional("seen_broadcast", fc.boolean()),
  optional("in_time", fc.boolean()),
  optional("inferred", fc.constant(true)),
);
const out = merged(fc.record({ at }), optional("text_hash", textHash), optional("in_time", fc.boolean()));

type Entry = [string, unknown];
const entry = (name: fc.Arbitrary<string>, value: fc.Arbitrary<unknown>): fc.Arbitrary<Entry> => fc.tuple(name, value);
const named = (kind: string, numbers: fc.Arbitrary<number> = number) => numbers.map((it) => `${kind}.${it}`);

/** One fact under its name. */
export const fact: fc.Arbitrary<Entry> = fc.oneof(
  entry(fc.constant("submitted"), submitted),
  entry(fc.constant("formulated"), formulated),
  entry(named("watched"), watched),
  // One question under each name: its id is its own.
  fc
    .tuple(number, fc.constantFrom("aa", "bb"), asked)
    .map(
      ([round, hash, it]): Entry => [`asked.${round}.${hash}`, { ...it, round, question_id: `id-${round}-${hash}` }],
    ),
  entry(named("decided"), decided),
  entry(named("undone"), undone),
  entry(named("outcome", fc.integer({ min: 0, max: 3 })), outcome),
  entry(named("reported"), fc.record({ at })),
  entry(fc.constant("out"), out),
);

/** All that stands about one negotiation: every name once. */
export const facts: fc.Arbitrary<Entry[]> = fc.array(fact, { maxLength: 14 }).map((list) => [...new Map(list)]);

export const STATES = [
  "created",
  "formulating",
  "formulated",
  "encoding",
  "offering",
  "barrier_waiting",
  "synthesizing",
  "completed",
  "a_state_of_a_later_version",
] as const;

/** A yes that nobody is seen to have carried out, which is rare among all others. */
export const openYes: fc.Arbitrary<Entry[]> = fc
  .tuple(submitted, decided, fc.constantFrom("accept", "edit"))
  .map(([first, yes, kind]) => [
    ["submitted", first],
    ["decided.1", { ...yes, kind }],
  ]);

/** What the backend shows. */
export const snapshot: fc.Arbitrary<Negotiation> = fc
  .record({
    state: fc.constantFrom(...STATES),
    participants: fc.integer({ min: 0, max: 2 }).map((count) =>
      Array.from({ length: count }, (_, i) => ({
        agent_id: `agent_${i}`,
        display_name: "Lin",
        resonance_score: 0.5,
        state: "active",
        offer_content: null,
      })),
    ),
    plan_output: fc.constantFrom(null, "A plan"),
    demand_formulated: fc.constantFrom(null, "text-a", "text-b"),
  })
  .map(
    (shown) => ({ negotiation_id: "neg_1", center_rounds: 0, sub_session_ids: [], ...shown }) as unknown as Negotiation,
  );
