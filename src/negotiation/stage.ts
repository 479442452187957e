import type { Negotiation } from "../backend/contract.ts";
import { known as knownWord, NEWER, type Newer } from "../newer.ts";
import type { Author } from "../question/who.ts";
import { rememberedSha256 } from "../sha256.ts";
import { formulatedText, isBroadcast, type Phase, phaseOf, showsMatching } from "./backend-states.ts";
import type { Asked, Decided, Facts, FirstBroadcast, Outcome, Owner } from "./facts.ts";

/**
 * What is known about who has received the text. {@link Stage} says where the negotiation stands, and this says how far
 * the text has spread.
 */
export type Reach =
  /** The text never left the backend. */
  | "not_broadcast"
  /** No agent was asked for an offer. It is not known whether matching had begun. */
  | "nobody_asked"
  | "broadcast"
  | "not_known";

/** A decision that stands, with its number. */
export interface Decision extends Decided {
  number: number;
}

/** An outcome with the number of the decision that led to it, or 0 if no decision did. */
export interface NumberedOutcome extends Outcome {
  number: number;
}

interface Common {
  /** True if one of this user's programs submitted the demand, at this backend. */
  isOwn: boolean;
  /** The author of what was submitted, if that is known. */
  writtenBy?: Author;
  /**
   * True if a model that had read other agents' text submitted the demand, so that only a person's yes broadcasts it.
   */
  isTainted: boolean;
  /**
   * True if the demand is withdrawn under every policy unless somebody decides. The reason is that a model which had
   * read other agents' text submitted it, that the person declined the page that asked, or that the text of an edit was
   * lost.
   */
  isNeverLeft: boolean;
  /** The policy at the time of the submit. That policy still holds, because the person read it then. */
  onUnconfirmed?: "cancel" | "leave" | Newer;
  /**
   * The earliest time at which the backend goes on by itself, in ms since the epoch. The field is absent if others
   * submitted the demand.
   */
  deadlineAt?: number;
  /**
   * The program that answers for the negotiation. That program made the standing decision, unless another has adopted
   * the negotiation since. Without a decision it is the program that last adopted or submitted the negotiation.
   */
  owner?: Owner;
  /** When the owner wrote that it answers for the negotiation, in ms since the epoch. */
  ownerSince?: number;
  /**
   * The round number, which rises when the text of an edit is lost, because answers to older questions no longer count.
   */
  round: number;
  questions: readonly Asked[];
  /** The last decision that stands. */
  decision?: Decision;
  /** The person's last decision that came too late, because the backend or somebody else was first. */
  lateDecision?: Decision;
  /** The hashes of texts that were lost with their program. One of those texts may have gone out nevertheless. */
  lostTexts: readonly string[];
  /** The hash of a text other than the confirmed one, if the backend ever showed such a text after the broadcast. */
  otherText?: string;
  /** When the text was first seen to be out, and which text that was. */
  firstBroadcast?: FirstBroadcast;
  /** The last yes that stands, even if a no followed it. `isKnown` says that the backend's answer showed its effect. */
  standingYes?: Decision & { isKnown: boolean };
  /**
   * Whether anybody said yes through this user's programs, and whether the yes is known to have taken effect. An edit
   * that was lost with its program does not count as a yes.
   */
  yesSaid: "never" | "without_effect_seen" | "with_effect";
  reach: Reach;
}

/**
 * Where a negotiation stands for this user, from the facts and from what the backend last showed. A `Phase`
 * (backend-states.ts) groups the backend's states alone, and an `Ending` (says.ts) says how a negotiation that is over
 * came to its end.
 */
