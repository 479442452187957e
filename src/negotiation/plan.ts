import { NEWER } from "../newer.ts";
import { isUndecided, type Stage } from "./stage.ts";

export type Step =
  | { do: "wait"; ms: number }
  | { do: "read" }
  /** Writes down that this program would answer for it when its current program ends. */
  | { do: "offer" }
  /** Answers for it from now on, in place of a program that is gone. */
  | { do: "adopt" }
  /** Writes down that nobody decided in time. */
  | { do: "withdraw"; by: "guard" | "shutdown" }
  | { do: "confirm" }
  | { do: "cancel" }
  /** Writes down what the backend shows. */
  | { do: "conclude" }
  /** The decision had no effect, or its text is gone, so the question is open again. */
  | { do: "undo"; why: "no_effect" | "edit_lost" }
  /** The backend does not know it, and is believed. */
  | { do: "abandon" }
  /** Nothing is left for this program to do. */
  | { do: "idle" };

/** Holds what this program has seen, beside facts and snapshot. Times are in milliseconds. */
export interface PlanInput {
  /**
   * The least time until the backend confirms by itself, allowing for errors of clock and timers. Undefined when not
   * known.
   */
  leftMs: number | undefined;
  /** The most time until then. */
  leftAtMostMs: number | undefined;
  /** This program is the one that answers. */
  isMine: boolean;
  /** Another program answers and seems to be running. */
  isOwnerAlive: boolean;
  /** This program has offered to answer for it after that one, or need not try. */
  isOffered: boolean;
  /** The time since that program wrote that it answers, by the clock, whichever way that was set. */
  ownerAgeMs: number;
  /** The time since the last answered read began. Undefined before the first. */
  sinceReadMs: number | undefined;
  /** The time since that answer came. */
  sinceAnswerMs: number | undefined;
  /** The time since it was last asked, answered or not. */
  sinceRequestMs: number | undefined;
  /** The time since that request was over. Undefined before the first. */
  sinceRequestEndMs: number | undefined;
  /** The backend has said for this long that it does not know it. Undefined when it knows it. */
  notFoundMs: number | undefined;
  /** The time since the standing decision was written, by the clock, whichever way that was set. */
  decisionAgeMs: number;
  /** This program has tried this for the standing decision. */
  attempt: Attempt;
  /**
   * Says what is known of the text that the decision sends: `ready` is at hand, or is the backend's own; `unread`
   * before the backend's is read; `changed` where the backend's is no longer the one decided on; `lost` where only a
   * dead program had it.
   */
  text: "ready" | "unread" | "changed" | "lost";
  /** It was just decided in this program, after the text was read. */
  isDecidedHere: boolean;
  /** The program ends and withdraws what is undecided. */
  isWithdrawingAtEnd: boolean;
}

export interface Attempt {
  count: number;
  /** Says how the last try went: refused for the moment, failed for certain, or unknown. */
  last: "none" | "busy" | "failed" | "unknown";
  sinceMs: number;
  /** The time since its answer was lost. */
  sinceLossMs: number;
}

/**
 * Returns what the program does next about one negotiation. Pure: it depends on where the negotiation stands, what
 * this program has seen, and the policy.
 */
export function next(stage: Stage, input: PlanInput, policy: Policy): Step {
  if (isSettled(stage, input.leftMs)) return idle;
  // A newer program's decision is its own to carry out, and to end.
  if (stage.decision?.kind === NEWER)
    return stage.name === "over" || input.isWithdrawingAtEnd ? idle : readEvery(input, TIMES.lateRetryMs);
  if ((stage.name === "over" || stage.name === "moving") && stage.decision === undefined) return { do: "conclude" };
  if (!input.isMine) {
    if (policy.isDry) return idle;
    const isOnlyPassing = policy.isOneShot === true && stage.decision === undefined;
    return input.isOwnerAlive || isOnlyPassing ? standBy(stage, input, policy) : { do: "adopt" };
  }
  switch (stage.name) {
    case "not_found":
      return idle;
    case "over":
    case "moving":
      return { do: "conclude" };
    case "formulating":
    case "asking":
      return guardDeadline(stage, input, policy);
    case "cancelling":
      return cancelUntilDone(input, policy);
    case "confirming":
      return confirmUntilSeen(stage, input, policy);
  }
}

/**
 * Returns whether no program has anything left to do about it. `leftMs` is the time until the backend goes on by
 * itself.
 */
