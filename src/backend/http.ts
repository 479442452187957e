import { nanoid } from "nanoid";
import { TowowError } from "../errors.ts";
import type { Platform } from "../platform.ts";
import { MAX_BODY_BYTES, withoutSecret } from "./body.ts";
import { TokenRejected, TokenUnavailable, Unreachable } from "./errors.ts";
import { exchange, loadRequests, ParsedAnswers, type RequestOptions, type Requests } from "./exchange.ts";
import { type FrameListener, listen } from "./feed/socket.ts";
import type { CallOptions, Operation } from "./operation.ts";
import { type Kind, leavesOutcomeOpen, outcomeUnknown, pauseMs } from "./retry.ts";

export interface HttpOptions extends RequestOptions {
  /** The time limit for one attempt of a read, in milliseconds, 15,000 by default. */
  readTimeoutMs?: number;
  /** The time limit for one attempt of a write, in milliseconds, 30,000 by default. */
  writeTimeoutMs?: number;
  /** The time limit for a read with all its retries, in milliseconds, 30,000 by default. */
  readTotalMs?: number;
}

export interface Http {
  /**
   * Sends one operation and resolves with its typed answer (contract section 4).
   * @throws the classes of `errors.ts`, or the signal's reason
   */
  send<T>(operation: Operation<T>, auth: Auth, call?: CallOptions): Promise<T>;
  /**
   * Listens to a WebSocket of the backend over the same connections, and resolves with the function that ends the listening. A
   * failed attempt is not repeated.
   * @throws if there is no such socket, or none can be reached in time
   */
  listen(url: URL, call: ListenOptions, listener: FrameListener, signal: AbortSignal): Promise<() => void>;
  /** Drops the connections. A later call opens new connections. */
  close(): Promise<void>;
}

interface ListenOptions {
  bearer: string | undefined;
  requestId: string;
}

/** The time limit for a write with the retries that it may have, in milliseconds. */
const WRITE_TOTAL_MS = 45_000;
/** The most WebSockets that one program has open at once, for all its users together. */
const MAX_LISTENING = 200;

/** Creates the client, which does nothing and loads nothing before the first request. */
export function createHttp({ clock, random, log }: Platform, options: HttpOptions): Http {
  const { readTimeoutMs = 15_000, writeTimeoutMs = 30_000, readTotalMs = 30_000 } = options;
  let requests: Promise<Requests> | undefined;
  let listening = 0;
  const parsedAnswers = new ParsedAnswers();

  function open(): Promise<Requests> {
    requests ??= loadRequests(options);
    return requests;
  }

  async function send<T>(operation: Operation<T>, auth: Auth, call: CallOptions = {}): Promise<T> {
    const { signal } = call;
    const { name } = operation;
    signal?.throwIfAborted();
    const wire = await open();
    const kind: Kind = operation.method === "GET" ? "read" : "write";
    const requestId = call.requestId ?? nanoid();
    const headers: Record<string, string> = { "X-Request-Id": requestId };
    if (kind === "write") headers["Idempotency-Key"] = call.idempotencyKey ?? nanoid();

    let bearer = await bearerOf(operation, auth, call);
    const renew = renewOnce(auth, signal);
    let deadline = clock.monotonic() + (call.timeoutMs ?? (kind === "read" ? readTotalMs : WRITE_TOTAL_MS));
    for (let retry = 0; ; ) {
      const from = clock.monotonic();
      const timeoutMs = Math.min(kind === "read" ? readTimeoutMs : writeTimeoutMs, deadline - from);
      try {
        return await exchange(wire.send, operation, withBearer(name, headers, bearer), {
          timeoutMs,
          maxBytes: MAX_BODY_BYTES,
          nowMs: clock.now(),
          bearer,
          signal,
          onHead: call.onHead,
          parsedAnswers,
        });
      } catch (error) {
        if (!(error instanceof TowowError)) throw error;
        log.debug("backend_failed", { operation: name, code: error.code, retry, request_id: requestId });
        const renewingFrom = clock.monotonic();
        const fresh = await renew(bearer, error);
        if (fresh !== undefined) {
          bearer = fresh;
          // Renewing has its own time limits, and must not use up the time of the call.
          deadline += clock.monotonic() - renewingFrom;
          continue;
        }
        if (kind === "write" && leavesOutcomeOpen(error)) throw outcomeUnknown(name, error);
        const pause = pauseMs(kind, retry, error, random);
        if (pause === undefined || clock.monotonic() + pause >= deadline) throw error;
        await clock.sleep(pause, signal);
        retry += 1;
      }
    }
  }

  async function listenTo(
    url: URL,
    { bearer, requestId }: ListenOptions,
    listener: FrameListener,
    signal: AbortSignal,
  ): Promise<() => void> {
    const refuse = (reason: string) => new Unreachable({ operation: "feed", origin: url.origin, reason });
    const { upgrade } = await open();
    if (upgrade === undefined) throw refuse("no_socket");
    if (listening >= MAX_LISTENING) throw refuse("too_many_sockets");
    const always = { "X-Request-Id": requestId, "User-Agent": `towow-mcp/${options.version}` };
    const headers = withBearer("feed", always, bearer); // This line may throw, so it comes before a place is taken.
    listening += 1;
    const closed = () => {
      listening -= 1;
      listener.closed();
    };
    const frame = (text: string) => listener.frame(withoutSecret(text, bearer));
    return listen(url, headers, upgrade, { frame, closed }, signal).catch((error) => {
      listening -= 1;
      throw error;
    });
  }

  async function close(): Promise<void> {
    const opening = requests;
    requests = undefined;
    await (await opening?.catch(() => undefined))?.close();
  }

  return { send, listen: listenTo, close };
}

