import type { Negotiation } from "../backend/contract.ts";
import { phaseOf } from "../negotiation/backend-states.ts";
import type { Decided, Facts, Outcome } from "../negotiation/facts.ts";
import { decisionWord, type Ending, type Says } from "../negotiation/says.ts";
import { confirms } from "../negotiation/stage.ts";

/**
 * This file traces the course of a negotiation: its steps, when each of them took place, and how the negotiation
 * ended. Pure, and without words of a language.
 */

/** The steps of every negotiation, in order. */
export const STEPS = ["submit", "writeUp", "decide", "resonance", "offers", "plan"] as const;
export type StepName = (typeof STEPS)[number];

/**
 * `failed`: the negotiation ended at this step. `later`: the negotiation has not reached the step. `unknown`: the
 * negotiation ended at this step or a later one.
 */
export type StepState = "done" | "now" | "failed" | "later" | "unknown";

interface Step {
  name: StepName;
  state: StepState;
  /** How long the step took, or has taken until now, in ms. Undefined if its beginning or its end is not known. */
  tookMs: number | undefined;
}

/**
 * When each of these events happened, in ms since the epoch. Undefined if an event has not happened, or if this
 * program does not know when.
 */
export interface Moments {
  submitted: number | undefined;
  formulated: number | undefined;
  /**
   * When the text went out: the time of the yes that is in effect, or else the time at which the backend was first
   * seen beyond the decision.
   */
  out: number | undefined;
  ended: number | undefined;
}

/** An event in the course of a negotiation. `at` is in ms since the epoch. */
export interface HistoryEvent {
  at: number;
  what: "submitted" | "asked" | Decided["kind"] | "moved" | "ended";
  by?: Decided["by"];
  /** Set if the backend had already gone on when the decision came. */
  isLate?: true;
}

/** How a negotiation ended, in the groups that make a difference to a person. */
export type EndingGroup =
  | "plan"
  | "nobody"
  | "notCompared"
  | "emptyScene"
  | "noParticipants"
  | "allLeft"
  | "noOffers"
  | "withdrawn"
  | "cancelled"
  | "failed"
  | "ended"
  | "notFound";

/** What a person can do next once the negotiation is over. */
export type AfterEnd =
  | "plan"
  | "noResonance"
  | "notCompared"
  | "emptyScene"
  | "allLeft"
  | "stopped"
  | "failed"
  | "gone";

const ENDINGS: Readonly<Record<Ending, { group: EndingGroup; next: AfterEnd }>> = {
  plan: { group: "plan", next: "plan" },
  no_resonance: { group: "nobody", next: "noResonance" },
  not_compared: { group: "notCompared", next: "notCompared" },
  empty_scene: { group: "emptyScene", next: "emptyScene" },
  no_participants: { group: "noParticipants", next: "emptyScene" },
  all_left: { group: "allLeft", next: "allLeft" },
  no_offers: { group: "noOffers", next: "allLeft" },
  empty_plan: { group: "failed", next: "failed" },
  rejected: { group: "withdrawn", next: "stopped" },
  cancelled: { group: "cancelled", next: "stopped" },
  cancelled_by_client: { group: "cancelled", next: "stopped" },
  withdrawn: { group: "withdrawn", next: "stopped" },
  withdrawn_at_end: { group: "withdrawn", next: "stopped" },
  withdrawn_unconfirmed: { group: "withdrawn", next: "stopped" },
  ended_after_no: { group: "failed", next: "stopped" },
  failed: { group: "failed", next: "failed" },
  ended_unseen: { group: "ended", next: "stopped" },
  ended: { group: "ended", next: "failed" },
  not_found: { group: "notFound", next: "gone" },
};

export const groupOf = (ending: Ending): EndingGroup => ENDINGS[ending].group;
export const afterEnd = (ending: Ending): AfterEnd => ENDINGS[ending].next;

export interface Course {
  steps: readonly Step[];
  moments: Moments;
  /** How the negotiation ended, and what its person can do next. Undefined while the negotiation goes on. */
  end: { group: EndingGroup; next: AfterEnd } | undefined;
}

/**
 * Returns when this program saw the backend enter a state, in ms since the epoch. Undefined if the program did not
 * see that.
 */
export type StateSeen = (state: string) => number | undefined;
const NEVER: StateSeen = () => undefined;

export interface CourseInput {
  said: Says;
  facts: Facts;
  seen?: StateSeen;
  /** The current time, in ms since the epoch. */
  now: number;
}

/** Returns the steps of a negotiation with their states and durations, and how it ended. Pure. */
export function courseOf({ said, facts, seen = NEVER, now }: CourseInput): Course {
  const moments = momentsOf(said, facts, seen);
  const { submitted, formulated, out, ended } = moments;
  const begins = [submitted, submitted, formulated, out, seen("offering"), seen("synthesizing"), ended];
  const states = stepStates(said);
  const steps = STEPS.map((name, i) => {
    const [begin, end] = [begins[i], states[i] === "now" ? now : begins[i + 1]];
    const isKnown = i > 0 && (states[i] === "done" || states[i] === "now") && begin !== undefined && end !== undefined;
    return { name, state: states[i]!, tookMs: isKnown ? Math.max(0, end - begin) : undefined };
  });
  return { steps, moments, end: said.ending && ENDINGS[said.ending] };
}

/**
 * Collects when the events of a negotiation happened, from the facts or from what this program saw at the backend.
 * Pure.
 */
