import type { Negotiation } from "../backend/contract.ts";
import { known as knownWord, NEWER, type Newer } from "../newer.ts";
import type { Author } from "../question/who.ts";
import { formulatedText, isOut, type Phase, phaseOf, showsMatching } from "./backend-states.ts";
import type { Asked, Decided, Facts, Out, Outcome, Owner } from "./facts.ts";

/** What is known of who has been reached with the text. */
export type Reach =
  /** The text never left the backend. */
  | "not_broadcast"
  /** No agent was asked for an offer; whether matching had begun is not known. */
  | "nobody_asked"
  | "broadcast"
  | "not_known";

/** A decision that stands, with its number. */
export interface Decision extends Decided {
  number: number;
}

/** What came of the decision with that number, or of none if it is 0. */
export interface NumberedOutcome extends Outcome {
  number: number;
}

interface Common {
  /** Whether one of this user's programs submitted it, at this backend. */
  isOwn: boolean;
  /** Whose words were submitted, if that is known. */
  writtenBy?: Author;
  /** Whether a model that had read other agents' text submitted it, so that only a person's yes broadcasts it. */
  isTainted: boolean;
  /**
   * Whether it is withdrawn under every policy if nobody decides, because a model sent it unseen or its person declined
   * the page that asked.
   */
  isNeverLeft: boolean;
  /** The policy under which it was submitted, which holds because it is what the person read then. */
  onUnconfirmed?: "cancel" | "leave" | Newer;
  /**
   * The earliest time at which the backend goes on by itself, in ms since the epoch. It is absent for what others
   * submitted.
   */
  deadlineAt?: number;
  /** The program that answers for it, which is the one that decided or else the one that watches. */
  owner?: Owner;
  /** When that program wrote that it answers, in ms since the epoch. */
  ownerSince?: number;
  /** The round goes up when the text of an edit was lost, because answers to older questions no longer count. */
  round: number;
  /** The questions of this round. */
  questions: readonly Asked[];
  /** The last decision that stands. */
  decision?: Decision;
  /** The person's last decision, if the backend or somebody else was first. */
  lateDecision?: Decision;
  /** Hashes of texts that were lost with their program. One of them may have gone out nevertheless. */
  lostTexts: readonly string[];
  /** The hash of another text than the confirmed one, if the backend has ever shown one after the broadcast. */
  otherText?: string;
  /** When anything beyond the text was seen for the first time, in ms since the epoch. */
  firstOut?: Out;
  /** The last yes that stands, even beneath a no. `isKnown` says that the backend's answer showed its effect. */
  standingYes?: Decision & { isKnown: boolean };
  /**
   * Whether somebody here has said yes, and whether a yes is known to have taken effect. An edit that was lost with its
   * program is no yes.
   */
  yesSaid: "never" | "without_effect_seen" | "with_effect";
  reach: Reach;
}

/** Where a negotiation stands for this user. */
export type Stage =
  /** The text is not there yet. */
  | (Common & { name: "formulating" })
  /** The person decides. */
  | (Common & { name: "asking" })
  /** A yes is written, and the backend is not seen to have it. */
  | (Common & { name: "confirming"; decision: Decision })
  /** A no is written, and the backend is not seen to have it. */
  | (Common & { name: "cancelling"; decision: Decision })
  /** The text is broadcast; `outcome` is absent while nothing of that is written down. */
  | (Common & { name: "moving"; outcome?: NumberedOutcome })
  /** Nothing changes any more. */
  | (Common & { name: "over"; outcome?: NumberedOutcome })
  | (Common & { name: "not_found"; outcome: NumberedOutcome });

/**
 * Whether the decision lets a text out, as far as this version can tell. A decision in a newer program's word may do
 * so.
 */
export const confirms = ({ kind }: Pick<Decided, "kind">): boolean => CONFIRMS.includes(kind);
const CONFIRMS: readonly Decided["kind"][] = ["accept", "edit", NEWER];

/** Whether it is a person's own no. A program's withdrawal is nobody's word. */
export const isPersonsNo = (decision: Pick<Decided, "kind"> | undefined): boolean =>
  decision?.kind === "reject" || decision?.kind === "cancel";

/** Whether nobody has decided yet, because the text is being written or waits for the person. */
export const isUndecided = ({ name }: Pick<Stage, "name">): boolean => name === "formulating" || name === "asking";

/** Stages are kept by facts and snapshot, since nobody changes these objects and a call asks for their stage often. */
const known = new WeakMap<Facts, WeakMap<object, Stage>>();
const NOTHING_SHOWN = {};

/**
 * Computes the stage from what was written down and what the backend last showed. It is pure, so the same facts and
 * snapshot give the same stage in every program.
 */
