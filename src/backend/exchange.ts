import { LRUCache } from "lru-cache";
import { systemClock } from "../clock.ts";
import { TowowError } from "../errors.ts";
import { frozen } from "../frozen.ts";
import { type Body, BodyTooLarge, bodyOf, decoded, isJson, withoutSecret } from "./body.ts";
import { type ConnectionOptions, type Connections, loadConnections } from "./connections.ts";
import { SENT_FIELDS } from "./contract.ts";
import {
  BackendFailure,
  CutBody,
  Forbidden,
  NotHttp,
  NotJson,
  NotTowow,
  OutcomeUnknown,
  RateLimited,
  ReadTimeout,
  RouteMissing,
  ServerError,
  TokenRejected,
  TooLarge,
  Unreachable,
  WrongShape,
} from "./errors.ts";
import { NOT_HTTP, networkFailure, TimedOut } from "./failure.ts";
import type { CallOptions, Operation } from "./operation.ts";
import { retryAfterSeconds } from "./retry.ts";
import { baseOf } from "./route.ts";

export interface RequestOptions extends ConnectionOptions {
  /** The version of this program, for `User-Agent`. */
  version: string;
  /** Takes the place of Node's fetch and its connections, for tests. */
  fetch?: (request: Request) => Promise<Response>;
}

/** One request on the wire, without its limits. */
interface WireRequest {
  url: URL;
  method: "GET" | "POST";
  headers: Record<string, string>;
  /** The body, which is sent as JSON. */
  body: Record<string, unknown> | undefined;
}

/** Sends one request, without following redirects, repeating anything or throwing for a status. */
type Send = (request: WireRequest, bound: Bound) => Promise<Response>;

export interface Requests {
  send: Send;
  /** Absent if Node's fetch is replaced. */
  upgrade: Connections["upgrade"] | undefined;
  close(): Promise<void>;
}

/**
 * Loads what sends every request to a backend: ky over Node's fetch and undici's connections. ky's own retry is off,
 * because it shortens Retry-After and cannot recognise a write that never left (`retry.ts` repeats instead). ky's
 * timeout is off too, because it ends with the head of an answer, whereas a `Bound` lasts until the end of the body.
 */
export async function loadRequests({ version, fetch, ...options }: RequestOptions): Promise<Requests> {
  const [{ default: ky }, connections] = await Promise.all([
    import("ky"),
    fetch === undefined ? loadConnections(options) : undefined,
  ]);
  const api = ky.create({
    headers: { Accept: "application/json", "Accept-Encoding": "gzip", "User-Agent": `towow-mcp/${version}` },
    redirect: "manual", // `follow` follows redirects, on the same origin only.
    throwHttpErrors: false, // `readAnswer` reads what a status means.
    retry: 0,
    timeout: false,
    ...(fetch !== undefined && { fetch: (request) => fetch(request as Request) }),
  });
  return {
    async send({ url, method, headers, body }, bound) {
      const dispatcher = await connections?.to(url, bound.onSent);
      if (dispatcher === undefined) bound.onSent();
      bound.signal.throwIfAborted();
      return api(url, { method, headers, json: body, signal: bound.signal, dispatcher } as object);
    },
    upgrade: connections?.upgrade,
    close: async () => connections?.close(),
  };
}

interface Bounds {
  /** The time limit for the whole exchange: connecting, redirects and the body. */
  timeoutMs: number;
  /** The largest body that is read, in decoded bytes. */
  maxBytes: number;
  /** The current time in milliseconds since the epoch, for a Retry-After that is a date. */
  nowMs: number;
  /** The token that is sent. No answer may return it, unless the operation asks for tokens. */
  bearer: string | undefined;
  signal: AbortSignal | undefined;
  /** Called with the answer before its body is read. */
  onHead: CallOptions["onHead"];
  parsedAnswers: ParsedAnswers;
}

const MAX_REDIRECTS = 3;
/** Statuses that say everything, so that a body that breaks off or never ends does not matter. */
const CLEAR_BY_STATUS = [401, 403, 407, 429];

/**
 * Sends one request, follows its redirects and reads its answer to the end.
 * @throws the classes of `errors.ts` as for a read, which `retry.ts` translates for a write, or the caller's own reason
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
    const where = { operation: name, origin: url.origin, reason };
    if (blocked) throw new BackendFailure("tool.backend.blocked.connection", where, { cause });
    throw new Unreachable(where, { cause });
  } finally {
    bound.end();
  }
}

/**
 * Refuses an answer that is compressed more than once. Only gzip was asked for, so no honest server sends that, and a few bytes
 * inside two codings can hide hours of work.
 */
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