export function isSettled(stage: Stage, leftMs: number | undefined): boolean {
  if (stage.name === "not_found" || (leftMs ?? 0) < -TIMES.givenUpAfterMs) return true;
  return (stage.name === "over" || stage.name === "moving") && isWritten(stage);
}

/** Returns whether the facts record what was seen, and the last decision's effect. */
const isWritten = ({ outcome, decision }: Extract<Stage, { name: "over" | "moving" }>): boolean =>
  outcome !== undefined && (decision === undefined || outcome.number >= decision.number);

/** A no is sent until the backend has it. */
function cancelUntilDone(input: PlanInput, policy: Policy): Step {
  const { attempt, notFoundMs, leftMs } = input;
  if (attempt.count === 0) return { do: "cancel" };
  if (leftMs === undefined) return idle; // Others submitted it, so the person who decided learns that it failed.
  if (notFoundMs !== undefined && isNotFoundBelieved(input)) return { do: "abandon" };
  const isLate = leftMs < -TIMES.confirmTimeoutMs;
  const retryMs = isLate
    ? TIMES.lateRetryMs
    : withinMargin(policy, notFoundMs === undefined ? TIMES.cancelRetryMs : TIMES.notFoundRetryMs);
  return attempt.sinceMs >= retryMs ? { do: "cancel" } : wait(retryMs - attempt.sinceMs);
}

/** Returns whether silence lets the backend broadcast, under the current policy and the one at the submit. */
export const isLeftToBackend = (
  { isNeverLeft, onUnconfirmed }: Pick<Stage, "isNeverLeft" | "onUnconfirmed">,
  policy: Policy,
): boolean => policy.onUnconfirmed === "leave" && (onUnconfirmed ?? "leave") === "leave" && !isNeverLeft;

/**
 * Withdraws an undecided demand before the backend would broadcast it by itself (contract §6, "the deadline is real").
 */
function guardDeadline(stage: Stage, input: PlanInput, policy: Policy): Step {
  // Others submitted it, so no deadline is known, and nothing is ours to withdraw.
  if (input.leftMs === undefined) return idle;
  if (input.isWithdrawingAtEnd) return { do: "withdraw", by: "shutdown" };
  if (input.notFoundMs !== undefined && isNotFoundBelieved(input)) return { do: "abandon" };
  if (isLeftToBackend(stage, policy))
    return input.leftMs > 0
      ? wait(Math.min(input.leftMs, withinMargin(policy, TIMES.lateRetryMs)))
      : readEvery(input, TIMES.lateRetryMs);
  const leftMs = input.leftMs - marginMs(policy);
  const wasNeverRead = input.sinceReadMs === undefined && input.sinceRequestMs === undefined;
  if (leftMs > 0 && wasNeverRead) return { do: "read" };
  if (leftMs > 0) return wait(Math.min(leftMs, withinMargin(policy, TIMES.clockCheckMs)));
  return { do: "withdraw", by: "guard" };
}

/**
 * Returns whether a "not found" of the backend is believed: after a minute, and when nothing can go out any more. One
 * of several workers may not know what another is about to broadcast.
 */
const isNotFoundBelieved = ({ notFoundMs = 0, leftAtMostMs = 0 }: PlanInput): boolean =>
  notFoundMs >= TIMES.notFoundBelievedMs && leftAtMostMs <= 0;

/**
 * Another program answers, or only seems to: one that hangs, or no longer reaches the backend, looks alive. So every
 * program that knows an open negotiation takes it over shortly before the deadline, after that program had its chance.
 */
function standBy(stage: Stage, input: PlanInput, policy: Policy): Step {
  if (input.isWithdrawingAtEnd) return idle;
  const turnMs = untilTurnMs(stage, input, policy);
  if (turnMs <= 0) return { do: "adopt" };
  const offered = mayOffer(stage, input, policy) ? offerOrRead(input) : undefined;
  if (offered !== undefined) return offered;
  return wait(Math.min(turnMs, TIMES.ownerCheckMs, Math.max(withinMargin(policy, TIMES.clockCheckMs), 1)));
}

function untilTurnMs(stage: Stage, { leftMs, ownerAgeMs }: PlanInput, policy: Policy): number {
  const isOpen = isUndecided(stage) || stage.name === "confirming" || stage.name === "cancelling";
  const isLeft = isUndecided(stage) && isLeftToBackend(stage, policy);
  if (!isOpen || isLeft || leftMs === undefined || leftMs <= 0) return Number.POSITIVE_INFINITY;
  const margin = marginMs(policy);
  // Only its own program has the text of an edit, and looks for its effect until then.
  const part = stage.name === "confirming" && stage.decision.kind === "edit" ? margin / 3 : (margin * 2) / 3;
  // A program that has just adopted it gets its chance as well.
  return Math.max(leftMs - part, margin / 6 - ownerAgeMs);
}

