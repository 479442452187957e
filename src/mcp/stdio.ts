import { once as event } from "node:events";
import { pipeline, type Readable, Transform, type Writable } from "node:stream";
import {
  type JSONRPCMessage,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  type Server,
  type Transport,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { jsonIn } from "../json.ts";
import { failureOf } from "../log.ts";
import { beginListening, isListen } from "./listen.ts";
import { buildServer } from "./server.ts";
import type { ServerDeps } from "./server-deps.ts";
import { Subscriptions } from "./subscriptions.ts";
import { withoutEmpty } from "./without-empty.ts";

/** The most subscription streams that one client may hold open. */
const MAX_SUBSCRIPTIONS = 64;

/** Serves one client over the process's stdio, in whichever protocol era the client opens with. */
export function serveOverStdio(deps: ServerDeps, stdin: Readable, stdout: Writable): { close: () => Promise<void> } {
  const { accounts, live, log } = deps;
  const lines = withoutLongLines(stdin, () => log.warn("line_too_long"));
  let current: Server | undefined;
  const subscriptions = new Subscriptions(deps, {
    negotiations: () => accounts.at(live.current().backend_url).negotiations,
    updated(uri) {
      current?.sendResourceUpdated({ uri }).catch((error) => log.debug("update_unsent", { error: failureOf(error) }));
    },
  });
  const serve = ({ era }: { era: string }): Server => {
    current = buildServer({ ...deps, resourceUpdates: era === "legacy" ? "session" : "listen" });
    return current;
  };
  return serveStdio(serve, {
    transport: listeningTransport(answeringTransport(lines, stdout), subscriptions, corking(stdout)),
    maxSubscriptions: MAX_SUBSCRIPTIONS,
    onerror: (error) => log.warn("stdio_error", { error: failureOf(error) }),
  });
}

/**
 * Makes the function that joins all writes of one turn of the event loop into one while other calls are being answered,
 * so that the client wakes up once for many results.
 */
function corking(stdout: Writable): (others: number) => void {
  let isCorked = false;
  return (others) => {
    if (isCorked || others === 0) return;
    isCorked = true;
    stdout.cork();
    setImmediate(() => {
      isCorked = false;
      stdout.uncork();
    });
  };
}

interface Batch {
  /** The ids that have no answer yet. */
  waiting: Set<unknown>;
  answers: JSONRPCMessage[];
}

/** The batches of one client that are being answered. The answers of a batch are sent together, as one line. */
class Batches {
  readonly #open = new Set<Batch>();

  open(ids: readonly unknown[]): void {
    if (ids.length > 0) this.#open.add({ waiting: new Set(ids), answers: [] });
  }

  /**
   * Returns what to send now that `message` is ready. That is the message itself, all answers of its batch, or
   * undefined while the batch is incomplete.
   */
  inPlaceOf(message: JSONRPCMessage): JSONRPCMessage | JSONRPCMessage[] | undefined {
    if ("method" in message) return message;
    const batch = this.#waitingFor(message.id);
    if (batch === undefined) return message;
    batch.answers.push(message);
    return this.#without(message.id, batch);
  }

  /**
   * Notes that a request was cancelled and so gets no answer. Returns the answers of its batch if that batch waits for
   * nothing else.
   */
  cancelled(id: unknown): JSONRPCMessage[] | undefined {
    const batch = this.#waitingFor(id);
    return batch && this.#without(id, batch);
  }

  #waitingFor = (id: unknown): Batch | undefined => [...this.#open].find(({ waiting }) => waiting.has(id));

  #without(id: unknown, batch: Batch): JSONRPCMessage[] | undefined {
    batch.waiting.delete(id);
    if (batch.waiting.size > 0) return undefined;
    this.#open.delete(batch);
    return batch.answers.length > 0 ? batch.answers : undefined;
  }
}

/** The only revision that has batches. */
const WITH_BATCHES = "2025-03-26";
const NO_BATCHES = "This revision has no batches: send one message a line";
const NOT_A_REQUEST = 'Not a request: "jsonrpc" is "2.0", "id" a text or a whole number, "params" an object';
const ALONE = "initialize is sent alone, and in no batch";

type Fields = { id?: unknown; method?: unknown; params?: { protocolVersion?: unknown; requestId?: unknown } };

/**
 * Creates a transport that parses and checks each line once, and refuses every bad message that has an id with an
 * error. The SDK's own transport silently drops a line that is not a message, so that its client waits forever. Each
 * chunk of `lines` ends with a line break.
 */
