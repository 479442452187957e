import { NEWER } from "../newer.ts";
import { isUndecided, type Stage } from "./stage.ts";

export type Step =
  | { do: "wait"; ms: number }
  | { do: "read" }
  /** Writes down that this program would answer for the negotiation when its current program ends. */
  | { do: "stand_by" }
  /** Takes the negotiation over from a program that is gone, or that has not acted although the deadline is near. */
  | { do: "adopt" }
  /** Writes down that nobody decided in time, so that the demand is withdrawn. */
  | { do: "withdraw"; by: "guard" | "shutdown" }
  | { do: "confirm" }
  | { do: "cancel" }
  /** Writes down the outcome that the backend shows. */
  | { do: "conclude" }
  /** Opens the question again, because the decision had no effect or the text of an edit is gone. */
  | { do: "undo"; why: "no_effect" | "edit_lost" }
  /** Writes down that the backend does not know the negotiation. */
  | { do: "abandon" }
  /** Does nothing, because this program has nothing left to do. */
  | { do: "idle" };

/** What this program has seen, in addition to the facts and the snapshot. Times are in milliseconds. */
export interface PlanInput {
  /**
   * The least time until the backend confirms by itself, allowing for errors of clock and timers. The field is
   * undefined if no deadline is known.
   */
  leftMs: number | undefined;
  /** The most time until the backend confirms by itself, allowing for a clock that was set forward. */
  leftAtMostMs: number | undefined;
  /** True if this program is the one that answers for the negotiation. */
  isMine: boolean;
  /** True if another program answers for the negotiation and seems to be running. */
  isOwnerAlive: boolean;
  /** True if this program stands by to answer for the negotiation after its owner, or has found that it must not. */
  isOnStandby: boolean;
  /**
   * The time since the owner wrote that it answers, by the clock. The value is never negative, even if the clock was
   * set back.
   */
  ownerAgeMs: number;
  /** The time since the last answered read began. The field is undefined before the first answer. */
  sinceReadMs: number | undefined;
  /** The time since the answer to the last answered read came. */
  sinceAnswerMs: number | undefined;
  /** The time since the backend was last asked, whether or not it answered. */
  sinceRequestMs: number | undefined;
  /** The time since the last request to the backend ended. The field is undefined before the first request. */
  sinceRequestEndMs: number | undefined;
  /**
   * How long the backend has said that it does not know the negotiation. The field is undefined while the backend knows
   * it.
   */
  notFoundMs: number | undefined;
  /**
   * The time since the standing decision was written, by the clock. The value is never negative, even if the clock was
   * set back.
   */
  decisionAgeMs: number;
  /** What this program has tried for the standing decision. */
  attempt: Attempt;
  /**
   * What is known about the text that the decision sends. `ready`: this program has the text, or the text is the
   * backend's own. `unread`: the backend's text has not been read yet. `changed`: the backend's text is no longer the
   * text that was decided on. `lost`: only a dead program had the text.
   */
  text: "ready" | "unread" | "changed" | "lost";
  /**
   * True if this program has the decision in memory, because one of its calls made or joined the decision after the
   * text was read.
   */
  isDecidedHere: boolean;
  /** True if the program is ending and withdraws what is undecided. */
  isWithdrawingAtEnd: boolean;
}

export interface Attempt {
  count: number;
  /**
   * How the last try went. `busy`: the backend refused it for the moment. `failed`: it certainly failed. `unknown`: it
   * may have taken effect.
   */
  last: "none" | "busy" | "failed" | "unknown";
  sinceMs: number;
  /** The time since an answer to a try was last lost. */
  sinceLossMs: number;
}

/**
 * Returns what the program does next about one negotiation. The step depends only on where the negotiation stands, what
 * this program has seen, and the policy, so the function is pure.
 */
