import { type Entries, factName, type Outcome, revocable } from "../facts.ts";
import type { Ending } from "../records.ts";
import type { Confirmation, NegotiationRecord, OldDecision } from "./history.ts";

const OUTCOMES = {
  confirmed: { number: 1, kind: "confirmed" },
  rejected: { number: 1, kind: "cancelled" },
  cancelled: { number: 1, kind: "cancelled" },
  withdrawn: { number: 1, kind: "cancelled" },
  auto_confirmed: { number: 0, kind: "moved" },
  completed: { number: 0, kind: "ended" },
  gone: { number: 0, kind: "not_found" },
} as const satisfies Record<Ending, { number: number; kind: Outcome["kind"] }>;

/** The facts that a record of version 0.1 says. `slot`: the number of its decision. */
export function oldFactsOf(record: NegotiationRecord, decision: OldDecision | undefined, slot: number): Entries {
  const { submitted_at: at, user_id, scene_id, deadline_at, owner, ended } = record;
  const entries = new Map<string, unknown>();
  if (deadline_at !== undefined && owner !== undefined) {
    const scene = scene_id === undefined ? {} : { scene_id };
    entries.set(factName.submitted, { at, user_id, ...scene, deadline_at, owner });
  }
  for (const question of questionsOf(record)) {
    const { id: question_id, shown_hash, formulated_hash, created_at } = question;
    const fact = { at: created_at, question_id, round: 1, shown_hash, formulated_hash };
    entries.set(factName.asked(1, question_id), fact);
  }
  if (decision !== undefined) entries.set(factName.decided(slot), revocable(decidedFactOf(record, decision)));
  if (ended !== undefined) {
    const { number, kind } = OUTCOMES[ended.as];
    entries.set(factName.outcome(decision === undefined ? 0 : number * slot), { at: ended.at, kind });
  }
  return entries;
}

const questionsOf = ({ confirmation, earlier_questions = [] }: NegotiationRecord): Confirmation[] =>
  confirmation === undefined ? earlier_questions : [confirmation, ...earlier_questions];

/** What its decision is as a fact. */
export function decidedFactOf(record: NegotiationRecord, { confirmation_id, ...decision }: OldDecision) {
  const question = questionsOf(record).find(({ id }) => id === confirmation_id);
  return {
    ...decision,
    ...(confirmation_id !== undefined && { question_id: confirmation_id }),
    ...(question && { formulated_hash: question.formulated_hash }),
  };
}
