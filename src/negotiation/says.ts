import type { Negotiation } from "../backend/contract.ts";
import { type FeedEvidence, NO_EVIDENCE } from "../feed/evidence.ts";
import { known } from "../newer.ts";
import type { Author } from "../question/who.ts";
import { rememberedSha256 } from "../sha256.ts";
import {
  countOffers,
  formulatedText,
  hasPlan,
  hasScore,
  isBroadcast,
  isFallback,
  type OfferCount,
  phaseOf,
} from "./backend-states.ts";
import type { Decided } from "./facts.ts";
import { confirms, type Decision, type Reach, type Stage } from "./stage.ts";

/**
 * This file decides, for every surface, what is said about a negotiation. Only the backend's own answers count, never
 * what was merely written down to be done. The functions are pure, so the same facts and the same answer give the same
 * words everywhere. Which outcomes are still unreported is decided in records.ts.
 */

/**
 * What kind of yes stands. `none`: nobody said yes through this user's programs. `known`: the backend's answer showed
 * that the yes took effect. For the other kinds that answer was lost. `edit` is a yes to a text of the person's own,
 * even one that counted as lost. `in_time` and `late` are a yes to the backend's text: `in_time` if the text was first
 * seen to be out before the deadline, and `late` if it was not or if nobody knows.
 */
export type Yes = "none" | "known" | "edit" | "in_time" | "late";
/**
 * Which text is out. `confirmed`: the text that the person said yes to. `shown`: a text that the person was only shown,
 * or the text of the person's own demand about which nobody was asked. `other`: a text that the person was never shown. `unread`:
 * no text was seen after the broadcast.
 */
export type BroadcastText = "confirmed" | "shown" | "other" | "unread";
/**
 * Whose word broadcast the text. With `person` it was this person's yes. With `backend` it was the backend itself at
 * its deadline, or somebody else. `unclear` means that it may have been the person's yes. With `others` a text is out
 * that the person was never shown. With `replaced` the person's yes took effect, and yet another text is out. `Reach`
 * (stage.ts) says how far a text got, but not by whose word.
 */
export type Broadcast = "person" | "unclear" | "backend" | "others" | "replaced";

/**
 * Says whose word sent the text, from the yes that stands and the text that is out. The deadline cannot have sent a
 * text of the person's own.
 */
export const BROADCAST: Readonly<Record<Yes, Readonly<Record<BroadcastText, Broadcast>>>> = {
  none: { confirmed: "person", shown: "backend", other: "others", unread: "backend" },
  known: { confirmed: "person", shown: "replaced", other: "replaced", unread: "unclear" },
  edit: { confirmed: "person", shown: "backend", other: "others", unread: "unclear" },
  in_time: { confirmed: "person", shown: "backend", other: "others", unread: "unclear" },
  late: { confirmed: "unclear", shown: "backend", other: "others", unread: "unclear" },
};

/**
 * The effect of a no that stands. `known`: the backend's answer showed that the no took effect. `inferred`: that answer
 * was lost, and the negotiation is over. `unknown`: nothing shows the effect yet. `none`: the no had no effect, because
 * the backend went on or the negotiation was already over.
 */
type EffectOfNo = "known" | "inferred" | "unknown" | "none";

/** The reasons why a plan has no participants. With `no_participants` the reason is not known. */
export const ALONE = ["no_resonance", "not_compared", "empty_scene", "no_participants"] as const;
type Alone = (typeof ALONE)[number];

/**
 * How a negotiation that is over came to its end, as people read it. Every ending has its own sentence. It follows from
 * the `Stage`, the backend's answer and the written `Outcome` (facts.ts); an `Outcome` alone says only what came of one
 * decision.
 */
export type Ending =
  | "plan"
  | Alone
  | "all_left"
  | "no_offers"
  | "empty_plan"
  | "rejected"
  | "cancelled"
  /** A client cancelled the negotiation, and nobody can know whether the person wanted that. */
  | "cancelled_by_client"
  | "withdrawn"
  | "withdrawn_at_end"
  | "withdrawn_unconfirmed"
  | "ended_after_no"
  | "failed"
  /** A no was sent and the negotiation is over, but no answer shows how it ended. */
  | "ended_unseen"
  /** The negotiation is over, and nothing else is known. */
  | "ended"
  | "not_found";

/**
 * What was decided. With `client` a client cancelled, and nobody can know whether its person or its model wanted that.
 */
