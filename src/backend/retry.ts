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
 * What is repeated on the wire; undici itself repeats nothing. Contract section 4:
 * - a read is repeated, three times at most, when it timed out, broke off, met a 5xx or 429, or reached nobody;
 * - a write is repeated only when the request certainly did not take effect: it reached nobody, or 429, or 503 with
 *   Retry-After. A write whose outcome is open ends as OutcomeUnknown and is not sent again here: a confirm or a cancel goes
 *   again only by the plan (`plan/next.ts`);
 * - besides, `http.ts` sends a request once more after a 401 and a renewed token, and `exchange.ts` follows redirects of
 *   the same origin.
 */
const MAX_RETRIES = 3;

const FIRST_DELAY_MS = 300;
/** A backend that asks for a longer pause than this gets none: the error names the time instead. */
const LONGEST_RETRY_AFTER_MS = 10_000;

export type Kind = "read" | "write";

/** Whether a failed request may go out again at all. */
function mayRepeat(kind: Kind, error: TowowError): boolean {
  if (error instanceof Unreachable || error instanceof RateLimited) return true;
  return kind === "read" && (error instanceof ReadTimeout || error instanceof CutBody || error instanceof ServerError);
}

/** Whether a write that failed so may have happened all the same. */
export function leavesOutcomeOpen(error: TowowError): boolean {
  const open = [ReadTimeout, CutBody, ServerError, NotHttp, NotJson, WrongShape, TooLarge];
  return open.some((kind) => error instanceof kind);
}

/** What such a write ends with. `reason` is the last word of the code it hides, with the status of a 5xx. */
export function outcomeUnknown(operation: string, cause: TowowError): OutcomeUnknown {
  const word = cause instanceof ReadTimeout ? "timeout" : cause.code.slice(cause.code.lastIndexOf(".") + 1);
  const reason = cause instanceof ServerError ? `${word}_${cause.params.status}` : word;
  return new OutcomeUnknown({ operation, reason }, { cause, detail: cause.detail });
}

/**
 * The pause before retry number `retry` (from 0), in milliseconds: what the backend asked for, else doubling with
 * jitter (`random` in 0–1). `undefined`: not again, for the kind of failure, the count, or a pause that nobody waits.
 */
export function pauseMs(kind: Kind, retry: number, error: TowowError, random: () => number): number | undefined {
  const askedMs = (error.retryAfterSeconds ?? 0) * 1000;
  if (retry >= MAX_RETRIES || askedMs > LONGEST_RETRY_AFTER_MS || !mayRepeat(kind, error)) return undefined;
  return Math.max(askedMs, Math.round(FIRST_DELAY_MS * 2 ** retry * (0.5 + random() / 2)));
}

/** `Retry-After` in seconds, from a number or a date; `undefined` without a sensible one. */
export function retryAfterSeconds(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  if (/^\s*\d{1,9}(\.\d+)?\s*$/.test(header)) return Math.ceil(Number(header));
  // biome-ignore lint/style/noRestrictedGlobals: reads a date off the wire, not the clock
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - nowMs) / 1000));
}
