import { NEWER } from "../../newer.ts";
import { isUndecided, type Stage } from "../stage.ts";
import { marginMs, type Policy, TIMES, withinMargin } from "./times.ts";

export type Step =
  | { do: "wait"; ms: number }
  | { do: "read" }
  /** Write down that this program would answer for it when the one that does ends. */
  | { do: "offer" }
  /** Answer for it from now on, in the place of a program that is gone. */
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
  | { do: "abandon" }
  /** Nothing is left for this program to do. */
  | { do: "idle" };

/** What this program has seen, beside facts and snapshot. Times in milliseconds. */
export interface PlanInput {
  /** The least time until the backend confirms by itself, as wrong as clock and timers may be; undefined when not known. */
  leftMs: number | undefined;
  /** The most time until then. */
  leftAtMostMs: number | undefined;
  /** Whether this program is the one that answers. */
  isMine: boolean;
  /** Whether another program that answers is still running, as it seems. */
  isOwnerAlive: boolean;
  /** This program has offered to answer for it after that one, or need not try. */
  isOffered: boolean;
  /** Since that program wrote that it answers, by the clock, whichever way that was set. */
  ownerAgeMs: number;
  /** Since the read began that was answered last; undefined before the first. */
  sinceReadMs: number | undefined;
  /** Since that answer came. */
  sinceAnswerMs: number | undefined;
  /** Since it was last asked, answered or not. */
  sinceRequestMs: number | undefined;
  /** Since that request was over; undefined before the first. */
  sinceRequestEndMs: number | undefined;
  /** For how long the backend has said that it does not know it; undefined when it knows it. */
  notFoundMs: number | undefined;
  /** Since the standing decision was written, by the clock, whichever way that was set. */
  decisionAgeMs: number;
  /** What this program has tried for the standing decision. */
  attempt: Attempt;
  /**
   * The text that the decision sends: `ready` at hand, or the backend's own; `unread` before the backend's is read;
   * `changed` where the backend's is no longer the one decided on; `lost` where only a dead program had it.
   */
  text: "ready" | "unread" | "changed" | "lost";
  /** Whether it was decided in this program a moment ago, the text having just been read. */
  isDecidedHere: boolean;
  /** The program ends, and what is undecided is withdrawn. */
  isWithdrawingAtEnd: boolean;
}

export interface Attempt {
  count: number;
  /** How the last one went: refused for the moment, failed for certain, or nobody knows. */
  last: "none" | "busy" | "failed" | "unknown";
  sinceMs: number;
  /** Since its answer was lost. */
  sinceLossMs: number;
}

/**
 * What the program does next about one negotiation: a pure function of where it stands, what this program has
 * seen, and the policy.
 */