/** Follows redirects, on the same origin only, so that the bearer goes nowhere else. */
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
    void response.body?.cancel().catch(() => {}); // Nobody reads this body.
    const location = response.headers.get("location");
    const target = location !== null && URL.canParse(location, url.href) ? new URL(location, url) : undefined;
    const refuse = (reason: string) =>
      new BackendFailure("tool.backend.invalid.redirect", {
        operation: name,
        status,
        reason,
        target: target?.origin ?? "",
      });
    // "See other" is also how a server says that it has done what was asked.
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

/**
 * The limit of one exchange, which is reached when the time for connecting, redirects and body is over, or when the caller
 * aborts. Call `end` when the exchange is over.
 */
class Bound {
  readonly #stop = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #cancelTimer: () => void;
  #wasSent = false;

  constructor(timeoutMs: number, caller: AbortSignal | undefined) {
    this.#caller = caller;
    // The real clock is used on purpose, because an injected clock may leap minutes while a request is on a real wire.
    this.#cancelTimer = systemClock.after(Math.max(1, Math.ceil(timeoutMs)), () =>
      this.#stop.abort(new TimedOut({ wasSent: this.#wasSent })),
    );
    caller?.addEventListener("abort", this.#onAbort, { once: true });
    if (caller?.aborted) this.#onAbort();
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  readonly onSent = (): void => {
    this.#wasSent = true;
  };

  readonly #onAbort = (): void => this.#stop.abort(this.#caller?.reason);

  end(): void {
    this.#cancelTimer();
    this.#caller?.removeEventListener("abort", this.#onAbort);
  }
}

/**
 * Reads a body into `chunks`, which keep what has come if the body breaks off. Decoded bytes are counted, so that a
 * small compressed answer cannot fill the memory.
 * @throws BodyTooLarge beyond `maxBytes`, the reason of the limit's signal, or whatever breaks the body off
 */
async function readBody(
  body: Response["body"],
  chunks: Uint8Array[],
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
): Promise<void> {
  const reader = (body ?? new Blob().stream()).getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  // fetch gets the signal by way of ky's request, which may be collected once the head of the answer has come.
  signal.addEventListener("abort", cancel, { once: true });
  try {
    for (let bytes = 0; ; ) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return;
      bytes += value.byteLength;
      if (bytes > maxBytes) throw new BodyTooLarge();
      chunks.push(value);
    }
  } finally {
    signal.removeEventListener("abort", cancel);
    cancel();
  }
}

/** The longest text that is remembered, in UTF-16 units. Longer texts are parsed each time. */
const MAX_LENGTH = 32_768;
const MAX_ANSWERS = 32;

/**
 * The parsed answers, by their text and the shape that was asked for. Most reads show nothing new and return the very same
 * frozen object as before. A user gets only what their own answer says.
 */
export class ParsedAnswers {
  readonly #values = new LRUCache<string, { shape: object; value: unknown }>({ max: MAX_ANSWERS });

  /** Returns the answer, or undefined if this text has not been read in this shape. */
  find<T>(shape: object, text: string): { value: T } | undefined {
    const known = text.length > MAX_LENGTH ? undefined : this.#values.get(text);
    return known?.shape === shape ? (known as { value: T }) : undefined;
  }

  keep<T>(shape: object, text: string, value: T): void {
    if (text.length > MAX_LENGTH) return;
    this.#values.set(text, { shape, value: frozen(value) });
  }
}

/** The longest piece of the backend's own words that an error keeps, in UTF-16 units. */
const DETAIL_LENGTH = 500;

interface BackendAnswer {
  status: number;
  contentType: string;
  retryAfterSeconds: number | undefined;
  body: Body;
}

/**
 * Returns the typed value of a success (contract section 4).
 * @throws the typed error that the answer stands for
 */
function readAnswer<T>(operation: Operation<T>, answer: BackendAnswer): T {
  if (answer.status < 200 || answer.status > 299) throw rejection(operation, answer);
  const value = json(operation, answer);
  const parsed = operation.answer.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.map(String).join(".") || "body";
  throw new WrongShape({ operation: operation.name, field }, { detail: issue?.message, detailFrom: "program" });
}

