import type { Negotiation } from "../backend/contract.ts";
import { type FeedEvidence, NO_EVIDENCE } from "../feed/evidence.ts";
import { known } from "../newer.ts";
import type { Author } from "../question/who.ts";
import {
  countOffers,
  formulatedText,
  hasPlan,
  hasScore,
  isFallback,
  isOut,
  type OfferCount,
  phaseOf,
} from "./backend-states.ts";
import type { Decided } from "./facts.ts";
import { confirms, type Decision, type Reach, type Stage } from "./stage.ts";

/**
 * This file decides for every surface what is said of a negotiation. Only the backend's own answers count, never what
 * was written down to be done. Pure: the same facts and answer give the same words everywhere. (records.ts knows which
 * outcomes are still unreported.)
 */

/**
 * A yes that stands. `known`: the backend answered that it has it. Otherwise its answer was lost: `edit` is a yes to a
 * text of the person's own, even one that counted as lost; `in_time` and `late` are to the backend's text, first seen
 * out before or after the deadline.
 */
export type Yes = "none" | "known" | "edit" | "in_time" | "late";
/** Says which text is out: the one that the person said yes to, one that they were shown, or another. */
export type TextOut = "agreed" | "shown" | "other" | "unread";
/** Says whose word broadcast it. `backend`: its deadline's, or somebody else's. `unclear`: perhaps the person's. */
export type Broadcast = "person" | "unclear" | "backend" | "others" | "replaced";

/** Derives whose word sent the text. The deadline cannot have sent a text of the person's own. */
export const BROADCAST: Readonly<Record<Yes, Readonly<Record<TextOut, Broadcast>>>> = {
  none: { agreed: "person", shown: "backend", other: "others", unread: "backend" },
  known: { agreed: "person", shown: "replaced", other: "replaced", unread: "unclear" },
  edit: { agreed: "person", shown: "backend", other: "others", unread: "unclear" },
  in_time: { agreed: "person", shown: "backend", other: "others", unread: "unclear" },
  late: { agreed: "unclear", shown: "backend", other: "others", unread: "unclear" },
};

/**
 * A no that stands. `inferred`: its answer was lost, and it is over. `none`: the backend went on, or was over before.
 */
type NoEffect = "known" | "inferred" | "unknown" | "none";

/** The plan has no participants for one of these reasons. `no_participants`: the reason is not known. */
export const ALONE = ["no_resonance", "not_compared", "empty_scene", "no_participants"] as const;
type Alone = (typeof ALONE)[number];

/** Each way to end has its sentence. */
export type Ending =
  | "plan"
  | Alone
  | "all_left"
  | "no_offers"
  | "empty_plan"
  | "rejected"
  | "cancelled"
  /** Nobody can know whether the person wanted that. */
  | "cancelled_by_client"
  | "withdrawn"
  | "withdrawn_at_end"
  | "withdrawn_unconfirmed"
  | "ended_after_no"
  | "failed"
  /** A no was sent and it is over, but no answer shows how. */
  | "ended_unseen"
  /** It is only known to be over. */
  | "ended"
  | "not_found";

/** Says what was decided. `client`: a client cancelled, which is neither its person's word nor its model's. */
export type DecisionWord = Decided["kind"] | "client";

export const decisionWord = ({ kind, by }: Pick<Decided, "kind" | "by">): DecisionWord =>
  kind === "cancel" && by === "client" ? "client" : kind;

/** Describes a decision by what came of it. */
export interface Told {
  /** `auto_confirmed`: the backend went on without this user's decision. `pending`: the effect is not known yet. */
  as: DecisionWord | `${DecisionWord}_pending` | "auto_confirmed" | "ended" | "not_found" | "none";
  by: Decided["by"] | "backend";
  /** In ms since the epoch. Undefined where it is not known. */
  at: number | undefined;
}

/** Names the author of a text. `others`: somebody who is not known here. Undefined where nobody here knows. */
export type Writer = Author | "others" | undefined;

export interface Says<N extends Negotiation | undefined = Negotiation | undefined> {
  negotiation: N;
  stage: Stage;
  /** Undefined while nothing beyond the text was seen. */
  broadcast: Broadcast | undefined;
  reach: Reach;
  /** Counts the offers of all agents that the backend shows, however many a surface shows. */
  offers: OfferCount;
  /** Undefined while it goes on. */
  ending: Ending | undefined;
  /** A running program has sent a no, and the backend shows an end. What came of that no is written in a moment. */
  isBeingWithdrawn: boolean;
  /** The decision that stands, unless what was seen contradicts it. */
  decision: Decision | undefined;
  told: Told;
  /** Says who wrote what was submitted, and who wrote the text that would go out, goes out or went out. */
  writers: { submitted: Writer; text: Writer };
  /** A person must know these stable codes too. Most have a sentence. */
  warnings: readonly WarningCode[];
  /** It stands on less than it should. */
  isDegraded: boolean;
  /** What went out, or how it ended, is not what the person decided. What they left to the backend is wanted. */
  isUnwanted: boolean;
  /** It is over with a plan that has offers, and is not known to be unwanted. */
  hasSucceeded: boolean;
}