export function next(stage: Stage, input: PlanInput, policy: Policy): Step {
  if (isSettled(stage, input.leftMs)) return idle;
  // What a newer program decided is its own to carry out, and to write the end of.
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

/** Whether no program has anything left to do about it. `leftMs`: until the backend goes on by itself. */
export function isSettled(stage: Stage, leftMs: number | undefined): boolean {
  if (stage.name === "not_found" || (leftMs ?? 0) < -TIMES.givenUpAfterMs) return true;
  return (stage.name === "over" || stage.name === "moving") && isWritten(stage);
}

/** Whether what is seen, and the last decision's effect, stand in the facts. */
const isWritten = ({ outcome, decision }: Extract<Stage, { name: "over" | "moving" }>): boolean =>
  outcome !== undefined && (decision === undefined || outcome.number >= decision.number);

/** A no is sent until the backend has it. */
function cancelUntilDone(input: PlanInput, policy: Policy): Step {
  const { attempt, notFoundMs, leftMs } = input;
  if (attempt.count === 0) return { do: "cancel" };
  if (leftMs === undefined) return idle; // submitted by others: the decider learns that it failed
  if (notFoundMs !== undefined && isNotFoundBelieved(input)) return { do: "abandon" };
  const isLate = leftMs < -TIMES.confirmTimeoutMs;
  const retryMs = isLate
    ? TIMES.lateRetryMs
    : withinMargin(policy, notFoundMs === undefined ? TIMES.cancelRetryMs : TIMES.notFoundRetryMs);
  return attempt.sinceMs >= retryMs ? { do: "cancel" } : wait(retryMs - attempt.sinceMs);
}

/** Whether silence lets the backend broadcast: by the policy now and by the one under which it was submitted. */
export const isLeftToBackend = (
  { isNeverLeft, onUnconfirmed }: Pick<Stage, "isNeverLeft" | "onUnconfirmed">,
  policy: Policy,
): boolean => policy.onUnconfirmed === "leave" && (onUnconfirmed ?? "leave") === "leave" && !isNeverLeft;

/** Undecided: withdrawn before the backend would broadcast it by itself (contract §6, "the deadline is real"). */
function guardDeadline(stage: Stage, input: PlanInput, policy: Policy): Step {
  if (input.leftMs === undefined) return idle; // submitted by others: no deadline is known, nothing is ours to withdraw
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
 * Whether a backend that says "not found" is believed: after a minute, and when nothing can go out any more.
 * One of several workers may not know what another is about to broadcast.
 */
const isNotFoundBelieved = ({ notFoundMs = 0, leftAtMostMs = 0 }: PlanInput): boolean =>
  notFoundMs >= TIMES.notFoundBelievedMs && leftAtMostMs <= 0;

/**
 * Another program answers, and may only seem to: one that hangs, or no longer reaches the backend, looks alive. So
 * whoever knows an open negotiation takes it over shortly before the deadline, when that program has had its chance.
 */
function standBy(stage: Stage, input: PlanInput, policy: Policy): Step {
  if (input.isWithdrawingAtEnd) return idle;
  const turnMs = untilTurnMs(stage, input, policy);
  if (turnMs <= 0) return { do: "adopt" };
  const offered = mayOffer(stage, input, policy) ? offer(input) : undefined;
  if (offered !== undefined) return offered;
  return wait(Math.min(turnMs, TIMES.ownerCheckMs, Math.max(withinMargin(policy, TIMES.clockCheckMs), 1)));
}

function untilTurnMs(stage: Stage, { leftMs, ownerAgeMs }: PlanInput, policy: Policy): number {
  const isOpen = isUndecided(stage) || stage.name === "confirming" || stage.name === "cancelling";
  const isLeft = isUndecided(stage) && isLeftToBackend(stage, policy);
  if (!isOpen || isLeft || leftMs === undefined || leftMs <= 0) return Number.POSITIVE_INFINITY;
  const margin = marginMs(policy);
  // Only its program has the text of an edit, and looks for its effect until then.
  const part = stage.name === "confirming" && stage.decision.kind === "edit" ? margin / 3 : (margin * 2) / 3;
  return Math.max(leftMs - part, margin / 6 - ownerAgeMs); // one that adopted it a moment ago has its chance as well
}

/** So near the deadline nobody leaves it to anybody: whoever gets it looks at the facts now and then only. */
export const isTooLateToLeave = (leftMs: number | undefined, policy: Policy): boolean =>
  leftMs === undefined || leftMs <= 2 * marginMs(policy);

const mayOffer = (stage: Stage, { isOffered, leftMs }: PlanInput, policy: Policy): boolean =>
  policy.keepsOthers === true &&
  !isOffered &&
  isUndecided(stage) &&
  !isLeftToBackend(stage, policy) &&
  !isTooLateToLeave(leftMs, policy);

/** Only what this program has just read: one that does not reach the backend would withdraw nothing. */
function offer(input: PlanInput): Step | undefined {
  const { sinceAnswerMs, notFoundMs } = input;
  if (sinceAnswerMs !== undefined && sinceAnswerMs <= TIMES.ownerCheckMs && notFoundMs === undefined)
    return { do: "offer" };
  const read = readEvery(input, TIMES.ownerCheckMs);
  return read.do === "read" ? read : undefined;
}

/**
 * A yes is sent, and where its answer is lost its effect is looked for. It goes again only after a read that shows the
 * same text still waiting; what shows no effect by the deadline is withdrawn.
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

/** Unseen at the deadline, the backend would broadcast its own text: a last read tells whether the yes has arrived. */
function lastChance({ decision }: Stage & { name: "confirming" }, input: PlanInput, policy: Policy): Step {
  const { attempt, text, leftMs = 0, isWithdrawingAtEnd } = input;
  const isFirst = attempt.count === 0;
  // A read that began in the millisecond of the try may have been answered before it: the next one shows its effect.
  if (!hasRequestedSince(input)) return input.sinceRequestMs === 0 && !isFirst ? wait(1) : { do: "read" };
  if (!isWithdrawingAtEnd) {
    // What arrived shows in moments, and a third of the margin is enough to withdraw what did not.
    const mayShow = attempt.last === "unknown" && attempt.sinceLossMs < TIMES.effectReadForMs;
    const mayArrive = text === "lost" && input.decisionAgeMs < TIMES.settlingMs;
    if ((mayShow || mayArrive) && leftMs > marginMs(policy) / 3) return readEvery(input, TIMES.effectReadEveryMs);
  }
  // Once more while there is time for it, and to withdraw it; one that was adopted goes at the program's end, too. A
  // yes to the network's own text has longer: what goes out by silence is what was agreed to.
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

/** Another program wrote this decision: what it sent may still arrive. */
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
  if (deadlineAt === undefined) return idle; // submitted by others: the decider learns that it is open
  if (attempt.sinceMs < TIMES.confirmRetryMs) return wait(TIMES.confirmRetryMs - attempt.sinceMs);
  if (!isFresh(input) || text === "unread") return readEvery(input, TIMES.confirmRetryMs);
  if (text === "lost") return { do: "undo", why: "edit_lost" };
  // Nobody has agreed to that text, nor to replacing it.
  return text === "changed" ? { do: "withdraw", by: "guard" } : { do: "confirm" };
}

/** Nothing is left for this program to do. */
const idle: Step = { do: "idle" };
const wait = (ms: number): Step => ({ do: "wait", ms: Math.max(1, Math.ceil(ms)) });

/** Asks the backend, but not more often than that. */
const readEvery = ({ sinceRequestMs }: PlanInput, everyMs: number): Step =>
  sinceRequestMs === undefined || sinceRequestMs >= everyMs ? { do: "read" } : wait(everyMs - sinceRequestMs);

/**
 * Whether the backend was asked after the last try, until a moment ago, whatever it answered: a slow one, or one that fails
 * to answer, would be asked for ever if the moment counted from the beginning.
 */
const hasRequestedSince = ({ sinceRequestMs, sinceRequestEndMs, attempt }: PlanInput): boolean =>
  sinceRequestMs !== undefined &&
  sinceRequestEndMs !== undefined &&
  sinceRequestEndMs <= TIMES.effectReadEveryMs &&
  (attempt.count === 0 || sinceRequestMs < attempt.sinceMs);

/**
 * Whether what the backend showed a moment ago may be acted on. How long that read took does not count, but it must have
 * begun when the last try was over.
 */
const isFresh = ({ sinceReadMs, sinceAnswerMs, attempt }: PlanInput): boolean =>
  sinceReadMs !== undefined &&
  sinceAnswerMs !== undefined &&
  sinceAnswerMs <= TIMES.effectReadEveryMs &&
  (attempt.count === 0 || sinceReadMs < Math.min(attempt.sinceMs, attempt.sinceLossMs));