export type DecisionWord = Decided["kind"] | "client";

export const decisionWord = ({ kind, by }: Pick<Decided, "kind" | "by">): DecisionWord =>
  kind === "cancel" && by === "client" ? "client" : kind;

/** A decision, described by what came of it. */
export interface Told {
  /**
   * What was decided and what came of it. With `auto_confirmed` the backend went on without this user's decision. With
   * a word in `_pending` the effect of the decision is not known yet.
   */
  as: DecisionWord | `${DecisionWord}_pending` | "auto_confirmed" | "ended" | "not_found" | "none";
  by: Decided["by"] | "backend";
  /**
   * When the decision was made or the event was seen, in ms since the epoch. The field is undefined if the time is not
   * known.
   */
  at: number | undefined;
}

/**
 * The author of a text. With `others` the text came from outside this user's programs, and was never shown to the
 * person. The value is undefined if the author is not known.
 */
export type Writer = Author | "others" | undefined;

export interface Says<N extends Negotiation | undefined = Negotiation | undefined> {
  negotiation: N;
  stage: Stage;
  /** Whose word broadcast the text. The field is undefined as long as the text was not seen to be out. */
  broadcast: Broadcast | undefined;
  reach: Reach;
  /** The offers of all agents that the backend shows, however many of them a surface shows. */
  offers: OfferCount;
  /** How the negotiation ended. The field is undefined while the negotiation goes on. */
  ending: Ending | undefined;
  /**
   * True if a running program has sent a no and the backend shows an end. The effect of that no will be written in a
   * moment.
   */
  isBeingWithdrawn: boolean;
  /** The decision that stands, unless what was seen contradicts it. */
  decision: Decision | undefined;
  told: Told;
  /** The author of what was submitted, and the author of the text that would go out, goes out or went out. */
  writers: { submitted: Writer; text: Writer };
  /** Stable codes for what the person must know as well. Most of them have a sentence. */
  warnings: readonly WarningCode[];
  /** True if the result rests on less than it should, for example on a plan that the engine made without the Center. */
  isDegraded: boolean;
  /**
   * True if what went out, or how it ended, is not what the person decided. A broadcast that the person left to the
   * backend counts as wanted.
   */
  isUnwanted: boolean;
  /** True if the negotiation is over with a plan that has offers, and is not known to be unwanted. */
  hasSucceeded: boolean;
}

export interface SaysInput<N extends Negotiation | undefined = Negotiation | undefined> {
  /** What the backend showed. The field is undefined if the backend showed nothing. */
  negotiation: N;
  stage: Stage;
  evidence?: FeedEvidence;
  /** True if the result is about a decision that found the negotiation already gone on. */
  isLate?: boolean;
  /** True if the backend says that it does not know the negotiation. */
  isGone?: boolean;
  /**
   * True if a running program answers for the negotiation. If not, the ending follows from what is written down now.
   */
  isGuarded?: boolean;
}

/** Returns everything that surfaces say about one negotiation. */
export function says<N extends Negotiation | undefined>(input: SaysInput<N>): Says<N> {
  const { negotiation, stage } = input;
  const broadcast = broadcastOf(input);
  const effectOfNo = readEffectOfNo(stage, negotiation);
  const isBeingWithdrawn = input.isGuarded === true && isCarriedOut(stage, negotiation);
  const ending = isBeingWithdrawn ? undefined : endingOf(input, effectOfNo, broadcast !== undefined);
  const decision = standing(stage, broadcast, effectOfNo);
  const warnings = warningsOf({ ...input, broadcast, effectOfNo, ending, decision });
  const isUnwanted = warnings.some(
    (code) => WITHOUT_YES.includes(code) && !(code === "auto_confirmed" && isLeft(stage)),
  );
  return {
    negotiation,
    stage,
    broadcast,
    reach: stage.reach,
    offers: negotiation === undefined ? NO_OFFERS : countOffers(negotiation),
    ending,
    isBeingWithdrawn,
    decision,
    told: toldOf(stage, { broadcast, effectOfNo, decision, ending }),
    writers: writersOf(negotiation, stage, broadcast),
    warnings,
    isDegraded: isDegraded(warnings),
    isUnwanted,
    hasSucceeded: ending === "plan" && !isUnwanted && broadcast !== "unclear",
  };
}

const NO_OFFERS: OfferCount = { received: 0, exited: 0, total: 0 };

