import type { Stage } from "./stage.ts";

/**
 * What the program does next about one negotiation (core 3): a pure function of where it stands, what this program has
 * seen and what the person wants. Every waiting time of the core stands in this file.
 */

export type Step =
  | { do: "wait"; ms: number }
  | { do: "read" }
  /** Take over from a program that is gone. */
  | { do: "adopt" }
  /** Write down that nobody decided in time. */
  | { do: "withdraw"; by: "guard" | "shutdown" }
  | { do: "confirm" }
  | { do: "cancel" }
  /** Write down what the backend shows. */
  | { do: "conclude" }
  /** The decision had no effect, or its text is gone: the question is open again. */
  | { do: "undo"; why: "no_effect" | "edit_lost" }
  /** The backend does not know it, and is believed. */
  | { do: "forget" }
  /** Nothing is left for this program to do. */
  | { do: "rest" };

/** What this program has seen, beside facts and snapshot. Times in milliseconds. */
export interface Seen {
  /** Until the backend goes on by itself, if clock and timers are as wrong as they can be; undefined when not known. */
  leftMs: number | undefined;
  /** The same, as long as it may be. */
  leftAtMostMs: number | undefined;
  /** Whether this program is the one that answers. */
  isMine: boolean;
  /** Whether another program that answers is still running. */
  isOwnerAlive: boolean;
  /** Since the last answer of the backend about it; undefined before the first. */
  sinceReadMs: number | undefined;
  /** Since it was last asked, answered or not. */
  sinceLookMs: number | undefined;
  /** For how long the backend has said that it does not know it; undefined when it knows it. */
  notFoundMs: number | undefined;
  /** Since the standing decision was written, by the clock, whichever way that was set. */
  decisionAgeMs: number;
  /** What this program has tried for the standing decision. */
  attempt: Attempt;
  /** The text of the decision: at hand, and whether it is about the text that the backend has now. */
  text: "ready" | "unread" | "changed" | "lost";
  /** Whether it was decided in this program a moment ago, the text having just been read. */
  isOwnDecision: boolean;
  /** The program ends, and what is undecided is withdrawn. */
  isEnding: boolean;
}

export interface Attempt {
  count: number;
  /** How the last one went: refused for the moment, failed for certain, or nobody knows. */
  last: "none" | "busy" | "failed" | "unknown";
  sinceMs: number;
  /** Since its answer was lost. */
  sinceLossMs: number;
}

export interface Policy {
  onUnconfirmed: "cancel" | "leave";
  /** How long the backend waits before it confirms by itself. */
  confirmDeadlineMs: number;
  /** A command that ends in a moment: taking over a pause that waits, it would only leave it again. */
  isOneShot?: boolean;
}

export const TIMES = {
  /** The guard acts this long before the deadline, or a quarter of shorter ones: a slow network costs the same seconds. */
  largestMarginMs: 15_000,
  /** Timers stand still while a machine sleeps; after it, the clock is read within this. */
  clockCheckMs: 5_000,
  /** "Engine is not waiting" passes by itself. */
  busyRetryMs: 250,
  busyRetries: 20,
  /** After a confirm whose answer was lost, its effect is looked for this often, and this long before the next try. */
  effectLookMs: 500,
  effectLooksMs: 3_000,
  confirmRetryMs: 5_000,
  cancelRetryMs: 1_000,
  /** Behind the deadline nothing is urgent any more. */
  lateRetryMs: 10_000,
  /** A program that ends keeps an edit for another try and the looks after it: no other program has its text. */
  lastTriesMs: 10_000,
  notFoundRetryMs: 2_000,
  /** A deployment, or a gateway that has lost its way, is over by then. */
  notFoundBelievedMs: 60_000,
  /** An in-flight request of a killed program has arrived by then. */
  settlingMs: 5_000,
  ownerLookMs: 10_000,
  /** What is older cannot be waiting any more. */
  pursuedMs: 24 * 3_600_000,
  readTimeoutMs: 15_000,
  confirmTimeoutMs: 30_000,
  cancelTimeoutMs: 30_000,
  urgentCancelTimeoutMs: 4_000,
} as const;