export function next(stage: Stage, input: PlanInput, policy: Policy): Step {
  if (isSettled(stage, input.leftMs)) return idle;
  // Only a newer version can carry out or end a decision of a kind that this version does not know.
  if (stage.decision?.kind === NEWER)
    return stage.name === "over" || input.isWithdrawingAtEnd ? idle : readEvery(input, TIMES.lateRetryMs);
  if ((stage.name === "over" || stage.name === "moving") && stage.decision === undefined) return { do: "conclude" };
  if (!input.isMine) {
    if (policy.isDry) return idle;
    const isOnlyPassing = policy.isOneShot === true && stage.decision === undefined;
    return input.isOwnerAlive || isOnlyPassing ? waitForTurn(stage, input, policy) : { do: "adopt" };
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
 * Returns whether no program has anything left to do about the negotiation. `leftMs` is the time until the backend goes
 * on by itself.
 */
export function isSettled(stage: Stage, leftMs: number | undefined): boolean {
  if (stage.name === "not_found" || (leftMs ?? 0) < -TIMES.givenUpAfterMs) return true;
  return (stage.name === "over" || stage.name === "moving") && isWritten(stage);
}

/** Returns whether the facts already record the outcome, including the effect of the last decision. */
const isWritten = ({ outcome, decision }: Extract<Stage, { name: "over" | "moving" }>): boolean =>
  outcome !== undefined && (decision === undefined || outcome.number >= decision.number);

/** Sends a no, and sends it again until the backend has it. */
function cancelUntilDone(input: PlanInput, policy: Policy): Step {
  const { attempt, notFoundMs, leftMs } = input;
  if (attempt.count === 0) return { do: "cancel" };
  if (leftMs === undefined) return idle; // Others submitted the demand, so the person who decided learns that the no failed.
  if (notFoundMs !== undefined && isNotFoundBelieved(input)) return { do: "abandon" };
  const isLate = leftMs < -TIMES.confirmTimeoutMs;
  const retryMs = isLate
    ? TIMES.lateRetryMs
    : withinMargin(policy, notFoundMs === undefined ? TIMES.cancelRetryMs : TIMES.notFoundRetryMs);
  return attempt.sinceMs >= retryMs ? { do: "cancel" } : wait(retryMs - attempt.sinceMs);
}

/** Returns whether silence lets the backend broadcast, under both the current policy and the policy at the submit. */
export const isLeftToBackend = (
  { isNeverLeft, onUnconfirmed }: Pick<Stage, "isNeverLeft" | "onUnconfirmed">,
  policy: Policy,
): boolean => policy.onUnconfirmed === "leave" && (onUnconfirmed ?? "leave") === "leave" && !isNeverLeft;

/**
 * Withdraws an undecided demand before the backend would broadcast it by itself (contract §6, "the deadline is real").
 */
function guardDeadline(stage: Stage, input: PlanInput, policy: Policy): Step {
  // Others submitted the demand, so no deadline is known and there is nothing to withdraw.
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
 * Returns whether a "not found" from the backend is believed. The answer is believed after a minute and once nothing
 * can go out any more, because one of several backend workers may not know what another worker is about to broadcast.
 */
const isNotFoundBelieved = ({ notFoundMs = 0, leftAtMostMs = 0 }: PlanInput): boolean =>
  notFoundMs >= TIMES.notFoundBelievedMs && leftAtMostMs <= 0;

/**
 * Waits while another program answers, and takes over shortly before the deadline. A program that hangs or no longer
 * reaches the backend still looks alive, so every program that knows an open negotiation takes it over after the owner
 * has had its chance.
 */
function waitForTurn(stage: Stage, input: PlanInput, policy: Policy): Step {
  if (input.isWithdrawingAtEnd) return idle;
  const turnMs = untilTurnMs(stage, input, policy);
  if (turnMs <= 0) return { do: "adopt" };
  const standby = mayStandBy(stage, input, policy) ? standByOrRead(input) : undefined;
  if (standby !== undefined) return standby;
  return wait(Math.min(turnMs, TIMES.ownerCheckMs, Math.max(withinMargin(policy, TIMES.clockCheckMs), 1)));
}

function untilTurnMs(stage: Stage, { leftMs, ownerAgeMs }: PlanInput, policy: Policy): number {
  const isOpen = isUndecided(stage) || stage.name === "confirming" || stage.name === "cancelling";
  const isLeft = isUndecided(stage) && isLeftToBackend(stage, policy);
  if (!isOpen || isLeft || leftMs === undefined || leftMs <= 0) return Number.POSITIVE_INFINITY;
  const margin = marginMs(policy);
  // Only the owner has the text of an edit, so it gets more time to look for the effect.
  const part = stage.name === "confirming" && stage.decision.kind === "edit" ? margin / 3 : (margin * 2) / 3;
  // A program that has just adopted the negotiation gets its chance as well.
  return Math.max(leftMs - part, margin / 6 - ownerAgeMs);
}

/**
 * Returns whether the deadline is so near that nobody leaves the negotiation to another program, which would look at
 * the facts only now and then.
 */
export const isTooLateToLeave = (leftMs: number | undefined, policy: Policy): boolean =>
  leftMs === undefined || leftMs <= 2 * marginMs(policy);

const mayStandBy = (stage: Stage, { isOnStandby, leftMs }: PlanInput, policy: Policy): boolean =>
  policy.keepsOthers === true &&
  !isOnStandby &&
  isUndecided(stage) &&
  !isLeftToBackend(stage, policy) &&
  !isTooLateToLeave(leftMs, policy);

/**
 * Stands by to answer, or reads first. Only a program that has just read the negotiation stands by, because one that
 * cannot reach the backend could withdraw nothing.
 */
function standByOrRead(input: PlanInput): Step | undefined {
  const { sinceAnswerMs, notFoundMs } = input;
  if (sinceAnswerMs !== undefined && sinceAnswerMs <= TIMES.ownerCheckMs && notFoundMs === undefined)
    return { do: "stand_by" };
  const read = readEvery(input, TIMES.ownerCheckMs);
  return read.do === "read" ? read : undefined;
}

/**
 * Sends a yes, and looks for its effect if the answer is lost. The yes is sent again only after a read that shows the
 * same text still waiting. If no effect shows by the deadline, the demand is withdrawn.
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
 * Reads once more before the deadline to see whether the yes has arrived. If a yes did not arrive, the backend would
 * broadcast its own text at the deadline.
 */
function lastChance({ decision }: Stage & { name: "confirming" }, input: PlanInput, policy: Policy): Step {
  const { attempt, text, leftMs = 0, isWithdrawingAtEnd } = input;
  const isFirst = attempt.count === 0;
  // A read that began in the same millisecond as the try may have been answered before the try. The next read shows the
  // effect.
  if (!hasRequestedSince(input)) return input.sinceRequestMs === 0 && !isFirst ? wait(1) : { do: "read" };
  if (!isWithdrawingAtEnd) {
    // The effect of a yes that arrived shows within moments. A third of the margin is enough to withdraw a yes that did
    // not.
    const mayShow = attempt.last === "unknown" && attempt.sinceLossMs < TIMES.effectReadForMs;
    const mayArrive = text === "lost" && input.decisionAgeMs < TIMES.settlingMs;
    if ((mayShow || mayArrive) && leftMs > marginMs(policy) / 3) return readEvery(input, TIMES.effectReadEveryMs);
  }
  // The yes is sent once more while there is time for it and for a withdrawal. An adopted yes is also sent at the
  // program's end. A yes to the network's own text has more time, because silence sends the same text.
  const neededMs = decision.kind === "edit" ? (marginMs(policy) * 2) / 3 : marginMs(policy) / 3;
  const goesAgain = !isWithdrawingAtEnd && attempt.last === "unknown" && leftMs > neededMs;
  if ((isFirst || goesAgain) && text === "ready" && isFresh(input)) return { do: "confirm" };
  if (text === "lost" && isFresh(input)) return { do: "undo", why: "edit_lost" };
  return { do: "withdraw", by: isWithdrawingAtEnd ? "shutdown" : "guard" };
}

/** Retries after the engine answered that it does not wait for a yes yet, which passes by itself. */
function afterBusy(input: PlanInput): Step {
  const { attempt, text } = input;
  if (attempt.count > TIMES.busyRetries) return { do: "undo", why: "no_effect" };
  if (attempt.sinceMs < TIMES.busyRetryMs) return wait(TIMES.busyRetryMs - attempt.sinceMs);
  return text === "ready" ? { do: "confirm" } : readEvery(input, TIMES.confirmRetryMs);
}

/** Waits before it acts on a decision that another program wrote, because what that program sent may still arrive. */
function takenOver(input: PlanInput): Step {
  const { text, decisionAgeMs, sinceReadMs = 0 } = input;
  if (decisionAgeMs < TIMES.settlingMs) return wait(TIMES.settlingMs - decisionAgeMs);
  // A slow read may have begun before the request settled.
  const isEarly = sinceReadMs > TIMES.effectReadEveryMs && decisionAgeMs - sinceReadMs < TIMES.settlingMs;
  if (isEarly || !isFresh(input) || text === "unread") return readEvery(input, TIMES.confirmRetryMs);
  if (text === "lost") return { do: "undo", why: "edit_lost" };
  return text === "changed" ? { do: "undo", why: "no_effect" } : { do: "confirm" };
}

function afterLostAnswer({ deadlineAt }: Stage, input: PlanInput): Step {
  const { attempt, text } = input;
  if (attempt.sinceMs < TIMES.effectReadForMs) return readEvery(input, TIMES.effectReadEveryMs);
  // Others submitted the demand, so the person who decided learns that the outcome is open.
  if (deadlineAt === undefined) return idle;
  if (attempt.sinceMs < TIMES.confirmRetryMs) return wait(TIMES.confirmRetryMs - attempt.sinceMs);
  if (!isFresh(input) || text === "unread") return readEvery(input, TIMES.confirmRetryMs);
  if (text === "lost") return { do: "undo", why: "edit_lost" };
  // Nobody has agreed to the changed text, nor to replacing it.
  return text === "changed" ? { do: "withdraw", by: "guard" } : { do: "confirm" };
}

const idle: Step = { do: "idle" };
const wait = (ms: number): Step => ({ do: "wait", ms: Math.max(1, Math.ceil(ms)) });

/** Reads from the backend, but no more often than once in `everyMs`. */
const readEvery = ({ sinceRequestMs }: PlanInput, everyMs: number): Step =>
  sinceRequestMs === undefined || sinceRequestMs >= everyMs ? { do: "read" } : wait(everyMs - sinceRequestMs);

/**
 * Returns whether a request that began after the last try ended a moment ago, whatever the answer. The moment counts
 * from the end of the request, because a backend that is slow or fails to answer would otherwise be asked forever.
 */
const hasRequestedSince = ({ sinceRequestMs, sinceRequestEndMs, attempt }: PlanInput): boolean =>
  sinceRequestMs !== undefined &&
  sinceRequestEndMs !== undefined &&
  sinceRequestEndMs <= TIMES.effectReadEveryMs &&
  (attempt.count === 0 || sinceRequestMs < attempt.sinceMs);

/**
 * Returns whether the backend's last answer may be acted on. The answer may have taken any time to arrive, but its read
 * must have begun after the last try was over.
 */
const isFresh = ({ sinceReadMs, sinceAnswerMs, attempt }: PlanInput): boolean =>
  sinceReadMs !== undefined &&
  sinceAnswerMs !== undefined &&
  sinceAnswerMs <= TIMES.effectReadEveryMs &&
  (attempt.count === 0 || sinceReadMs < Math.min(attempt.sinceMs, attempt.sinceLossMs));

/**
 * What happens to a negotiation if nobody decides. A `Fate` (view/fate.ts) also covers a decision that has not arrived.
 */
export interface Silence {
  of: "silence";
  /**
   * With `withdrawn` a running program withdraws the demand in time. With `broadcast` the person's policy leaves it to
   * the backend. With `unguarded` the backend broadcasts it as well, because no program of this person guards the
   * deadline.
   */
  as: "withdrawn" | "broadcast" | "unguarded";
  /** When the silence takes effect, in ms since the epoch. The field is undefined if no deadline is known. */
  at: number | undefined;
}

/** Whether a running program looks after a negotiation's deadline, and what happens if nobody decides. */
export interface Guard {
  /**
   * True if a running program answers for the negotiation. That program withdraws what is undecided and sends what is
   * decided.
   */
  isGuarded: boolean;
  silence: Silence;
}

interface GuardInput {
  isGuarded: boolean;
  policy: Policy;
  /** The deadline as this program measured it, in ms since the epoch. If absent, the deadline in the facts counts. */
  endsAt?: number | undefined;
}

/** Returns what happens at a negotiation's deadline. Everything that shows a deadline calls this function. */
export function guardOf(stage: Stage, { isGuarded, policy, endsAt = stage.deadlineAt }: GuardInput): Guard {
  const as = isLeftToBackend(stage, policy) ? "broadcast" : isGuarded ? "withdrawn" : "unguarded";
  const at = endsAt === undefined || as !== "withdrawn" ? endsAt : endsAt - marginMs(policy);
  return { isGuarded, silence: { of: "silence", as, at } };
}

/** The settings and the kind of program. The plan depends on them besides the negotiation and what was seen of it. */
export interface Policy {
  onUnconfirmed: "cancel" | "leave";
  /** How long the backend waits before it confirms by itself. */
  confirmDeadlineMs: number;
  /** True if only the person themselves can confirm, on the page or in a terminal. */
  isStrict?: boolean;
  /** True if the profile is `read_only`, so that this program confirms nothing. */
  readsOnly?: boolean;
  /**
   * True if the profile is `dry_run`, so that this program decides nothing and does not carry out the decisions of
   * other programs.
   */
  isDry?: boolean;
  /** True if the program is a command that ends in a moment, so that it would soon abandon what it adopts. */
  isOneShot?: boolean;
  /**
   * True if the program stays on, sees what other programs of the home begin, and would withdraw it. Those programs may
   * then leave their negotiations to this one.
   */
  keepsOthers?: boolean;
}

/** How long the plan waits. All values are milliseconds except `busyRetries`. */
export const TIMES = {
  /**
   * The program acts this long before a deadline, but at most a quarter of the deadline. The margin is not always a
   * quarter, because a slow network costs the same seconds however long the deadline is.
   */
  largestMarginMs: 15_000,
  /** Timers stand still while a machine sleeps, so the clock is read again within this time after the machine wakes. */
  clockCheckMs: 5_000,
  /** The answer "engine is not waiting" passes by itself. */
  busyRetryMs: 250,
  busyRetries: 20,
  /**
   * After a confirm whose answer was lost, the program looks for the effect this often (`Every`) and for this long
   * (`For`).
   */
  effectReadEveryMs: 500,
  effectReadForMs: 3_000,
  confirmRetryMs: 5_000,
  cancelRetryMs: 1_000,
  /** After the deadline nothing is urgent any more. */
  lateRetryMs: 10_000,
  /**
   * A program that ends keeps trying an edit for this long, including the reads after a try, because no other program
   * has the text.
   */
  lastTriesMs: 10_000,
  /**
   * A server that ends tries its withdrawals for this long, because the program that started it waits a minute before
   * it kills the server.
   */
  lastWithdrawalsMs: 45_000,
  notFoundRetryMs: 2_000,
  /** After this time a "not found" no longer comes from a deployment or a misrouted gateway. */
  notFoundBelievedMs: 60_000,
  /** After this time a request that was in flight when its program was killed has arrived. */
  settlingMs: 5_000,
  ownerCheckMs: 10_000,
  /** Facts that are older than this are read again before a decision is sent. */
  factsFreshMs: 1_000,
  /** A store that takes longer than this counts as away for everything that must not wait for it. */
  storeAnswerMs: 1_000,
  /** How often the store is asked whether it has, after all, written a yes that it reported as not written. */
  lateWriteCheckMs: 1_000,
  /** A negotiation whose deadline passed this long ago cannot be waiting any more. */
  givenUpAfterMs: 24 * 3_600_000,
  /** A decision after the deadline waits this long for a read that shows whether the backend has gone on. */
  firstLookMs: 3_000,
  /** A no waits only this long for such a read if the store does not answer. */
  lastLookMs: 250,
  readTimeoutMs: 15_000,
  confirmTimeoutMs: 30_000,
  cancelTimeoutMs: 30_000,
  urgentCancelTimeoutMs: 4_000,
} as const;

/** Returns how long before the deadline an undecided demand is withdrawn, in milliseconds. */
export const marginMs = ({ confirmDeadlineMs }: Policy): number =>
  Math.min(TIMES.largestMarginMs, Math.round(confirmDeadlineMs / 4));

/** Limits a wait to a third of the margin, because several tries must fit into the margin. */
export const withinMargin = (policy: Policy, ms: number): number => Math.min(ms, Math.floor(marginMs(policy) / 3));

/**
 * Returns the longest that a request may take now, in milliseconds. Near the deadline no request outlasts a third of
 * the margin.
 */
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