export type Stage =
  /** The backend has not written the text yet. */
  | (Common & { name: "formulating" })
  /** The text waits for the person's decision. */
  | (Common & { name: "asking" })
  /** A yes is written down, and nothing shows yet that it took effect. */
  | (Common & { name: "confirming"; decision: Decision })
  /** A no is written down, and nothing shows yet that it took effect. */
  | (Common & { name: "cancelling"; decision: Decision })
  /** The text is broadcast. `outcome` is absent while no outcome is written down. */
  | (Common & { name: "moving"; outcome?: NumberedOutcome })
  /** Nothing changes any more. */
  | (Common & { name: "over"; outcome?: NumberedOutcome })
  | (Common & { name: "not_found"; outcome: NumberedOutcome });

/**
 * Returns whether the decision lets a text out, as far as this version knows. A decision of a kind that only a newer
 * version knows counts as a yes.
 */
export const confirms = ({ kind }: Pick<Decided, "kind">): boolean => CONFIRMS.includes(kind);
const CONFIRMS: readonly Decided["kind"][] = ["accept", "edit", NEWER];

/** Returns whether the decision is a person's own no. A program's withdrawal does not count. */
export const isPersonsNo = (decision: Pick<Decided, "kind"> | undefined): boolean =>
  decision?.kind === "reject" || decision?.kind === "cancel";

/** Returns whether nobody has decided yet, because the text is being written or waits for the person. */
export const isUndecided = ({ name }: Pick<Stage, "name">): boolean => name === "formulating" || name === "asking";

/** Caches stages by facts and snapshot, because these objects never change and a call asks for their stage often. */
const known = new WeakMap<Facts, WeakMap<object, Stage>>();
const NOTHING_SHOWN = {};

/**
 * Computes the stage from what was written down and what the backend last showed. The function is pure, so the same
 * facts and snapshot give the same stage in every program.
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
    isNeverLeft: facts.submitted?.tainted === true || facts.isNeverLeft || round > 1, // An edit was lost.
    ...(facts.submitted?.on_unconfirmed && { onUnconfirmed: facts.submitted.on_unconfirmed }),
    ...(deadlineAt !== undefined && { deadlineAt }),
    ...(owner && { owner: owner.owner, ownerSince: owner.at }),
    round,
    questions: facts.asked.filter((question) => question.round === round),
    ...(decision && { decision }),
    ...(late && { lateDecision: late }),
    lostTexts: lostTexts(facts),
    ...(facts.otherText !== undefined && { otherText: facts.otherText }),
    ...(facts.firstBroadcast && { firstBroadcast: facts.firstBroadcast }),
    ...(yes && { standingYes: yes }),
    yesSaid: isConfirmed(facts) ? "with_effect" : hasSaidYes(facts) ? "without_effect_seen" : "never",
    reach: reachOf(facts, snapshot),
  };
  // A decision that is newer than the last outcome is not carried out yet.
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

/** Returns whether the backend now shows a plan although a no seemed to have ended the negotiation. */
const isContradicted = (decision: Decision | undefined, { kind }: NumberedOutcome, snapshot?: Negotiation): boolean =>
  decision !== undefined &&
  !confirms(decision) &&
  (kind === "ended" || kind === "cancelled") &&
  typeof snapshot?.plan_output === "string";

/**
 * Returns the program that answers for the negotiation. The program that made the decision carries it out, unless
 * another program has adopted the negotiation since.
 */
function ownerOf(
  { adopted, submitted }: Facts,
  decision: Decision | undefined,
): { owner: Owner; at: number } | undefined {
  const last = adopted.findLast((fact) => fact !== undefined);
  if (decision !== undefined && (last === undefined || last.decisions < decision.number)) return decision;
  return last ?? submitted;
}

/** Returns the last decision that was not undone. */
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

/**
 * Returns the person's last decision that came too late. A program's own withdrawal does not count, because no person
 * said it.
 */
function lateDecision({ decided, undone }: Facts): Decision | undefined {
  const isLate = (index: number) => undone.get(index + 1)?.why === "too_late";
  const number = decided.findLastIndex((fact, index) => isLate(index) && fact?.kind !== "withdraw") + 1;
  const fact = decided[number - 1];
  return fact && { ...fact, number };
}