export interface SaysInput<N extends Negotiation | undefined = Negotiation | undefined> {
  /** The backend showed this. Undefined where it shows nothing. */
  negotiation: N;
  stage: Stage;
  /** Texts are compared by this. */
  hash: (text: string) => string;
  evidence?: FeedEvidence;
  /** The result is about a decision that found the negotiation gone on. */
  isLate?: boolean;
  /** The backend says that it does not know it. */
  isGone?: boolean;
  /** A running program answers for it. Without this, the end is given by what is written now. */
  isWatched?: boolean;
}

/** Returns everything that is true of one negotiation. */
export function says<N extends Negotiation | undefined>(input: SaysInput<N>): Says<N> {
  const { negotiation, stage } = input;
  const broadcast = broadcastOf(input);
  const noEffect = noEffectOf(stage, negotiation);
  const isBeingWithdrawn = input.isWatched === true && isCarriedOut(stage, negotiation);
  const ending = isBeingWithdrawn ? undefined : endingOf(input, noEffect, broadcast !== undefined);
  const decision = standing(stage, broadcast, noEffect);
  const warnings = warningsOf({ ...input, broadcast, noEffect, ending, decision });
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
    told: toldOf(stage, { broadcast, noEffect, decision, ending }),
    writers: writersOf(negotiation, stage, broadcast),
    warnings,
    isDegraded: isDegraded(warnings),
    isUnwanted,
    hasSucceeded: ending === "plan" && !isUnwanted && broadcast !== "unclear",
  };
}

const NO_OFFERS: OfferCount = { received: 0, exited: 0, total: 0 };

/** Finds the authors by what was written down when the words came, never by what somebody claims. */
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
  // It is not known which of the texts that died with their programs went out, nor whose it was.
  if (broadcast === "person" && yes === undefined && lostTexts.length > 0) return undefined;
  if (broadcast !== "backend" && yes !== undefined) return known(yes.display?.author);
  return negotiation === undefined ? undefined : networksWriter(negotiation, submitted);
}

/** Names the author of the text for a result. An unknown author is not named. */
export const writerIn = ({ writers: { text } }: Pick<Says, "writers">): Author | null =>
  text === undefined || text === "others" ? null : text;

/** Names the author of what was decided on for a result. A no sends no text. */
export const writerDecided = (said: Pick<Says, "decision" | "writers">): Author | null =>
  said.decision !== undefined && confirms(said.decision) ? writerIn(said) : null;

/** Names the author of the backend's text: whoever submitted it, if the backend left it unchanged. */
export const networksWriter = (negotiation: Negotiation, submitted: Author | undefined): Author | undefined =>
  formulatedText(negotiation) === negotiation.demand_raw ? submitted : "network";

/** Returns whether the person wanted silence to broadcast it. */
const isLeft = ({ onUnconfirmed, isTainted }: Stage): boolean => onUnconfirmed === "leave" && !isTainted;

function broadcastOf({ negotiation, stage, hash }: SaysInput): Broadcast | undefined {
  const isNow = negotiation !== undefined && isOut(negotiation);
  const isSeen = stage.firstOut !== undefined || (negotiation === undefined ? stage.reach === "broadcast" : isNow);
  if (!isSeen) return undefined;
  const shows = isNow && negotiation.demand_formulated !== null ? hash(formulatedText(negotiation)) : undefined;
  const seen = [stage.firstOut?.text_hash, stage.otherText, shows].filter((text) => text !== undefined);
  // Nothing was seen after this answer, so it is all that is known.
  const isAnswered = seen.length === 0 && negotiation === undefined && stage.standingYes?.isKnown === true;
  return BROADCAST[yesOf(stage, seen)][isAnswered ? "agreed" : textOf(stage, seen)];
}

function yesOf({ standingYes: yes, lostTexts, firstOut }: Stage, seen: readonly string[]): Yes {
  if (yes?.isKnown) return "known";
  if (lostTexts.some((text) => seen.includes(text))) return "edit";
  if (yes === undefined) return lostTexts.length > 0 ? "edit" : "none";
  if (yes.kind === "edit" && yes.text_hash !== yes.formulated_hash) return "edit";
  return firstOut?.in_time === true ? "in_time" : "late";
}

/**
 * Of all texts that were seen out, the one least like the person's counts, since a later look may show theirs again.
 */
const FURTHEST: readonly TextOut[] = ["other", "shown", "agreed"];

