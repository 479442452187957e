import type * as z from "zod";
import type { TowowError } from "../errors.ts";
import { RejectedByBackend } from "./errors.ts";

/** What a caller may set for one request. */
export interface CallOptions {
  /** Ends the call; it then rejects with the signal's own reason. */
  signal?: AbortSignal;
  /** `X-Request-Id`; a fresh one when absent, the same for every attempt. */
  requestId?: string;
  /** `Idempotency-Key` of a write; a fresh one when absent, the same for every attempt. */
  idempotencyKey?: string;
  /** The longest that the call may take, its retries included, once it has its token; the token may take as long. */
  timeoutMs?: number;
  /** Nothing is sent: it throws DryRun with the request that it would have been. */
  dryRun?: true;
  /** Hears of every answer before its body is read. */
  onHead?: (head: { status: number; headers: Pick<Headers, "get"> }) => void;
}

/** One request, and all that must be known to read its answer. */
export interface Operation<T> {
  /** The client method, for errors and logs. */
  name: string;
  method: "GET" | "POST";
  url: URL;
  /** The body of a POST, already checked. */
  body?: Record<string, unknown>;
  /** The shape of a success. */
  answer: z.ZodType<T>;
  readRejection?: ReadRejection;
  /** What a success that broke off, or is not of that shape, says all the same; `undefined` where that is nothing. */
  readBeginning?: (text: string) => T | undefined;
  /** A success gives a token, which may be the one that was sent. */
  answersToken?: true;
}

/** The error that a route means by a status and the backend's `detail`; `undefined` where it has no word for it. */
export type ReadRejection = (status: number, detail: string) => TowowError | undefined;

/** Checks a body before it is sent. @throws RejectedByBackend for what the backend would refuse */
export function outbound<T extends Record<string, unknown>>(name: string, schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.map(String).join(".") || "body";
  throw new RejectedByBackend(
    { operation: name, field },
    { detail: `${field}: ${issue?.message}`, detailFrom: "program" },
  );
}
