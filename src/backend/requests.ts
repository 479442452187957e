import { systemClock } from "../clock.ts";
import { BodyTooLarge } from "./body.ts";
import { type ConnectionOptions, type Connections, loadConnections } from "./connections.ts";
import { TimedOut } from "./failure.ts";

export interface RequestOptions extends ConnectionOptions {
  /** Of this program, for `User-Agent`. */
  version: string;
  /** Takes the place of Node's fetch and its connections, for tests. */
  fetch?: (request: Request) => Promise<Response>;
}

/** One request on the wire, without what bounds it. */
interface WireRequest {
  url: URL;
  method: "GET" | "POST";
  headers: Record<string, string>;
  /** Sent as JSON. */
  body: Record<string, unknown> | undefined;
}

/** Sends one request: it follows no redirect, repeats nothing and does not throw for a status. */
export type Send = (request: WireRequest, bound: Bound) => Promise<Response>;

export interface Requests {
  send: Send;
  /** Absent where something takes the place of Node's fetch. */
  upgrade: Connections["upgrade"] | undefined;
  close(): Promise<void>;
}

/**
 * Every request to a backend goes out here: ky over Node's fetch and undici's connections. ky's own retry is off, since it
 * shortens Retry-After and cannot tell a write that never left (`retry.ts` repeats); so is its timeout, which ends with the
 * head of an answer (`Bound` lasts until the end of its body).
 */
export async function loadRequests({ version, fetch, ...options }: RequestOptions): Promise<Requests> {
  const [{ default: ky }, connections] = await Promise.all([
    import("ky"),
    fetch === undefined ? loadConnections(options) : undefined,
  ]);
  const api = ky.create({
    headers: { Accept: "application/json", "Accept-Encoding": "gzip", "User-Agent": `towow-mcp/${version}` },
    redirect: "manual", // `exchange.ts` follows, on the same origin only
    throwHttpErrors: false, // `exchange.ts` reads what a status means
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

/** What ends one exchange: its time, connecting, redirects and the body with it, or the caller. `end` it when it is over. */
export class Bound {
  readonly #stop = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #cancelTimer: () => void;
  #wasSent = false;

  constructor(timeoutMs: number, caller: AbortSignal | undefined) {
    this.#caller = caller;
    // The real clock on purpose: an injected one may leap minutes while a request is on a real wire.
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
 * Reads a body into `chunks`, which keep what has come where it breaks off. Bytes are counted as they come out of it, so
 * that a small compressed answer cannot fill the memory. Throws BodyTooLarge beyond `maxBytes`, the bound's reason, and
 * whatever breaks it off.
 */
export async function readBody(
  body: Response["body"],
  chunks: Uint8Array[],
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
): Promise<void> {
  const reader = (body ?? new Blob().stream()).getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  // fetch hears of the signal by way of ky's request, which may be collected once the head of the answer has come.
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