export function momentsOf(
  { stage, broadcast, decision, ending }: Says,
  facts: Facts,
  seen: StateSeen = NEVER,
): Moments {
  const outcome = "outcome" in stage ? stage.outcome : undefined;
  const isKnown = outcome !== undefined && (isEnd(outcome.kind) || outcome.kind === "not_found");
  const sentAt = decision === undefined ? undefined : stage.standingYes?.at;
  return {
    submitted: facts.submitted?.at,
    formulated: facts.formulated?.at ?? seen("formulated"),
    out: sentAt ?? (broadcast === undefined ? undefined : (seen("encoding") ?? stage.firstBroadcast?.at)),
    ended: ending === undefined ? undefined : (seen("completed") ?? (isKnown ? outcome.at : undefined)),
  };
}

const isEnd = (kind: Outcome["kind"]): boolean => kind === "cancelled" || kind === "ended";

/**
 * Lists the events of a negotiation that are written down, in order. Decisions that were taken back are left out, but
 * a person's decision that came too late is listed.
 */
export function historyOf(
  { submitted, asked, decided, undone, firstBroadcast, outcomes }: Facts,
  said: Says,
  observedAt: number,
): HistoryEvent[] {
  const events: HistoryEvent[] = [];
  if (submitted !== undefined) events.push({ at: submitted.at, what: "submitted" });
  const first = asked[0];
  if (first !== undefined) events.push({ at: first.at, what: "asked" });
  for (const [index, fact] of decided.entries()) {
    const why = undone.get(index + 1)?.why;
    const isLate = why === "too_late" || isBelied(index + 1, said);
    if (fact === undefined || (why !== undefined && why !== "too_late") || (isLate && fact.kind === "withdraw"))
      continue;
    events.push({ at: fact.at, what: fact.kind, by: fact.by, ...(isLate && { isLate: true }) });
  }
  const moved = [...outcomes.values()].find(({ kind }) => kind === "moved" || kind === "confirmed")?.at;
  const seenOut = firstBroadcast?.at ?? moved ?? (said.broadcast && observedAt);
  // The text of a negotiation that was stopped before any agent was asked went to nobody.
  if (seenOut !== undefined && said.reach !== "nobody_asked") events.push({ at: seenOut, what: "moved" });
  for (const { at, kind } of outcomes.values()) if (isEnd(kind)) events.push({ at, what: "ended" });
  return events.sort((a, b) => a.at - b.at);
}

/** Returns whether the backend's answers show that a decision had no effect, although nothing undid it. */
function isBelied(number: number, { stage, told, broadcast }: Says): boolean {
  const isOvertaken = broadcast === "backend" || broadcast === "others";
  if (stage.standingYes?.number === number) return isOvertaken;
  if (stage.decision?.number !== number) return false;
  const word = decisionWord(stage.decision);
  return told.as !== word && told.as !== `${word}_pending`;
}

/** Returns the state of each step. `isOver` makes the negotiation count as ended even if nobody knows its ending. */
export function stepStates(said: Says, isOver = said.ending !== undefined): StepState[] {
  if (!isOver) return statesAround(presentStep(said), "now");
  const isSeen = said.stage.reach !== "not_known" || said.broadcast !== undefined;
  return isSeen ? statesAround(lastStep(said), "failed") : statesAround(lastStep(said), "unknown", "unknown");
}

const statesAround = (at: number, there: StepState, after: StepState = "later"): StepState[] =>
  STEPS.map((_, i) => (i < at ? "done" : i > at ? after : there));

const [WRITE_UP, DECIDE, RESONANCE, OFFERS, PLAN] = [1, 2, 3, 4, 5];

const STEP_OF: ReadonlyMap<string, number> = new Map([
  ["created", 0],
  ["formulating", WRITE_UP],
  ["formulated", DECIDE],
  ["encoding", RESONANCE],
  ["offering", OFFERS],
  ["barrier_waiting", OFFERS],
  ["synthesizing", PLAN],
]);

function presentStep(said: Says): number {
  const { negotiation, stage } = said;
  if (said.isBeingWithdrawn) return lastStep(said);
  const isMoving = stage.name === "moving";
  // A state that this version does not know counts as the first step after the decision.
  const shown = negotiation && (STEP_OF.get(negotiation.state) ?? RESONANCE);
  if (shown !== undefined) return isMoving ? Math.max(shown, RESONANCE) : shown;
  // The backend shows nothing, so only the written facts count. There are none about another person's demand.
  if (!stage.isOwn) return -1;
  return stage.name === "formulating" ? WRITE_UP : isMoving ? RESONANCE : DECIDE;
}

/** Returns whether a negotiation that is not over has passed the person's decision. */
export const isOnItsWay = (said: Says): boolean => presentStep(said) >= RESONANCE;

/**
 * Returns the index of the last step that was reached. The index follows from what the negotiation holds, because an
 * ended negotiation does not say at which step it stopped. A negotiation that ended in a plan has passed all steps.
 */
function lastStep({ ending, negotiation: n, stage, broadcast, decision }: Says): number {
  if (ending === "plan") return STEPS.length;
  if (n !== undefined && phaseOf(n.state) === "over") {
    if (n.plan_output !== null) return n.participants.length === 0 ? RESONANCE : OFFERS;
    if (n.participants.length > 0) return hasWaiting(n) ? OFFERS : PLAN;
  }
  if (broadcast !== undefined || (decision !== undefined && confirms(decision))) return RESONANCE;
  const isAsked = stage.questions.length > 0 || stage.standingYes !== undefined || stage.lostTexts.length > 0;
  const isWritten = n === undefined ? isAsked : n.demand_formulated !== null;
  return isWritten ? DECIDE : WRITE_UP;
}

const hasWaiting = ({ participants }: Negotiation): boolean => participants.some(({ state }) => state === "active");
