import { TowowError } from "../errors.ts";
import { readAnswer } from "./answer.ts";
import { BodyTooLarge, bodyOf, decoded, withoutSecret } from "./body.ts";
import {
  ConnectionBlocked,
  CutBody,
  NotHttp,
  NotJson,
  OutcomeUnknown,
  ReadTimeout,
  Redirected,
  TooLarge,
  Unreachable,
} from "./errors.ts";
import { NOT_HTTP, networkFailure, TimedOut } from "./failure.ts";
import type { CallOptions, Operation } from "./operation.ts";
import type { ParsedAnswers } from "./parsed-answers.ts";
import { Bound, readBody, type Send } from "./requests.ts";
import { retryAfterSeconds } from "./retry.ts";

export interface Bounds {
  /** For the whole exchange: connecting, redirects, the body. */
  timeoutMs: number;
  /** Cap on the decoded body. */
  maxBytes: number;
  /** What the clock reads, for a Retry-After that is a date. */
  nowMs: number;
  /** The token that is sent: no answer may give it out again, unless tokens are what is asked for. */
  bearer: string | undefined;
  /** The caller's. */
  signal: AbortSignal | undefined;
  /** Hears of the answer before its body is read. */
  onHead: CallOptions["onHead"];
  /** Answers that were parsed before. */
  parsedAnswers: ParsedAnswers;
}

const MAX_REDIRECTS = 3;
/** Their status says all: a body that breaks off, or never ends, leaves nothing open. */
const CLEAR_BY_STATUS = [401, 403, 407, 429];

/**
 * One request, its redirects and its answer, read to the end. Throws the classes of `errors.ts` as if for a read
 * (`retry.ts` makes of them what they mean for a write), or the caller's own reason.
 */
export async function exchange<T>(
  send: Send,
  operation: Operation<T>,
  headers: Record<string, string>,
  { timeoutMs, maxBytes, nowMs, bearer, signal: caller, onHead, parsedAnswers }: Bounds,
): Promise<T> {
  const { name, url } = operation;
  let stage: "head" | "body" = "head";
  let reply: Response | undefined;
  const chunks: Uint8Array[] = [];
  const bound = new Bound(timeoutMs, caller);
  try {
    const response = await follow(send, operation, headers, bound);
    reply = response;
    stage = "body";
    onHead?.(response);
    const secret = operation.answersToken && isOk(response) ? undefined : bearer;
    refuseNested(name, response);
    await readBody(response.body, chunks, { maxBytes, signal: bound.signal }).catch((error: unknown) => {
      caller?.throwIfAborted();
      if (!CLEAR_BY_STATUS.includes(response.status)) throw error;
      chunks.length = 0;
    });
    const text = withoutSecret(decoded(chunks), secret);
    const known = isOk(response) ? parsedAnswers.find<T>(operation.answer, text) : undefined;
    if (known !== undefined) return known.value;
    const value = readAnswer(operation, {
      status: response.status,
      contentType: response.headers.get("content-type") ?? "",
      retryAfterSeconds: retryAfterSeconds(response.headers.get("retry-after"), nowMs),
      body: await bodyOf(text),
    });
    if (operation.method === "GET") parsedAnswers.keep(operation.answer, text, value);
    return value;
  } catch (cause) {
    const begun = reply && isOk(reply) ? operation.readBeginning?.(withoutSecret(decoded(chunks), bearer)) : undefined;
    if (begun !== undefined) return begun;
    caller?.throwIfAborted();
    if (cause instanceof TowowError) throw cause;
    if (cause instanceof BodyTooLarge) throw new TooLarge({ operation: name, limit_bytes: maxBytes });
    if (cause instanceof TimedOut && cause.wasSent)
      throw new ReadTimeout({ operation: name, timeout_ms: timeoutMs }, { cause });
    const { reached, blocked, reason } = networkFailure(cause);
    if (reason === NOT_HTTP && stage === "head") throw new NotHttp({ operation: name, origin: url.origin }, { cause });
    if (reached || stage === "body") throw new CutBody({ operation: name, stage, reason }, { cause });
    throw new (blocked ? ConnectionBlocked : Unreachable)({ operation: name, origin: url.origin, reason }, { cause });
  } finally {
    bound.end();
  }
}

/** Asked for gzip alone, nobody means this; within one coding, a few bytes of another hide hours of work for nothing. */
function refuseNested(operation: string, { status, headers, body }: Response): void {
  const coding = headers.get("content-encoding");
  if (!coding?.includes(",")) return;
  void body?.cancel().catch(() => {});
  throw new NotJson(
    { operation, status, content_type: headers.get("content-type") ?? "" },
    { detail: `compressed as ${coding}`, detailFrom: "program" },
  );
}

const isOk = ({ status }: Response): boolean => status >= 200 && status <= 299;

/** Follows redirects by hand: on the same origin only, so that the bearer goes nowhere else. */
async function follow(
  send: Send,
  { name, method, body, url: start }: Operation<unknown>,
  headers: Record<string, string>,
  bound: Bound,
): Promise<Response> {
  let url = start;
  for (let hop = 0; ; hop++) {
    const response = await send({ url, method, headers, body }, bound);
    const { status } = response;
    if (![301, 302, 303, 307, 308].includes(status)) return response;
    void response.body?.cancel().catch(() => {}); // nobody reads it
    const location = response.headers.get("location");
    const target = location !== null && URL.canParse(location, url.href) ? new URL(location, url) : undefined;
    const refuse = (reason: string) =>
      new Redirected({ operation: name, status, reason, target: target?.origin ?? "" });
    // "See other" is also how a server says that it has done the thing.
    if (status === 303 && method === "POST") {
      throw new OutcomeUnknown({ operation: name, reason: "redirect_303" }, { cause: refuse("method_would_change") });
    }
    if (target === undefined) throw refuse("no_location");
    if (target.origin !== start.origin) throw refuse("other_origin");
    if (target.username !== "" || target.password !== "") throw refuse("credentials");
    if (status < 307 && method === "POST") throw refuse("method_would_change");
    if (hop === MAX_REDIRECTS) throw refuse("loop");
    url = target;
  }
}