/**
 * Returns true so near the deadline that nobody leaves it to another program: that one would only look at the facts
 * now and then.
 */
export const isTooLateToLeave = (leftMs: number | undefined, policy: Policy): boolean =>
  leftMs === undefined || leftMs <= 2 * marginMs(policy);

const mayOffer = (stage: Stage, { isOffered, leftMs }: PlanInput, policy: Policy): boolean =>
  policy.keepsOthers === true &&
  !isOffered &&
  isUndecided(stage) &&
  !isLeftToBackend(stage, policy) &&
  !isTooLateToLeave(leftMs, policy);

/** Only a program that has just read it offers, since one that cannot reach the backend would withdraw nothing. */
function offerOrRead(input: PlanInput): Step | undefined {
  const { sinceAnswerMs, notFoundMs } = input;
  if (sinceAnswerMs !== undefined && sinceAnswerMs <= TIMES.ownerCheckMs && notFoundMs === undefined)
    return { do: "offer" };
  const read = readEvery(input, TIMES.ownerCheckMs);
  return read.do === "read" ? read : undefined;
}

/**
 * Sends a yes, and looks for its effect where the answer is lost. It is sent again only after a read that shows the
 * same text still waiting. If no effect shows by the deadline, it is withdrawn.
 */
function confirmUntilSeen(stage: Stage & { name: "confirming" }, input: PlanInput, policy: Policy): Step {
  const { attempt, text, leftMs } = input;
  const isFirst = attempt.count === 0;
  if (attempt.last === "failed") return { do: "undo", why: "no_effect" };
  if (isFirst && text === "ready" && input.isDecidedHere) return { do: "confirm" };
  const isDue = leftMs !== undefined && leftMs <= marginMs(policy);
  if (isDue || input.isWithdrawingAtEnd) return lastChance(stage, input, policy);
  if (attempt.last === "busy") return afterBusy(input);
  return isFirst ? takenOver(input) : afterLostAnswer(stage, input);
}

/**
 * An unseen yes at the deadline would let the backend broadcast its own text, so a last read shows whether it has
 * arrived.
 */
function lastChance({ decision }: Stage & { name: "confirming" }, input: PlanInput, policy: Policy): Step {
  const { attempt, text, leftMs = 0, isWithdrawingAtEnd } = input;
  const isFirst = attempt.count === 0;
  // A read that began in the millisecond of the try may have been answered before it. The next read shows its effect.
  if (!hasRequestedSince(input)) return input.sinceRequestMs === 0 && !isFirst ? wait(1) : { do: "read" };
  if (!isWithdrawingAtEnd) {
    // A yes that arrived shows within moments, and a third of the margin is enough to withdraw one that did not.
    const mayShow = attempt.last === "unknown" && attempt.sinceLossMs < TIMES.effectReadForMs;
    const mayArrive = text === "lost" && input.decisionAgeMs < TIMES.settlingMs;
    if ((mayShow || mayArrive) && leftMs > marginMs(policy) / 3) return readEvery(input, TIMES.effectReadEveryMs);
  }
  // It is tried once more while there is time for that and for a withdrawal, and an adopted one also at the program's
  // end. A yes to the network's own text has longer, since silence sends the agreed text.
  const neededMs = decision.kind === "edit" ? (marginMs(policy) * 2) / 3 : marginMs(policy) / 3;
  const goesAgain = !isWithdrawingAtEnd && attempt.last === "unknown" && leftMs > neededMs;
  if ((isFirst || goesAgain) && text === "ready" && isFresh(input)) return { do: "confirm" };
  if (text === "lost" && isFresh(input)) return { do: "undo", why: "edit_lost" };
  return { do: "withdraw", by: isWithdrawingAtEnd ? "shutdown" : "guard" };
}

/** The engine does not wait for a yes yet, which passes by itself. */
function afterBusy(input: PlanInput): Step {
  const { attempt, text } = input;
  if (attempt.count > TIMES.busyRetries) return { do: "undo", why: "no_effect" };
  if (attempt.sinceMs < TIMES.busyRetryMs) return wait(TIMES.busyRetryMs - attempt.sinceMs);
  return text === "ready" ? { do: "confirm" } : readEvery(input, TIMES.confirmRetryMs);
}