function answeringTransport(lines: Readable, stdout: Writable): Transport {
  const batches = new Batches();
  let hasBatches = false;

  const refuse = (id: unknown, why: string) => {
    if (id === undefined || id === null) return;
    const known = typeof id === "string" || typeof id === "number" ? id : null;
    const error = { code: ProtocolErrorCode.InvalidRequest, message: why };
    transport.send({ jsonrpc: "2.0", id: known, error } as never).catch(failed);
  };
  const take = (message: unknown, isAlone: boolean) => {
    const { id, method, params } = (message ?? {}) as Fields;
    if (method === "initialize") {
      if (!isAlone) return refuse(id, ALONE);
      hasBatches = params?.protocolVersion === WITH_BATCHES;
    }
    if (method === "notifications/cancelled") write(batches.cancelled(params?.requestId)).catch(failed);
    const isObject = typeof message === "object" && message !== null;
    const checked = messageIn(isObject ? withoutEmpty(message) : message);
    if (checked !== undefined) return pass(checked);
    if (!isObject || !("result" in message || "error" in message)) refuse(id, NOT_A_REQUEST);
  };
  const pass = (message: JSONRPCMessage) => {
    try {
      transport.onmessage?.(message);
    } catch (error) {
      failed(error); // One failing message must not stop the next message.
    }
  };
  const read = (line: string) => {
    const message = jsonIn(line);
    if (message === undefined) return; // A line that is not JSON has no id, so it cannot be answered.
    if (!Array.isArray(message)) return take(message, true);
    const ids = message.map((one) => (one as Fields | null)?.id).filter((id) => id !== undefined && id !== null);
    if (!hasBatches) {
      for (const id of ids) refuse(id, NO_BATCHES);
      return;
    }
    batches.open(ids.map((id) => (typeof id === "string" || typeof id === "number" ? id : null)));
    for (const one of message) take(one, false);
  };
  const write = async (whole: JSONRPCMessage | JSONRPCMessage[] | undefined) => {
    if (whole !== undefined && !stdout.write(`${JSON.stringify(whole)}\n`)) await event(stdout, "drain");
  };

  let isClosed = false;
  const transport: Transport = {
    async start() {
      lines.on("data", (chunk: Buffer) => {
        for (const line of String(chunk).split("\n")) if (line.trim() !== "" && !isClosed) read(line);
      });
      lines.on("error", failed).on("end", transport.close).on("close", transport.close);
      stdout.on("error", (error) => {
        if (!isClosed) failed(error);
        void transport.close();
      });
    },
    async send(message) {
      if (isClosed) throw new Error("the client has left");
      await write(batches.inPlaceOf(message));
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      lines.pause();
      transport.onclose?.();
    },
  };
  const failed = (error: unknown) => transport.onerror?.(error as Error);
  return transport;
}

/** Returns the value as a message, or undefined if the SDK does not accept it as a message. */
function messageIn(value: unknown): JSONRPCMessage | undefined {
  try {
    return parseJSONRPCMessage(value);
  } catch {
    return undefined;
  }
}

type Id = string | number;

/**
 * Wraps the transport of a client over stdio, so that a 2026-era client can listen. The SDK answers
 * `subscriptions/listen` and sends the updates. This wrapper follows the addresses from the request until it is
 * cancelled or refused, or the connection closes. `beforeSend` is called before each message to the client, with how
 * many requests have no answer yet.
 */
export function listeningTransport(
  wire: Transport,
  subscriptions: Subscriptions,
  beforeSend: (others: number) => void,
): Transport {
  /** The requests that have no answer yet, except for listen requests. */
  const open = new Set<Id | undefined>();
  const ends = new Map<Id, () => void>();
  /** Listen requests that were cancelled before they had begun. */
  const cancelled = new Set<Id>();
  const end = (id: Id) => {
    ends.get(id)?.();
    ends.delete(id);
  };

  async function listen(request: JSONRPCMessage & { id: Id }): Promise<void> {
    const { id } = request;
    ends.set(id, () => cancelled.add(id));
    const { message, end: stop } = await beginListening(request, subscriptions);
    if (cancelled.delete(id)) return stop();
    ends.set(id, stop);
    transport.onmessage?.(message as JSONRPCMessage);
  }

  const transport: Transport = {
    start: () => wire.start(),
    async send(message, options) {
      if ("error" in message && message.id !== undefined) end(message.id);
      if ("result" in message || "error" in message) open.delete(message.id);
      beforeSend(open.size);
      await wire.send(message, options);
    },
    close: () => wire.close(),
  };
  wire.onmessage = (message) => {
    if (isListen(message) && "id" in message && !ends.has(message.id as Id))
      return void listen(message as JSONRPCMessage & { id: Id }).catch((error: Error) => transport.onerror?.(error));
    if ("method" in message && message.method === "notifications/cancelled") {
      const { requestId = "" } = (message.params ?? {}) as { requestId?: Id };
      end(requestId);
      open.delete(requestId);
    } else if ("method" in message && "id" in message) open.add(message.id);
    transport.onmessage?.(message);
  };
  wire.onerror = (error) => transport.onerror?.(error);
  wire.onclose = () => {
    for (const id of ends.keys()) end(id);
    transport.onclose?.();
  };
  return transport;
}

/**
 * The longest line, in bytes. That is more than any sensible message has (a résumé is at most 200 kB) and less than the
 * SDK's buffer holds.
 */
const MAX_LINE_BYTES = 8 * 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * Passes lines on and drops lines longer than `longest` bytes, without keeping more than that in memory. The SDK would
 * end the connection at such a line, and with it everything that waits for a decision. A last line without a line break
 * gets a line break.
 */
export function withoutLongLines(input: Readable, onDropped: () => void, longest = MAX_LINE_BYTES): Readable {
  /** The pieces of the line that has not ended yet. */
  let begun: Buffer[] = [];
  let length = 0;
  const add = (piece: Buffer) => {
    length += piece.length;
    if (length <= longest) begun.push(piece);
    else begun = [];
  };
  const lines = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      // Most messages arrive as one whole chunk.
      const isWhole = length === 0 && chunk.length <= longest && chunk.at(-1) === NEWLINE;
      if (isWhole) this.push(chunk);
      else passOn(chunk);
      done();
    },
    flush(done) {
      if (length > 0) end(Buffer.from("\n"));
      done();
    },
  });
  function end(ending: Buffer): void {
    if (length <= longest) lines.push(Buffer.concat([...begun, ending]));
    else onDropped();
    begun = [];
    length = 0;
  }
  function passOn(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      add(chunk.subarray(from, at));
      from = at + 1;
      end(chunk.subarray(at, from));
    }
    add(chunk.subarray(from));
  }
  return pipeline(input, lines, () => {}); // An error of the input reaches the output too.
}