/** Returns the authors that were written down when the words arrived, never what anybody claims. */
function writersOf(negotiation: Negotiation | undefined, stage: Stage, broadcast: Broadcast | undefined) {
  const submitted = stage.isOwn ? stage.writtenBy : undefined;
  return { submitted, text: textWriter(negotiation, { ...stage, submitted }, broadcast) };
}

function textWriter(
  negotiation: Negotiation | undefined,
  {
    standingYes: yes,
    lostTexts,
    submitted,
  }: Pick<Stage, "standingYes" | "lostTexts"> & { submitted: Author | undefined },
  broadcast: Broadcast | undefined,
): Writer {
  if (broadcast === "others" || broadcast === "replaced") return "others";
  // Nobody knows which of the texts that died with their programs went out, nor who wrote it.
  if (broadcast === "person" && yes === undefined && lostTexts.length > 0) return undefined;
  if (broadcast !== "backend" && yes !== undefined) return known(yes.display?.author);
  return negotiation === undefined ? undefined : networksWriter(negotiation, submitted);
}

/** Returns the author of the text for a result, or null if the author is not known. */
export const writerIn = ({ writers: { text } }: Pick<Says, "writers">): Author | null =>
  text === undefined || text === "others" ? null : text;

/** Returns the author of what was decided on, for a result. The result is null for a no, because a no sends no text. */
export const writerDecided = (said: Pick<Says, "decision" | "writers">): Author | null =>
  said.decision !== undefined && confirms(said.decision) ? writerIn(said) : null;

/**
 * Returns the author of the backend's text. The author of the demand is also the author of a text that the backend left
 * unchanged.
 */
export const networksWriter = (negotiation: Negotiation, submitted: Author | undefined): Author | undefined =>
  formulatedText(negotiation) === negotiation.demand_raw ? submitted : "network";

/** Returns whether the person wanted silence to broadcast the text. */
const isLeft = ({ onUnconfirmed, isTainted }: Stage): boolean => onUnconfirmed === "leave" && !isTainted;

function broadcastOf({ negotiation, stage }: SaysInput): Broadcast | undefined {
  const isNow = negotiation !== undefined && isBroadcast(negotiation);
  const isSeen =
    stage.firstBroadcast !== undefined || (negotiation === undefined ? stage.reach === "broadcast" : isNow);
  if (!isSeen) return undefined;
  const shows =
    isNow && negotiation.demand_formulated !== null ? rememberedSha256(formulatedText(negotiation)) : undefined;
  const seen = [stage.firstBroadcast?.text_hash, stage.otherText, shows].filter((text) => text !== undefined);
  // No text was read after the yes was answered, so that answer is all that is known.
  const isAnswered = seen.length === 0 && negotiation === undefined && stage.standingYes?.isKnown === true;
  return BROADCAST[yesOf(stage, seen)][isAnswered ? "confirmed" : textOf(stage, seen)];
}

function yesOf({ standingYes: yes, lostTexts, firstBroadcast }: Stage, seen: readonly string[]): Yes {
  if (yes?.isKnown) return "known";
  if (lostTexts.some((text) => seen.includes(text))) return "edit";
  if (yes === undefined) return lostTexts.length > 0 ? "edit" : "none";
  if (yes.kind === "edit" && yes.text_hash !== yes.formulated_hash) return "edit";
  return firstBroadcast?.in_time === true ? "in_time" : "late";
}

/**
 * The texts that can be out, the furthest from the person's own text first. If several texts were seen after the
 * broadcast, the furthest one counts, because a later read may show the person's text again.
 */
const FURTHEST: readonly BroadcastText[] = ["other", "shown", "confirmed"];

function textOf(stage: Stage, seen: readonly string[]): BroadcastText {
  const found = seen.map((text) => relationOf(text, stage));
  return FURTHEST.find((relation) => found.includes(relation)) ?? "unread";
}

function relationOf(text: string, { standingYes: yes, lostTexts, questions, isOwn }: Stage): BroadcastText {
  if (yes !== undefined && (yes.text_hash ?? text) === text) return "confirmed";
  if (yes?.isKnown !== true && lostTexts.includes(text)) return "confirmed";
  // The person was shown no text, so no text can differ from what was shown.
  if (questions.length === 0 && yes === undefined && isOwn) return "shown";
  const isShown = questions.some(({ shown_hash, formulated_hash }) => [shown_hash, formulated_hash].includes(text));
  return isShown ? "shown" : "other";
}