function json(operation: Operation<unknown>, { status, contentType, body }: BackendAnswer): unknown {
  if (body.excess !== undefined)
    throw new WrongShape({ operation: operation.name, field: "body" }, { detail: body.excess, detailFrom: "program" });
  if (isJson(body)) return body.json;
  // If a proxy closes early and no length was given, the JSON merely stops.
  if (/^\s*[[{"]/.test(body.text)) {
    throw new CutBody({ operation: operation.name, stage: "body", reason: "incomplete_json" });
  }
  const params = { operation: operation.name, status, content_type: contentType };
  throw new NotJson(params, { detail: body.text.slice(0, DETAIL_LENGTH) });
}

function rejection(operation: Operation<unknown>, answer: BackendAnswer): TowowError {
  const { status, retryAfterSeconds } = answer;
  const detail = detailOf(answer.body).slice(0, DETAIL_LENGTH);
  const extra = {
    detail: detail || (isJson(answer.body) ? "" : answer.body.text.slice(0, DETAIL_LENGTH)) || undefined,
    retryAfterSeconds,
  };
  const params = { operation: operation.name, status };

  const own = operation.readRejection?.(status, detail);
  if (own !== undefined) return own;
  if (status === 401) return new TokenRejected({ operation: operation.name }, extra);
  if (status === 403) return new Forbidden({ operation: operation.name }, extra);
  if (status === 404 || status === 405)
    return isPage(answer.body)
      ? new NotTowow({ ...params, address: baseOf(operation.url) }, extra)
      : new RouteMissing(params, extra);
  // Only a proxy answers 407, so the backend has not seen the request.
  if (status === 407) {
    return new Unreachable({ operation: operation.name, origin: operation.url.origin, reason: "proxy_407" }, extra);
  }
  if (status === 429 || (status === 503 && retryAfterSeconds !== undefined)) return new RateLimited(params, extra);
  if (status >= 500) return new ServerError(params, extra);
  if (status === 400 || status === 413 || status === 422) {
    return new BackendFailure(
      "tool.input.invalid.rejected_by_backend",
      { operation: operation.name, field: fieldsOf(answer.body, operation) },
      extra,
    );
  }
  return new BackendFailure("tool.backend.conflict.unexpected", params, extra);
}

/** Returns whether a body is text that is neither JSON nor the beginning of it. */
const isPage = (body: Body): boolean => !isJson(body) && /^\s*[^\s[{"]/.test(body.text);

interface Fault {
  loc: unknown[];
  msg: string;
}

/**
 * Returns the entries of a 422, without the `input` that newer pydantic echoes, because that may be a whole profile.
 */
function faultsOf(body: Body): Fault[] {
  const detail = isJson(body) && isRecord(body.json) ? body.json.detail : undefined;
  if (!Array.isArray(detail)) return [];
  return detail
    .filter(isRecord)
    .map(({ loc, msg }) => ({ loc: Array.isArray(loc) ? loc : [], msg: typeof msg === "string" ? msg : "" }));
}

/** Returns the name of a fault's field: `["body", "profile_data", "skills", 0]` becomes `profile_data.skills.0`. */
const fieldOf = ({ loc }: Fault): string => (loc[0] === "body" ? loc.slice(1) : loc).map(String).join(".") || "body";

/**
 * Returns the names of the refused fields, for a sentence of this program. Only fields that were sent can be refused. Any other
 * name comes from the backend and could be taken for this program's words, so it becomes "…" here.
 */
function fieldsOf(body: Body, operation: Pick<Operation<unknown>, "body">): string {
  const sent = keysIn(operation.body ?? {});
  const isOurs = (part: unknown) => Number.isInteger(part) || SENT_FIELDS.has(String(part)) || sent.has(String(part));
  const named = faultsOf(body).map(({ loc, msg }) =>
    fieldOf({ loc: loc.map((part, at) => (isOurs(part) || (at === 0 && part === "body") ? part : "…")), msg }),
  );
  return [...new Set(named)].slice(0, 8).join(", ") || "body";
}

/** Returns the names of all fields in a body, including those of a profile. */
const keysIn = (value: unknown): Set<string> =>
  new Set(
    typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([key, one]) => [...(Array.isArray(value) ? [] : [key]), ...keysIn(one)])
      : [],
  );

/** Returns the backend's `detail` as one text, or an empty text if the body is not the backend's way of refusing. */
function detailOf(body: Body): string {
  if (!isJson(body)) return "";
  const faults = faultsOf(body);
  if (faults.length > 0) return faults.map((fault) => `${fieldOf(fault)}: ${fault.msg}`).join("; ");
  return isRecord(body.json) && typeof body.json.detail === "string" ? body.json.detail : "";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