/** Another program wrote this decision, so what it sent may still arrive. */
function takenOver(input: PlanInput): Step {
  const { text, decisionAgeMs, sinceReadMs = 0 } = input;
  if (decisionAgeMs < TIMES.settlingMs) return wait(TIMES.settlingMs - decisionAgeMs);
  // A slow read may have begun before that.
  const isEarly = sinceReadMs > TIMES.effectReadEveryMs && decisionAgeMs - sinceReadMs < TIMES.settlingMs;
  if (isEarly || !isFresh(input) || text === "unread") return readEvery(input, TIMES.confirmRetryMs);
  if (text === "lost") return { do: "undo", why: "edit_lost" };
  return text === "changed" ? { do: "undo", why: "no_effect" } : { do: "confirm" };
}

function afterLostAnswer({ deadlineAt }: Stage, input: PlanInput): Step {
  const { attempt, text } = input;
  if (attempt.sinceMs < TIMES.effectReadForMs) return readEvery(input, TIMES.effectReadEveryMs);
  if (deadlineAt === undefined) return idle; // Others submitted it, so the person who decided learns that it is open.
  if (attempt.sinceMs < TIMES.confirmRetryMs) return wait(TIMES.confirmRetryMs - attempt.sinceMs);
  if (!isFresh(input) || text === "unread") return readEvery(input, TIMES.confirmRetryMs);
  if (text === "lost") return { do: "undo", why: "edit_lost" };
  // Nobody has agreed to that text, nor to replacing it.
  return text === "changed" ? { do: "withdraw", by: "guard" } : { do: "confirm" };
}

/** This program has nothing left to do. */
const idle: Step = { do: "idle" };
const wait = (ms: number): Step => ({ do: "wait", ms: Math.max(1, Math.ceil(ms)) });

/** Asks the backend, but no more often than that. */
const readEvery = ({ sinceRequestMs }: PlanInput, everyMs: number): Step =>
  sinceRequestMs === undefined || sinceRequestMs >= everyMs ? { do: "read" } : wait(everyMs - sinceRequestMs);

/**
 * Returns whether a request after the last try ended a moment ago, whatever the answer. The moment counts from the
 * request's end: a backend that is slow, or fails to answer, would otherwise be asked for ever.
 */
const hasRequestedSince = ({ sinceRequestMs, sinceRequestEndMs, attempt }: PlanInput): boolean =>
  sinceRequestMs !== undefined &&
  sinceRequestEndMs !== undefined &&
  sinceRequestEndMs <= TIMES.effectReadEveryMs &&
  (attempt.count === 0 || sinceRequestMs < attempt.sinceMs);

/**
 * Returns whether what the backend just showed may be acted on. The duration of that read does not matter, but it must
 * have begun after the last try was over.
 */
const isFresh = ({ sinceReadMs, sinceAnswerMs, attempt }: PlanInput): boolean =>
  sinceReadMs !== undefined &&
  sinceAnswerMs !== undefined &&
  sinceAnswerMs <= TIMES.effectReadEveryMs &&
  (attempt.count === 0 || sinceReadMs < Math.min(attempt.sinceMs, attempt.sinceLossMs));

/** What a negotiation comes to if nobody decides. Pure. */
export interface Silence {
  of: "silence";
  /**
   * With `withdrawn` a running program withdraws it in time, and with `broadcast` it is left to the backend. With
   * `unguarded` the backend broadcasts it as well, because no program of this person's watches it.
   */
  as: "withdrawn" | "broadcast" | "unguarded";
  /** When that happens, in ms since the epoch. It is undefined if no deadline is known. */
  at: number | undefined;
}

/** Who answers for a negotiation, and what its silence comes to. */
export interface Guard {
  /** Whether a running program answers for it, which withdraws what is undecided and sends what is decided. */
  isWatched: boolean;
  silence: Silence;
}

interface GuardInput {
  isWatched: boolean;
  policy: Policy;
  /** The deadline as it is measured, in ms since the epoch. Without it the written one counts. */
  endsAt?: number | undefined;
}

/** Says what follows from a deadline; everything that shows a deadline asks here. */
export function guardOf(stage: Stage, { isWatched, policy, endsAt = stage.deadlineAt }: GuardInput): Guard {
  const as = isLeftToBackend(stage, policy) ? "broadcast" : isWatched ? "withdrawn" : "unguarded";
  const at = endsAt === undefined || as !== "withdrawn" ? endsAt : endsAt - marginMs(policy);
  return { isWatched, silence: { of: "silence", as, at } };
}