function textOf(stage: Stage, seen: readonly string[]): TextOut {
  const found = seen.map((text) => relationOf(text, stage));
  return FURTHEST.find((relation) => found.includes(relation)) ?? "unread";
}

function relationOf(text: string, { standingYes: yes, lostTexts, questions, isOwn }: Stage): TextOut {
  if (yes !== undefined && (yes.text_hash ?? text) === text) return "agreed";
  if (yes?.isKnown !== true && lostTexts.includes(text)) return "agreed";
  // Nobody was shown a text, so none counts as another one.
  if (questions.length === 0 && yes === undefined && isOwn) return "shown";
  const isShown = questions.some(({ shown_hash, formulated_hash }) => [shown_hash, formulated_hash].includes(text));
  return isShown ? "shown" : "other";
}

function noEffectOf(stage: Stage, negotiation: Negotiation | undefined): NoEffect | undefined {
  const { decision, name } = stage;
  if (decision === undefined || confirms(decision)) return undefined;
  const outcome = "outcome" in stage ? stage.outcome : undefined;
  if (name === "moving" || (negotiation?.plan_output ?? null) !== null) return "none";
  if (outcome?.kind === "ended") return "none";
  if (outcome?.kind === "cancelled") return outcome.inferred ? "inferred" : "known";
  return "unknown";
}

/** Returns whether the backend shows an end after a no whose effect is not written yet. */
export const isCarriedOut = (stage: Stage, negotiation: Negotiation | undefined): boolean =>
  stage.name === "over" && negotiation !== undefined && noEffectOf(stage, negotiation) === "unknown";

function endingOf(
  { negotiation: n, stage, isGone, evidence }: SaysInput,
  noEffect: NoEffect | undefined,
  wentOut: boolean,
): Ending | undefined {
  if (isGone === true || stage.name === "not_found") return (noEffect === "known" && takenBack(stage)) || "not_found";
  if (n === undefined) return stage.name === "over" ? writtenEnding(stage, noEffect) : undefined;
  if (stage.name !== "over" && phaseOf(n.state) !== "over") return undefined;
  if (hasPlan(n)) return planEnding(n, evidence);
  // Once agents were found and had answered, the backend may also have failed by itself.
  const mayHaveFailed = noEffect !== "known" && wentOut && n.center_rounds > 0;
  const isNo = noEffect !== undefined && noEffect !== "none";
  if (isNo && mayHaveFailed) return "ended_after_no";
  return (isNo && takenBack(stage)) || (n.plan_output === null ? "failed" : "empty_plan");
}

/** Returns how it ended, where only the facts show that. */
function writtenEnding(stage: Stage, noEffect: NoEffect | undefined): Ending {
  const asked = "outcome" in stage ? stage.outcome?.participants : undefined;
  if (noEffect === "known" || (noEffect === "inferred" && asked === 0)) return takenBack(stage) ?? "ended";
  return noEffect === "inferred" ? "ended_unseen" : "ended";
}

function planEnding(n: Negotiation, evidence?: FeedEvidence): Ending {
  const { received, exited, total } = countOffers(n);
  if (total === 0) return aloneBy(evidence);
  if (received > 0) return "plan";
  return exited === total ? "all_left" : "no_offers";
}

/** The engine reports every comparison, so a feed that was received on both sides of it proves that there was none. */
function aloneBy({ compared, othersInScene, formulation, centerCalls, plan }: FeedEvidence = NO_EVIDENCE): Alone {
  if (compared) return "no_resonance";
  if (othersInScene === 0) return "empty_scene";
  const isHeard = formulation !== undefined && (centerCalls.length > 0 || plan !== undefined);
  return isHeard ? "not_compared" : "no_participants";
}

/** Returns the ending that the standing no led to. */
function takenBack({ decision, yesSaid }: Stage): Ending | undefined {
  const word = decision && decisionWord(decision);
  if (word === "reject") return "rejected";
  if (word === "cancel") return "cancelled";
  if (word === "client") return "cancelled_by_client";
  if (decision?.kind !== "withdraw") return undefined;
  if (yesSaid === "without_effect_seen") return "withdrawn_unconfirmed";
  return decision.by === "shutdown" ? "withdrawn_at_end" : "withdrawn";
}

/** Returns what was decided, unless it proved to have had no effect. */
function standing(
  { decision, standingYes: yes }: Stage,
  broadcast: Broadcast | undefined,
  noEffect: NoEffect | undefined,
) {
  const isOvertaken = broadcast === "backend" || broadcast === "others";
  const ownYes = isOvertaken ? undefined : yes;
  if (decision === undefined || noEffect === "none") return ownYes;
  return confirms(decision) ? ownYes : decision;
}

interface Seen {
  broadcast: Broadcast | undefined;
  noEffect: NoEffect | undefined;
  decision: Decision | undefined;
  ending: Ending | undefined;
}