/**
 * Returns the token for an operation. If the caller has set a time limit for the call, getting the token must end
 * within it too.
 */
async function bearerOf({ name }: Operation<unknown>, auth: Auth, { signal, timeoutMs }: CallOptions) {
  if (timeoutMs === undefined) return auth.bearer(signal);
  const timer = AbortSignal.timeout(Math.ceil(timeoutMs)); // The real clock is used, as for every exchange on a real wire.
  try {
    return await auth.bearer(signal === undefined ? timer : AbortSignal.any([signal, timer]));
  } catch (error) {
    signal?.throwIfAborted();
    throw timer.aborted ? new TokenUnavailable({ operation: name, reason: "timeout" }) : error;
  }
}

/**
 * Adds the token to the headers. A token that cannot stand in a header is refused here with a code, before undici
 * refuses it without one.
 */
function withBearer(operation: string, headers: Record<string, string>, bearer: string | undefined) {
  if (bearer === undefined) return headers;
  if (!/^[\x21-\x7e]+$/.test(bearer))
    throw new TokenRejected({ operation }, { detail: "not a header value", detailFrom: "program" });
  return { ...headers, Authorization: `Bearer ${bearer}` };
}

/** The source of the bearer. Both methods may reject with a TowowError or with the signal's reason. */
export interface Auth {
  /** Returns the token for this backend, renewed before it ends, or `undefined` if the backend issues none. */
  bearer(signal?: AbortSignal): Promise<string | undefined>;
  /** Returns a token newer than the failed one, or `undefined` if there is none. */
  renew(failed: string | undefined, signal?: AbortSignal): Promise<string | undefined>;
}

/**
 * Returns a function that reacts to the failure of a request. After the first 401 it resolves with another token, with which
 * the request is repeated. For every other failure, and for a second 401, it resolves with undefined.
 * @throws the failure if there is no other token
 */
function renewOnce(auth: Auth, signal: AbortSignal | undefined) {
  let isRenewed = false;
  return async (bearer: string | undefined, failure: unknown): Promise<string | undefined> => {
    if (!(failure instanceof TokenRejected) || isRenewed) return undefined;
    isRenewed = true;
    const fresh = await auth.renew(bearer, signal);
    if (fresh === undefined || fresh === bearer) throw failure;
    return fresh;
  };
}