/** Says how long the plan waits, in milliseconds, and what a deadline leaves of that. */

export interface Policy {
  onUnconfirmed: "cancel" | "leave";
  /** The backend waits this long before it confirms by itself. */
  confirmDeadlineMs: number;
  /** Only a person's own hand confirms: on the page or in a terminal. */
  isStrict?: boolean;
  /** The profile is `read_only`: nothing is confirmed from here. */
  readsOnly?: boolean;
  /** The profile is `dry_run`: nothing is decided from here, and others' decisions are not carried out. */
  isDry?: boolean;
  /** The program is a command that ends in a moment, so it would only abandon again what it adopts. */
  isOneShot?: boolean;
  /**
   * The program stays, sees what other programs of the home begin, and would withdraw that, so that they may leave it
   * to this one.
   */
  keepsOthers?: boolean;
}

/** All of these are milliseconds except `busyRetries`. */
export const TIMES = {
  /**
   * The program acts this long before a deadline, but at most a quarter of it, because a slow network costs the same
   * seconds.
   */
  largestMarginMs: 15_000,
  /** Timers stand still while a machine sleeps, and within this time after it the clock is read again. */
  clockCheckMs: 5_000,
  /** "Engine is not waiting" passes by itself. */
  busyRetryMs: 250,
  busyRetries: 20,
  /** After a confirm whose answer was lost, its effect is looked for this often, and for this long. */
  effectReadEveryMs: 500,
  effectReadForMs: 3_000,
  confirmRetryMs: 5_000,
  cancelRetryMs: 1_000,
  /** After the deadline nothing is urgent any more. */
  lateRetryMs: 10_000,
  /**
   * A program that ends keeps an edit for another try and the reads after it, because no other program has its text.
   */
  lastTriesMs: 10_000,
  /**
   * A server that ends sends its withdrawals for this long, since whatever started it waits a minute before it kills.
   */
  lastWithdrawalsMs: 45_000,
  notFoundRetryMs: 2_000,
  /** A deployment, or a gateway that has lost its way, is over by then. */
  notFoundBelievedMs: 60_000,
  /** An in-flight request of a killed program has arrived by then. */
  settlingMs: 5_000,
  ownerCheckMs: 10_000,
  /** Facts that were read longer ago than this are read again before a decision is sent. */
  factsFreshMs: 1_000,
  /** A store that takes longer than this counts as away where something must not wait for it. */
  storeAnswerMs: 1_000,
  /** How often the store is asked whether it has a yes after all that was reported as not written. */
  lateWriteCheckMs: 1_000,
  /** A negotiation that is older than this cannot be waiting any more. */
  givenUpAfterMs: 24 * 3_600_000,
  /** A decision behind the deadline waits this long for a read that shows whether the backend has gone on. */
  firstLookMs: 3_000,
  /** A no waits only this long for such a read while the store does not answer. */
  lastLookMs: 250,
  readTimeoutMs: 15_000,
  confirmTimeoutMs: 30_000,
  cancelTimeoutMs: 30_000,
  urgentCancelTimeoutMs: 4_000,
} as const;

/** An undecided demand is withdrawn this long before the deadline. */
export const marginMs = ({ confirmDeadlineMs }: Policy): number =>
  Math.min(TIMES.largestMarginMs, Math.round(confirmDeadlineMs / 4));

/** Bounds a wait by a third of the margin, because several tries must fit into it. */
export const withinMargin = (policy: Policy, ms: number): number => Math.min(ms, Math.floor(marginMs(policy) / 3));

/** The longest that a request may take now, in milliseconds. Near the deadline none outlasts a third of the margin. */
export function timeoutMs(
  step: "read" | "confirm" | "cancel",
  seen: { leftMs: number | undefined },
  policy: Policy,
): number {
  const most = { read: TIMES.readTimeoutMs, confirm: TIMES.confirmTimeoutMs, cancel: TIMES.cancelTimeoutMs }[step];
  if (seen.leftMs === undefined || seen.leftMs <= -marginMs(policy)) return most;
  const urgent = withinMargin(policy, TIMES.urgentCancelTimeoutMs);
  return Math.max(urgent, Math.min(most, seen.leftMs - marginMs(policy)));
}