function toldOf(stage: Stage, { broadcast, noEffect, decision, ending }: Seen): Told {
  const outcome = "outcome" in stage ? stage.outcome : undefined;
  if (decision !== undefined && !isOverheard(broadcast, noEffect)) {
    const isPending = noEffect === "unknown" || (stage.name === "confirming" && broadcast === undefined);
    const word = decisionWord(decision);
    const as = isPending && ending === undefined ? (`${word}_pending` as const) : word;
    return { as, by: decision.by, at: decision.at };
  }
  const at = stage.firstOut?.at ?? outcome?.at;
  if (broadcast !== undefined) return { as: "auto_confirmed", by: "backend", at };
  return { as: stage.name === "not_found" ? "not_found" : stage.name === "over" ? "ended" : "none", by: "backend", at };
}

/** Returns whether a no had no visible effect while the backend went on without anybody's yes. */
const isOverheard = (broadcast: Broadcast | undefined, noEffect: NoEffect | undefined): boolean =>
  noEffect === "unknown" && (broadcast === "backend" || broadcast === "others");

interface Row extends SaysInput, Seen {}

const isTaken = ({ noEffect }: Pick<Row, "noEffect">): boolean => noEffect === "known" || noEffect === "inferred";
const isBy = ({ broadcast }: Pick<Row, "broadcast">, ...words: readonly Broadcast[]): boolean =>
  broadcast !== undefined && words.includes(broadcast);
const isPersons = (decision: Decision | undefined): boolean => decision !== undefined && decision.kind !== "withdraw";

/**
 * Returns whether the backend went on without this user's yes to that text. `nobody_asked`: it was stopped before that
 * mattered.
 */
const wentAlone = (row: Row): boolean =>
  row.stage.isOwn && isBy(row, "backend", "others") && row.stage.reach !== "nobody_asked";

/** Returns whether the person's decision had no effect, because the backend was quicker or it was over. */
function wasLate({ stage, isLate = false, broadcast, noEffect, decision }: Row): boolean {
  const { standingYes: yes, lateDecision } = stage;
  if (noEffect === "none" && isPersons(stage.decision)) return true;
  if (decision === undefined && (isLate || lateDecision !== undefined)) return true;
  return yes !== undefined && !yes.isKnown && isBy({ broadcast }, "backend", "others");
}

/** Returns whether a cancel came too late for what the person themselves had sent. */
const wasCancelLate = ({ stage, noEffect }: Row): boolean =>
  (noEffect === "none" && isPersons(stage.decision)) ||
  (stage.lateDecision !== undefined && !confirms(stage.lateDecision));

/** The warnings are reported in this order. */
const WARNINGS = {
  unknown_state: ({ negotiation: n }) => n !== undefined && phaseOf(n.state) === "unknown",
  decision_pending: ({ stage, ending }) =>
    ending === undefined && (stage.name === "confirming" || stage.name === "cancelling"),
  // This is said more than once: readers would take the network's text for the one that they had changed.
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
/** Lists every warning about a negotiation, in the order in which they are reported. */
export const WARNING_CODES = Object.keys(WARNINGS) as readonly WarningCode[];

/** An empty plan counts as well, since it is as important to know why nobody is in it. */
const aloneIn = ({ negotiation: n, ending, evidence }: Row): Alone | undefined =>
  ending !== undefined && n?.plan_output != null && total(n) === 0 ? aloneBy(evidence) : undefined;

const total = (n: Negotiation): number => n.participants.length;

/** It was submitted elsewhere, so nobody here can have decided what went out. */
const isOthersOut = ({ stage, broadcast }: Row): boolean => !stage.isOwn && broadcast !== undefined;

const isOutOrOver = ({ negotiation: n, ending }: Row): boolean =>
  n !== undefined && (isOut(n) || (ending !== undefined && phaseOf(n.state) === "over"));

/**
 * Returns whether the text is the demand unchanged, and nobody here wrote that, unless the feed says that the network
 * worked on it and left it so, or somebody else put it there.
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
 * Returns whether every agent has the score 0, as the engine gives when it cannot compare texts: nobody was chosen,
 * everybody was asked. Missing scores prove nothing.
 */
export const isResonanceDegraded = ({ participants }: Negotiation): boolean =>
  participants.length > 0 && participants.every((one) => one.resonance_score === 0 && hasScore(one));

const warningsOf = (row: Row): WarningCode[] => WARNING_CODES.filter((code) => WARNINGS[code](row));

/** These mean that what went out, or how it ended, is not what the person decided. */
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

/** Returns whether a result with these warnings stands on less than it should. */
export const isDegraded = (warnings: readonly string[]): boolean => warnings.some((code) => DEGRADED.includes(code));
