import type { TowowError } from "../errors.ts";
import {
  CutBody,
  NotHttp,
  NotJson,
  OutcomeUnknown,
  RateLimited,
  ReadTimeout,
  ServerError,
  TooLarge,
  Unreachable,
  WrongShape,
} from "./errors.ts";

/**
 * This file decides what is repeated on the wire, because undici itself repeats nothing (contract section 4).
 * - A read is repeated, three times at most, if it timed out, broke off, met a 5xx or 429, or reached nobody.
 * - A write is repeated only if the request certainly did not take effect, because it reached nobody, or met 429, or 503 with
 * Retry-After. A write whose outcome is open ends as OutcomeUnknown and is not sent again here. A confirm or a cancel is sent
 * again only by the plan (`negotiation/plan.ts`).
 * - In addition, `http.ts` sends a request once more after a 401 and a renewed token, and `exchange.ts` follows redirects on
 * the same origin.
 */
const MAX_RETRIES = 3;

const FIRST_DELAY_MS = 300;
/**
 * The longest pause that a backend may ask for, in milliseconds. If the backend asks for a longer pause, the error names the
 * time instead.
 */
const LONGEST_RETRY_AFTER_MS = 10_000;

export type Kind = "read" | "write";

/** Returns whether a failed request may be sent again at all. */
function mayRepeat(kind: Kind, error: TowowError): boolean {
  if (error instanceof Unreachable || error instanceof RateLimited) return true;
  return kind === "read" && (error instanceof ReadTimeout || error instanceof CutBody || error instanceof ServerError);
}

/** Returns whether a write that failed in this way may nevertheless have happened. */
export function leavesOutcomeOpen(error: TowowError): boolean {
  const open = [ReadTimeout, CutBody, ServerError, NotHttp, NotJson, WrongShape, TooLarge];
  return open.some((kind) => error instanceof kind);
}

/**
 * Returns the error for a write whose outcome is open. `reason` is the last word of the cause's code, with the status of a 5xx.
 */
export function outcomeUnknown(operation: string, cause: TowowError): OutcomeUnknown {
  const word = cause instanceof ReadTimeout ? "timeout" : cause.code.slice(cause.code.lastIndexOf(".") + 1);
  const reason = cause instanceof ServerError ? `${word}_${cause.params.status}` : word;
  return new OutcomeUnknown({ operation, reason }, { cause, detail: cause.detail });
}

/**
 * Returns the pause before retry number `retry` (from 0), in milliseconds, which is what the backend asked for, or else a
 * doubling pause with jitter (`random` in 0–1). Returns `undefined` if there is no retry, because of the kind of failure, the
 * number of retries, or a pause that is too long.
 */
export function pauseMs(kind: Kind, retry: number, error: TowowError, random: () => number): number | undefined {
  const askedMs = (error.retryAfterSeconds ?? 0) * 1000;
  if (retry >= MAX_RETRIES || askedMs > LONGEST_RETRY_AFTER_MS || !mayRepeat(kind, error)) return undefined;
  return Math.max(askedMs, Math.round(FIRST_DELAY_MS * 2 ** retry * (0.5 + random() / 2)));
}

/** Returns `Retry-After` in seconds, from a number or a date, or `undefined` without a sensible one. */
export function retryAfterSeconds(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  if (/^\s*\d{1,9}(\.\d+)?\s*$/.test(header)) return Math.ceil(Number(header));
  // biome-ignore lint/style/noRestrictedGlobals: reads a date off the wire, not the clock
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - nowMs) / 1000));
}
