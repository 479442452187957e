import { TIMES } from "./times.ts";

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

/** Nothing is left for this program to do. */
export const idle: Step = { do: "idle" };
export const wait = (ms: number): Step => ({ do: "wait", ms: Math.max(1, Math.ceil(ms)) });

/** Asks the backend, but not more often than that. */
export const readEvery = ({ sinceRequestMs }: PlanInput, everyMs: number): Step =>
  sinceRequestMs === undefined || sinceRequestMs >= everyMs ? { do: "read" } : wait(everyMs - sinceRequestMs);

/**
 * Whether the backend was asked after the last try, until a moment ago, whatever it answered: a slow one, or one that fails
 * to answer, would be asked for ever if the moment counted from the beginning.
 */
export const hasRequestedSince = ({ sinceRequestMs, sinceRequestEndMs, attempt }: PlanInput): boolean =>
  sinceRequestMs !== undefined &&
  sinceRequestEndMs !== undefined &&
  sinceRequestEndMs <= TIMES.effectReadEveryMs &&
  (attempt.count === 0 || sinceRequestMs < attempt.sinceMs);

/**
 * Whether what the backend showed a moment ago may be acted on. How long that read took does not count, but it must have
 * begun when the last try was over.
 */
export const isFresh = ({ sinceReadMs, sinceAnswerMs, attempt }: PlanInput): boolean =>
  sinceReadMs !== undefined &&
  sinceAnswerMs !== undefined &&
  sinceAnswerMs <= TIMES.effectReadEveryMs &&
  (attempt.count === 0 || sinceReadMs < Math.min(attempt.sinceMs, attempt.sinceLossMs));