export function reduce(facts: Facts, snapshot?: Negotiation): Stage {
  const stages = known.get(facts) ?? new WeakMap<object, Stage>();
  known.set(facts, stages);
  const stage = stages.get(snapshot ?? NOTHING_SHOWN) ?? stageOf(facts, snapshot);
  stages.set(snapshot ?? NOTHING_SHOWN, stage);
  return stage;
}

function stageOf(facts: Facts, snapshot: Negotiation | undefined): Stage {
  const decision = effectiveDecision(facts);
  const late = lateDecision(facts);
  const yes = standingYes(facts);
  const outcome = lastOutcome(facts);
  const phase: Phase | undefined = snapshot && phaseOf(snapshot.state);
  const round = [...facts.undone.values()].filter(({ why }) => why === "edit_lost").length + 1;
  const deadlineAt = facts.formulated?.deadline_at ?? facts.submitted?.deadline_at;
  const owner = ownerOf(facts, decision);
  const writtenBy = knownWord(facts.submitted?.written_by);
  const common: Common = {
    isOwn: facts.submitted !== undefined,
    ...(writtenBy !== undefined && { writtenBy }),
    isTainted: facts.submitted?.tainted === true,
    isNeverLeft: facts.submitted?.tainted === true || facts.isNeverLeft || round > 1, // an edit was lost
    ...(facts.submitted?.on_unconfirmed && { onUnconfirmed: facts.submitted.on_unconfirmed }),
    ...(deadlineAt !== undefined && { deadlineAt }),
    ...(owner && { owner: owner.owner, ownerSince: owner.at }),
    round,
    questions: facts.asked.filter((question) => question.round === round),
    ...(decision && { decision }),
    ...(late && { lateDecision: late }),
    lostTexts: lostTexts(facts),
    ...(facts.otherText !== undefined && { otherText: facts.otherText }),
    ...(facts.firstOut && { firstOut: facts.firstOut }),
    ...(yes && { standingYes: yes }),
    yesSaid: isConfirmed(facts) ? "with_effect" : hasSaidYes(facts) ? "without_effect_seen" : "never",
    reach: reachOf(facts, snapshot),
  };
  // A later decision about something that has an outcome is not carried out yet.
  const isCarriedOut = decision === undefined || (outcome !== undefined && outcome.number >= decision.number);
  if (outcome?.kind === "not_found" && phase === undefined) return { ...common, name: "not_found", outcome };
  if (phase === "over") {
    const isKnown = outcome !== undefined && !isContradicted(decision, outcome, snapshot);
    return { ...common, name: "over", ...(isKnown && { outcome }) };
  }
  if (decision !== undefined && !isCarriedOut) {
    if (!confirms(decision)) return { ...common, name: "cancelling", decision };
    if (phase !== "moving") return { ...common, name: "confirming", decision };
  }
  if (outcome?.kind === "cancelled" || outcome?.kind === "ended") return { ...common, name: "over", outcome };
  if (phase === "moving" || outcome?.kind === "confirmed" || outcome?.kind === "moved" || outcome?.kind === NEWER)
    return { ...common, name: "moving", ...(outcome && { outcome }) };
  const isAsking = phase === "asking" || (phase === undefined && common.questions.length > 0);
  return { ...common, name: isAsking ? "asking" : "formulating" };
}

/** The plan that the backend shows now was made in spite of the no that seemed to end it. */
const isContradicted = (decision: Decision | undefined, { kind }: NumberedOutcome, snapshot?: Negotiation): boolean =>
  decision !== undefined &&
  !confirms(decision) &&
  (kind === "ended" || kind === "cancelled") &&
  typeof snapshot?.plan_output === "string";

/** The program of the decision carries it out, unless another program has adopted it since. */
function ownerOf(
  { adopted, submitted }: Facts,
  decision: Decision | undefined,
): { owner: Owner; at: number } | undefined {
  const last = adopted.findLast((fact) => fact !== undefined);
  if (decision !== undefined && (last === undefined || last.decisions < decision.number)) return decision;
  return last ?? submitted;
}

/** The last decision, unless it had no effect. */
export function effectiveDecision({ decided, undone }: Facts): Decision | undefined {
  for (let number = decided.length; number > 0; number--) {
    const fact = decided[number - 1];
    if (fact !== undefined && !undone.has(number)) return { ...fact, number };
  }
  return undefined;
}

function standingYes({ decided, undone, outcomes }: Facts): Stage["standingYes"] {
  const number = decided.findLastIndex((fact, index) => fact && confirms(fact) && !undone.has(index + 1)) + 1;
  const fact = decided[number - 1];
  if (fact === undefined) return undefined;
  const outcome = outcomes.get(number);
  return { ...fact, number, isKnown: outcome?.kind === "confirmed" && outcome.inferred === undefined };
}