/** How long before the deadline an undecided demand is withdrawn. */
export const marginMs = ({ confirmDeadlineMs }: Policy): number =>
  Math.min(TIMES.largestMarginMs, Math.round(confirmDeadlineMs / 4));

/** Several tries must fit into the margin: none may use up more than a third of it. */
export const withinMargin = (policy: Policy, ms: number): number => Math.min(ms, Math.floor(marginMs(policy) / 3));

/** The longest that a request may take now: near the deadline, none outlasts a third of the margin. */
export function timeoutMs(step: "read" | "confirm" | "cancel", seen: Pick<Seen, "leftMs">, policy: Policy): number {
  const most = { read: TIMES.readTimeoutMs, confirm: TIMES.confirmTimeoutMs, cancel: TIMES.cancelTimeoutMs }[step];
  if (seen.leftMs === undefined || seen.leftMs <= -marginMs(policy)) return most;
  const urgent = withinMargin(policy, TIMES.urgentCancelTimeoutMs);
  return Math.max(urgent, Math.min(most, seen.leftMs - marginMs(policy)));
}

export function next(stage: Stage, seen: Seen, policy: Policy): Step {
  if (stage.name === "not_found" || (seen.leftMs ?? 0) < -TIMES.pursuedMs) return rest;
  const isOver = stage.name === "over" || stage.name === "moving";
  if (isOver && (isWritten(stage) || stage.decision === undefined)) return isWritten(stage) ? rest : { do: "conclude" };
  if (!seen.isMine) {
    if (seen.isOwnerAlive) return wait(TIMES.ownerLookMs);
    return policy.isOneShot && stage.decision === undefined ? rest : { do: "adopt" };
  }
  switch (stage.name) {
    case "over":
    case "moving":
      return { do: "conclude" };
    case "formulating":
    case "asking":
      return guard(seen, policy);
    case "cancelling":
      return cancel(seen, policy);
    case "confirming":
      return confirm(stage, seen, policy);
  }
}

const rest: Step = { do: "rest" };
const wait = (ms: number): Step => ({ do: "wait", ms: Math.max(1, Math.ceil(ms)) });

/** Whether what is seen, and the last decision's effect, stand in the facts. */
const isWritten = ({ outcome, decision }: Extract<Stage, { name: "over" | "moving" }>): boolean =>
  outcome !== undefined && (decision === undefined || outcome.number >= decision.number);

/** Undecided: withdrawn before the backend would broadcast it by itself (contract §6, "the deadline is real"). */
function guard(seen: Seen, policy: Policy): Step {
  if (seen.leftMs === undefined) return rest; // submitted by others: no deadline is known, nothing is ours to withdraw
  if (seen.isEnding) return { do: "withdraw", by: "shutdown" };
  if (seen.notFoundMs !== undefined && isBelieved(seen)) return { do: "forget" };
  if (policy.onUnconfirmed === "leave")
    return seen.leftMs > 0 ? wait(Math.min(seen.leftMs, TIMES.lateRetryMs)) : look(seen, TIMES.lateRetryMs);
  const leftMs = seen.leftMs - marginMs(policy);
  const isTakenOver = seen.sinceReadMs === undefined && seen.sinceLookMs === undefined;
  if (leftMs > 0 && isTakenOver) return { do: "read" };
  if (leftMs > 0) return wait(Math.min(leftMs, withinMargin(policy, TIMES.clockCheckMs)));
  return { do: "withdraw", by: "guard" };
}

function cancel(seen: Seen, policy: Policy): Step {
  const { attempt, notFoundMs, leftMs } = seen;
  if (attempt.count === 0) return { do: "cancel" };
  if (leftMs === undefined) return rest; // submitted by others: the decider learns that it failed
  if (notFoundMs !== undefined && isBelieved(seen)) return { do: "forget" };
  const isLate = leftMs < -TIMES.confirmTimeoutMs;
  const retryMs = isLate
    ? TIMES.lateRetryMs
    : withinMargin(policy, notFoundMs === undefined ? TIMES.cancelRetryMs : TIMES.notFoundRetryMs);
  return attempt.sinceMs >= retryMs ? { do: "cancel" } : wait(retryMs - attempt.sinceMs);
}