/** Returns the last outcome that stands. An end by a no does not count if that no is known to have come too late. */
export function lastOutcome({ outcomes, undone }: Facts): NumberedOutcome | undefined {
  const stands = (number: number, { kind }: Outcome) =>
    undone.get(number)?.why !== "too_late" || (kind !== "cancelled" && kind !== "ended");
  const numbers = [...outcomes].filter((one) => stands(...one)).map(([number]) => number);
  const number = Math.max(-1, ...numbers);
  const outcome = outcomes.get(number);
  return outcome && { ...outcome, number };
}

/**
 * Returns whether a decision of this kind may follow the one that stands. A no may follow a yes, because what was
 * confirmed can be cancelled. A yes may follow no other decision.
 */
export const mayFollow = (kind: Decided["kind"], current: Pick<Decided, "kind"> | undefined): boolean =>
  current === undefined || (confirms(current) && !CONFIRMS.includes(kind));

/** Returns whether the person was shown a text with this hash or decided to send it. */
export const hasSeen = ({ questions, decision }: Stage, textHash: string): boolean =>
  decision?.text_hash === textHash ||
  questions.some(({ shown_hash, formulated_hash }) => shown_hash === textHash || formulated_hash === textHash);

/** Returns the question with this id. Questions of earlier rounds are not found, because nobody can answer them. */
export const questionOf = (stage: Stage, id: string | undefined): Asked | undefined =>
  stage.questions.find((question) => question.question_id === id);

/**
 * Returns who was reached, and claims nothing that the backend's own answers do not show. "Not broadcast" needs three
 * things: a cancel that took effect before the backend could have gone on by itself, an answer without agents, and no
 * sight of anything beyond the text. "Nobody asked" needs an answer without agents, and no sign that the backend looked
 * for any.
 */
function reachOf(facts: Facts, snapshot: Negotiation | undefined): Reach {
  const decision = effectiveDecision(facts);
  const outcome = lastOutcome(facts);
  // The outcome of an earlier yes says nothing about a no that followed it.
  const answer = outcome !== undefined && outcome.number >= (decision?.number ?? 0) ? outcome : undefined;
  const outcomes = [...facts.outcomes.values()];
  const phase = snapshot && phaseOf(snapshot.state);
  if (snapshot !== undefined && (phase === "moving" || showsMatching(snapshot))) return "broadcast";
  if (outcomes.some(({ seen_broadcast, participants = 0 }) => seen_broadcast === true || participants > 0))
    return "broadcast";
  const wentOn =
    facts.firstBroadcast !== undefined || outcomes.some(({ kind }) => kind === "confirmed" || kind === "moved");
  const isNo = answer === undefined ? decision !== undefined && !confirms(decision) : answer.kind === "cancelled";
  // An end without agents also shows that nobody was asked, if the no's own answer was lost or went to another program.
  const asked = answer?.participants ?? (phase === "over" ? snapshot?.participants.length : undefined);
  if (isNo && asked !== undefined) return answer?.in_time && !wentOn ? "not_broadcast" : "nobody_asked";
  if (wentOn) return "broadcast";
  if (outcome !== undefined) return "not_known";
  return phase === "before" || phase === "asking" ? "not_broadcast" : "not_known";
}

/** Returns whether the backend's present text differs from the text that the decision sent. */
export const isOtherText = (decision: Decided, snapshot: Negotiation): boolean =>
  decision.text_hash !== undefined &&
  snapshot.demand_formulated !== null &&
  rememberedSha256(formulatedText(snapshot)) !== decision.text_hash;

/** Returns whether the text that is out, as the backend shows it now, differs from the confirmed text. */
export const showsOtherText = ({ decision }: Stage, snapshot: Negotiation): boolean =>
  isBroadcast(snapshot) && decision !== undefined && confirms(decision) && isOtherText(decision, snapshot);