const isConfirmed = ({ outcomes }: Facts): boolean => [...outcomes.values()].some(({ kind }) => kind === "confirmed");

const hasSaidYes = ({ decided, undone }: Facts): boolean =>
  decided.some((fact, i) => (fact === undefined || confirms(fact)) && undone.get(i + 1)?.why !== "edit_lost");

const lostTexts = ({ decided, undone }: Facts): string[] =>
  decided.flatMap((fact, index) => (undone.get(index + 1)?.why === "edit_lost" ? (fact?.text_hash ?? []) : []));

/** A program's own withdrawal is nobody's word. */
function lateDecision({ decided, undone }: Facts): Decision | undefined {
  const isLate = (index: number) => undone.get(index + 1)?.why === "too_late";
  const number = decided.findLastIndex((fact, index) => isLate(index) && fact?.kind !== "withdraw") + 1;
  const fact = decided[number - 1];
  return fact && { ...fact, number };
}

/** Gives the last outcome that stands. An end by a no does not count if that no is known to have come too late. */
export function lastOutcome({ outcomes, undone }: Facts): NumberedOutcome | undefined {
  const stands = (number: number, { kind }: Outcome) =>
    undone.get(number)?.why !== "too_late" || (kind !== "cancelled" && kind !== "ended");
  const numbers = [...outcomes].filter((one) => stands(...one)).map(([number]) => number);
  const number = Math.max(-1, ...numbers);
  const outcome = outcomes.get(number);
  return outcome && { ...outcome, number };
}

/**
 * Whether a decision of this kind may follow the one that stands. A no may follow everything but a no, because what was
 * confirmed can be cancelled. A yes follows nothing.
 */
export const mayFollow = (kind: Decided["kind"], current: Pick<Decided, "kind"> | undefined): boolean =>
  current === undefined || (confirms(current) && !CONFIRMS.includes(kind));

/** Whether the person has been shown a text with this hash or has decided to send it, which makes it theirs. */
export const hasSeen = ({ questions, decision }: Stage, textHash: string): boolean =>
  decision?.text_hash === textHash ||
  questions.some(({ shown_hash, formulated_hash }) => shown_hash === textHash || formulated_hash === textHash);

/** Gives the question that this id answers. Nobody can answer a question of an earlier round. */
export const questionOf = (stage: Stage, id: string | undefined): Asked | undefined =>
  stage.questions.find((question) => question.question_id === id);

/**
 * Says who was reached, and claims nothing that the backend's own answers do not show. "Not broadcast" needs a cancel
 * that took effect before the backend could have gone on by itself, an answer without agents, and that nothing beyond
 * the text was ever seen. "Nobody asked" needs an answer without agents, and that none were looked for.
 */
function reachOf(facts: Facts, snapshot: Negotiation | undefined): Reach {
  const decision = effectiveDecision(facts);
  const outcome = lastOutcome(facts);
  // What came of an earlier yes says nothing of a no behind it.
  const answer = outcome !== undefined && outcome.number >= (decision?.number ?? 0) ? outcome : undefined;
  const outcomes = [...facts.outcomes.values()];
  const phase = snapshot && phaseOf(snapshot.state);
  if (snapshot !== undefined && (phase === "moving" || showsMatching(snapshot))) return "broadcast";
  if (outcomes.some(({ seen_broadcast, participants = 0 }) => seen_broadcast === true || participants > 0))
    return "broadcast";
  const wentOn = facts.firstOut !== undefined || outcomes.some(({ kind }) => kind === "confirmed" || kind === "moved");
  const isNo = answer === undefined ? decision !== undefined && !confirms(decision) : answer.kind === "cancelled";
  // An end without agents and traces shows it as well, where the no's own answer was lost or is another program's.
  const asked = answer?.participants ?? (phase === "over" ? snapshot?.participants.length : undefined);
  if (isNo && asked !== undefined) return answer?.in_time && !wentOn ? "not_broadcast" : "nobody_asked";
  if (wentOn) return "broadcast";
  if (outcome !== undefined) return "not_known";
  return phase === "before" || phase === "asking" ? "not_broadcast" : "not_known";
}

/** Whether the backend's present text is another one than the decision sent. */
export const isOtherText = (decision: Decided, snapshot: Negotiation, hash: (text: string) => string): boolean =>
  decision.text_hash !== undefined &&
  snapshot.demand_formulated !== null &&
  hash(formulatedText(snapshot)) !== decision.text_hash;

/** Whether what is out, as the backend shows it now, is another text than the one that was confirmed. */
export const showsOtherText = ({ decision }: Stage, snapshot: Negotiation, hash: (text: string) => string): boolean =>
  isOut(snapshot) && decision !== undefined && confirms(decision) && isOtherText(decision, snapshot, hash);