function readEffectOfNo(stage: Stage, negotiation: Negotiation | undefined): EffectOfNo | undefined {
  const { decision, name } = stage;
  if (decision === undefined || confirms(decision)) return undefined;
  const outcome = "outcome" in stage ? stage.outcome : undefined;
  if (name === "moving" || (negotiation?.plan_output ?? null) !== null) return "none";
  if (outcome?.kind === "ended") return "none";
  if (outcome?.kind === "cancelled") return outcome.inferred ? "inferred" : "known";
  return "unknown";
}

/** Returns whether the backend shows an end after a no whose effect is not written down yet. */
export const isCarriedOut = (stage: Stage, negotiation: Negotiation | undefined): boolean =>
  stage.name === "over" && negotiation !== undefined && readEffectOfNo(stage, negotiation) === "unknown";

function endingOf(
  { negotiation: n, stage, isGone, evidence }: SaysInput,
  effectOfNo: EffectOfNo | undefined,
  wentOut: boolean,
): Ending | undefined {
  if (isGone === true || stage.name === "not_found") return (effectOfNo === "known" && takenBack(stage)) || "not_found";
  if (n === undefined) return stage.name === "over" ? writtenEnding(stage, effectOfNo) : undefined;
  if (stage.name !== "over" && phaseOf(n.state) !== "over") return undefined;
  if (hasPlan(n)) return planEnding(n, evidence);
  // If agents had been found and had answered, the backend may also have failed by itself.
  const mayHaveFailed = effectOfNo !== "known" && wentOut && n.center_rounds > 0;
  const isNo = effectOfNo !== undefined && effectOfNo !== "none";
  if (isNo && mayHaveFailed) return "ended_after_no";
  return (isNo && takenBack(stage)) || (n.plan_output === null ? "failed" : "empty_plan");
}

/** Returns how the negotiation ended, from the facts alone. */
function writtenEnding(stage: Stage, effectOfNo: EffectOfNo | undefined): Ending {
  const asked = "outcome" in stage ? stage.outcome?.participants : undefined;
  if (effectOfNo === "known" || (effectOfNo === "inferred" && asked === 0)) return takenBack(stage) ?? "ended";
  return effectOfNo === "inferred" ? "ended_unseen" : "ended";
}

function planEnding(n: Negotiation, evidence?: FeedEvidence): Ending {
  const { received, exited, total } = countOffers(n);
  if (total === 0) return aloneBy(evidence);
  if (received > 0) return "plan";
  return exited === total ? "all_left" : "no_offers";
}

/**
 * Returns why nobody is in the plan. The engine reports every comparison, so if the feed was received both before and
 * after the comparison and shows none, there was none.
 */
function aloneBy({ compared, othersInScene, formulation, centerCalls, plan }: FeedEvidence = NO_EVIDENCE): Alone {
  if (compared) return "no_resonance";
  if (othersInScene === 0) return "empty_scene";
  const isHeard = formulation !== undefined && (centerCalls.length > 0 || plan !== undefined);
  return isHeard ? "not_compared" : "no_participants";
}

/** Returns the ending to which the standing no led. */
function takenBack({ decision, yesSaid }: Stage): Ending | undefined {
  const word = decision && decisionWord(decision);
  if (word === "reject") return "rejected";
  if (word === "cancel") return "cancelled";
  if (word === "client") return "cancelled_by_client";
  if (decision?.kind !== "withdraw") return undefined;
  if (yesSaid === "without_effect_seen") return "withdrawn_unconfirmed";
  return decision.by === "shutdown" ? "withdrawn_at_end" : "withdrawn";
}

/** Returns the decision that stands, unless it proved to have had no effect. */
function standing(
  { decision, standingYes: yes }: Stage,
  broadcast: Broadcast | undefined,
  effectOfNo: EffectOfNo | undefined,
) {
  const isOvertaken = broadcast === "backend" || broadcast === "others";
  const ownYes = isOvertaken ? undefined : yes;
  if (decision === undefined || effectOfNo === "none") return ownYes;
  return confirms(decision) ? ownYes : decision;
}

interface Seen {
  broadcast: Broadcast | undefined;
  effectOfNo: EffectOfNo | undefined;
  decision: Decision | undefined;
  ending: Ending | undefined;
}