function confirm(stage: Stage & { name: "confirming" }, seen: Seen, policy: Policy): Step {
  const { attempt, text, leftMs, isEnding } = seen;
  const isFirst = attempt.count === 0;
  if (text === "lost") return { do: "undo", why: "edit_lost" };
  if (attempt.last === "failed") return { do: "undo", why: "no_effect" };
  if (isFirst && text === "ready" && seen.isOwnDecision) return { do: "confirm" };
  // Unseen at the deadline, the backend would broadcast its own text.
  const isDue = leftMs !== undefined && leftMs <= marginMs(policy);
  if (isDue || isEnding) {
    if (!hasLookedSince(seen)) return seen.sinceLookMs === 0 && !isFirst ? wait(1) : { do: "read" };
    // What arrived shows in moments, and a third of the margin is enough to withdraw what did not.
    const mayShow = attempt.last === "unknown" && attempt.sinceLossMs < TIMES.effectLooksMs && !isEnding;
    if (mayShow && (leftMs ?? 0) > marginMs(policy) / 3) return look(seen, TIMES.effectLookMs);
    if (isFirst && text === "ready" && isFresh(seen) && !isEnding) return { do: "confirm" };
    return { do: "withdraw", by: isEnding ? "shutdown" : "guard" };
  }
  if (attempt.last === "busy") {
    if (attempt.count > TIMES.busyRetries) return { do: "undo", why: "no_effect" };
    if (attempt.sinceMs < TIMES.busyRetryMs) return wait(TIMES.busyRetryMs - attempt.sinceMs);
    return text === "ready" ? { do: "confirm" } : look(seen, TIMES.confirmRetryMs);
  }
  if (isFirst) {
    // Another program wrote this decision: what it sent may still arrive.
    if (seen.decisionAgeMs < TIMES.settlingMs) return wait(TIMES.settlingMs - seen.decisionAgeMs);
    if (!isFresh(seen) || text === "unread") return look(seen, TIMES.confirmRetryMs);
    return text === "changed" ? { do: "undo", why: "no_effect" } : { do: "confirm" };
  }
  if (attempt.sinceMs < TIMES.effectLooksMs) return look(seen, TIMES.effectLookMs);
  if (stage.deadlineAt === undefined) return rest; // submitted by others: the decider learns that it is open
  if (attempt.sinceMs < TIMES.confirmRetryMs) return wait(TIMES.confirmRetryMs - attempt.sinceMs);
  if (!isFresh(seen) || text === "unread") return look(seen, TIMES.confirmRetryMs);
  // Nobody has agreed to that text, nor to replacing it.
  return text === "changed" ? { do: "withdraw", by: "guard" } : { do: "confirm" };
}

const look = ({ sinceLookMs }: Seen, everyMs: number): Step =>
  sinceLookMs === undefined || sinceLookMs >= everyMs ? { do: "read" } : wait(everyMs - sinceLookMs);

/** Whether the backend was asked a moment ago and after the last try, whatever it answered. */
const hasLookedSince = ({ sinceLookMs, attempt }: Seen): boolean =>
  sinceLookMs !== undefined &&
  sinceLookMs <= TIMES.effectLookMs &&
  (attempt.count === 0 || sinceLookMs < attempt.sinceMs);

/** Whether what the backend showed a moment ago, and after the last try, may be acted on. */
const isFresh = ({ sinceReadMs, attempt }: Seen): boolean =>
  sinceReadMs !== undefined &&
  sinceReadMs <= TIMES.effectLookMs &&
  (attempt.count === 0 || sinceReadMs < attempt.sinceMs);

/** One of several workers may not know what another is about to broadcast. */
const isBelieved = ({ notFoundMs = 0, leftAtMostMs = 0 }: Seen): boolean =>
  notFoundMs >= TIMES.notFoundBelievedMs && leftAtMostMs <= 0;
