import type { Negotiation } from "../../backend/contract.ts";
import { TowowError } from "../../errors.ts";
import { HomeUnwritable } from "../../home/errors.ts";
import { failureOf } from "../../log.ts";
import { formulatedText, isOut } from "../backend-states.ts";
import { factName, type Outcome } from "../facts.ts";
import { type Decision, showsOtherText } from "../stage.ts";
import type { StepContext } from "./context.ts";

/** The text of what moves on is compared with the confirmed one; a later read may show that one again. */
export async function noteOtherText({ stage, deps, journal }: StepContext, snapshot: Negotiation): Promise<void> {
  if (stage.otherText !== undefined || !showsOtherText(stage, snapshot, deps.hash)) return;
  const fact = { at: deps.clock.now(), text_hash: deps.hash(formulatedText(snapshot)) };
  await journal.note(factName.otherText, fact);
}

/** The first sight of anything beyond the text counts for every program: what another one wrote stands. */
export async function noteOut(supervisor: StepContext, snapshot: Negotiation): Promise<void> {
  const { journal, deps } = supervisor;
  const { submitted, decided, out } = journal.facts;
  const isOurs = submitted !== undefined || decided.length > 0;
  if (out !== undefined || !isOurs || !isOut(snapshot)) return;
  const leftMs = supervisor.leftMs();
  const fact = {
    at: deps.clock.now(),
    ...(snapshot.demand_formulated !== null && { text_hash: deps.hash(formulatedText(snapshot)) }),
    ...(leftMs !== undefined && { in_time: leftMs > 0 }),
  };
  try {
    await journal.claim(factName.out, fact);
  } catch (error) {
    if (!(error instanceof TowowError)) throw error;
    await journal.note(factName.out, fact);
  }
}

/** Writes down that it is cancelled, and answers the calls that wait for it. `in_time`: its text had still been waiting. */
export async function noteCancelled(
  supervisor: StepContext,
  decision: Decision,
  answer: Negotiation,
  how: { in_time: boolean; inferred?: true },
): Promise<void> {
  const { deps, key } = supervisor;
  const participants = answer.participants.length;
  const seen = { participants, ...how, ...lateness(supervisor) };
  await noteOutcome(supervisor, { kind: "cancelled", decision, ...seen, ...owedUnless(supervisor, decision) });
  deps.log.info("negotiation_cancelled", { negotiation_id: key.id, decided_by: decision.by });
  deps.nudge(key.id);
  supervisor.waiters.answer(decision.number, { effect: { kind: "cancelled", negotiation: answer, decision } });
}

/** Whether the backend's own deadline may have passed by now. */
export const lateness = (supervisor: StepContext) => ((supervisor.leftMs() ?? 1) <= 0 ? { late: true as const } : {});

/** A result tells it, if somebody waits for it; else the next status owes it to the person. */
export const owedUnless = (supervisor: StepContext, { number }: Decision) =>
  supervisor.waiters.has(number) ? {} : { owed: true as const };

/** Writes down what came of a decision, or of a negotiation that has none, with what was seen of it. */
export async function noteOutcome(
  supervisor: StepContext,
  { decision, ...rest }: Omit<Outcome, "at"> & { decision?: Decision },
): Promise<void> {
  const { journal, observation, deps } = supervisor;
  const { snapshot } = observation;
  const outcome: Outcome = {
    at: deps.clock.now(),
    ...rest,
    ...(snapshot?.demand_formulated != null && { text_hash: deps.hash(formulatedText(snapshot)) }),
    ...(observation.hasSeenMatching && { seen_broadcast: true }),
  };
  await journal.note(factName.outcome(decision?.number ?? 0), outcome, "close");
}

/** Takes over from a program that is gone; of several, one does, or each where none can write it down. */
export async function adopt({ journal, deps }: StepContext): Promise<void> {
  const { watched, decided } = journal.facts;
  const fact = { at: deps.clock.now(), owner: deps.owner, decisions: decided.length };
  const name = factName.watched(watched.length + 1);
  try {
    await journal.claim(name, fact);
  } catch (error) {
    if (!(error instanceof HomeUnwritable)) throw error;
    // On a full disk somebody must still withdraw it, and a cancel that is sent twice is one.
    deps.log.warn("adoption_unwritten", { negotiation_id: journal.key.id, error: failureOf(error) });
    await journal.note(name, fact);
  }
  deps.log.info("negotiation_adopted", { negotiation_id: journal.key.id });
}