function toldOf(stage: Stage, { broadcast, effectOfNo, decision, ending }: Seen): Told {
  const outcome = "outcome" in stage ? stage.outcome : undefined;
  if (decision !== undefined && !isOverheard(broadcast, effectOfNo)) {
    const isPending = effectOfNo === "unknown" || (stage.name === "confirming" && broadcast === undefined);
    const word = decisionWord(decision);
    const as = isPending && ending === undefined ? (`${word}_pending` as const) : word;
    return { as, by: decision.by, at: decision.at };
  }
  const at = stage.firstBroadcast?.at ?? outcome?.at;
  if (broadcast !== undefined) return { as: "auto_confirmed", by: "backend", at };
  return { as: stage.name === "not_found" ? "not_found" : stage.name === "over" ? "ended" : "none", by: "backend", at };
}

/** Returns whether a no had no visible effect while the backend went on without anybody's yes. */
const isOverheard = (broadcast: Broadcast | undefined, effectOfNo: EffectOfNo | undefined): boolean =>
  effectOfNo === "unknown" && (broadcast === "backend" || broadcast === "others");

interface Row extends SaysInput, Seen {}

const isTaken = ({ effectOfNo }: Pick<Row, "effectOfNo">): boolean =>
  effectOfNo === "known" || effectOfNo === "inferred";
const isBy = ({ broadcast }: Pick<Row, "broadcast">, ...words: readonly Broadcast[]): boolean =>
  broadcast !== undefined && words.includes(broadcast);
const isPersons = (decision: Decision | undefined): boolean => decision !== undefined && decision.kind !== "withdraw";

/**
 * Returns whether the backend went on without this user's yes to that text. That does not count if nobody was asked,
 * because the negotiation was stopped before the broadcast mattered.
 */
const wentAlone = (row: Row): boolean =>
  row.stage.isOwn && isBy(row, "backend", "others") && row.stage.reach !== "nobody_asked";

/** Returns whether the person's decision had no effect, because the backend was quicker or the negotiation was over. */
function wasLate({ stage, isLate = false, broadcast, effectOfNo, decision }: Row): boolean {
  const { standingYes: yes, lateDecision } = stage;
  if (effectOfNo === "none" && isPersons(stage.decision)) return true;
  if (decision === undefined && (isLate || lateDecision !== undefined)) return true;
  return yes !== undefined && !yes.isKnown && isBy({ broadcast }, "backend", "others");
}

/** Returns whether a cancel came too late to stop what the person had sent. */
const wasCancelLate = ({ stage, effectOfNo }: Row): boolean =>
  (effectOfNo === "none" && isPersons(stage.decision)) ||
  (stage.lateDecision !== undefined && !confirms(stage.lateDecision));

/** The condition for each warning. The warnings are reported in this order. */
const WARNINGS = {
  unknown_state: ({ negotiation: n }) => n !== undefined && phaseOf(n.state) === "unknown",
  decision_pending: ({ stage, ending }) =>
    ending === undefined && (stage.name === "confirming" || stage.name === "cancelling"),
  // The loss is reported on every read, because readers would otherwise take the network's text for the one that they
  // had written.
  edit_lost: ({ stage, ending }) => ending === undefined && stage.name === "asking" && stage.lostTexts.length > 0,
  yes_or_deadline: (row) => isBy(row, "unclear"),
  confirmed_text_mismatch: (row) => isBy(row, "replaced"),
  confirmed_by_argument: (row) =>
    row.stage.standingYes?.by === "argument" && isOutOrOver(row) && !isTaken(row) && !isBy(row, "backend", "others"),
  decision_too_late: (row) => wasLate(row) && (isBy(row, "backend", "others") || isOthersOut(row)),
  cancel_too_late: (row) =>
    wasCancelLate(row) && isBy(row, "person", "unclear", "replaced") && row.ending !== undefined,
  auto_confirmed: wentAlone,
  withdrawn_late: (row) => {
    const outcome = "outcome" in row.stage ? row.stage.outcome : undefined;
    const isLate = outcome?.late === true || (isBy(row, "backend", "others") && row.stage.reach === "nobody_asked");
    const isTold = isTaken(row) && row.ending !== "ended_after_no";
    return isTold && isLate && row.stage.yesSaid !== "with_effect" && !wentAlone(row);
  },
  other_text_broadcast: (row) => row.stage.isOwn && isBy(row, "others") && row.stage.reach !== "nobody_asked",
  degraded_resonance: (row) =>
    row.negotiation !== undefined && isOutOrOver(row) && isResonanceDegraded(row.negotiation),
  sub_negotiation_open: ({ negotiation: n }) => n !== undefined && n.sub_session_ids.length > 0,
  degraded_formulation: isFormulationDegraded,
  plan_missing: ({ negotiation: n, ending }) =>
    n !== undefined && !hasPlan(n) && (ending === "failed" || ending === "empty_plan" || ending === "ended_after_no"),
  plan_fallback: ({ negotiation: n }) => n !== undefined && isFallback(n),
  no_resonance: (row) => aloneIn(row) === "no_resonance",
  not_compared: (row) => aloneIn(row) === "not_compared",
  empty_scene: (row) => aloneIn(row) === "empty_scene",
  no_participants: (row) => aloneIn(row) === "no_participants",
  agents_exited: ({ negotiation: n, ending }) =>
    ending !== undefined && n?.plan_output != null && total(n) > 0 && countOffers(n).exited === total(n),
  offer_missing: ({ negotiation: n, ending }) =>
    ending !== undefined && n?.plan_output != null && countOffers(n).exited < total(n) && countOffers(n).received === 0,
} satisfies Readonly<Record<string, (row: Row) => boolean>>;

export type WarningCode = keyof typeof WARNINGS;
/** All warnings about a negotiation, in the order in which they are reported. */
export const WARNING_CODES = Object.keys(WARNINGS) as readonly WarningCode[];

/** Returns why the finished negotiation has no participants. That also matters for an empty plan. */
const aloneIn = ({ negotiation: n, ending, evidence }: Row): Alone | undefined =>
  ending !== undefined && n?.plan_output != null && total(n) === 0 ? aloneBy(evidence) : undefined;

const total = (n: Negotiation): number => n.participants.length;

/** Returns whether a text is out that was submitted elsewhere, so that no program of this user can have sent it. */
const isOthersOut = ({ stage, broadcast }: Row): boolean => !stage.isOwn && broadcast !== undefined;

const isOutOrOver = ({ negotiation: n, ending }: Row): boolean =>
  n !== undefined && (isBroadcast(n) || (ending !== undefined && phaseOf(n.state) === "over"));

/**
 * Returns whether the text is the unchanged demand although the person did not choose that. The result is false if the
 * feed reports that the network worked on the demand and left it as it was, or if somebody else put the text there.
 */
function isFormulationDegraded(row: Row): boolean {
  const { negotiation: n, stage, evidence = NO_EVIDENCE } = row;
  if (n === undefined || phaseOf(n.state) === "before" || n.demand_formulated !== n.demand_raw) return false;
  const isOwnText =
    stage.standingYes?.kind === "edit" && stage.standingYes.text_hash !== stage.standingYes.formulated_hash;
  const isLostEdit = isBy(row, "person") && stage.standingYes === undefined;
  if (isOwnText || isLostEdit || isTaken(row) || isBy(row, "others", "replaced")) return false;
  return evidence.formulation?.degraded !== false;
}

/**
 * Returns whether every agent has the score 0. The engine gives that score if it cannot compare texts, and then nobody
 * was chosen and everybody was asked. Missing scores prove nothing.
 */
export const isResonanceDegraded = ({ participants }: Negotiation): boolean =>
  participants.length > 0 && participants.every((one) => one.resonance_score === 0 && hasScore(one));

const warningsOf = (row: Row): WarningCode[] => WARNING_CODES.filter((code) => WARNINGS[code](row));

/** The warnings which mean that what went out, or how it ended, is not what the person decided. */
const WITHOUT_YES: readonly string[] = [
  "auto_confirmed",
  "decision_too_late",
  "cancel_too_late",
  "other_text_broadcast",
  "confirmed_text_mismatch",
];

const DEGRADED: readonly string[] = [
  ...WITHOUT_YES,
  "yes_or_deadline",
  "degraded_resonance",
  "degraded_formulation",
  "plan_missing",
  "plan_fallback",
  ...ALONE,
  "agents_exited",
  "offer_missing",
];

/** Returns whether a result with these warnings is degraded, which means that it rests on less than it should. */
export const isDegraded = (warnings: readonly string[]): boolean => warnings.some((code) => DEGRADED.includes(code));
