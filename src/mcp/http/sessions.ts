import {
  type EventId,
  type EventStore,
  isInitializeRequest,
  legacyStatelessFallback,
  type StreamId,
  SUPPORTED_PROTOCOL_VERSIONS,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { every } from "../../clock.ts";
import { failureOf } from "../../log.ts";
import type { Platform } from "../../platform.ts";
import { buildServer } from "../server.ts";
import { HttpError } from "./http-error.ts";
import type { HttpAnswer } from "./stream.ts";
import type { User } from "./user.ts";

export interface SessionsOptions {
  platform: Platform;
  /** The name of this replica, which a load balancer reads in the session id. */
  replica: string;
  /** How long, in milliseconds, a session without an open stream lasts after its last request. */
  idleMs: number;
  max: number;
  maxPerUser: number;
}

interface Entry {
  id: string;
  user: User;
  /** The query of the session's address, which holds the client's choices. A request with another query must not get them. */
  query: string;
  transport: WebStandardStreamableHTTPServerTransport;
  lastUsedAt: number;
  streams: number;
  stopAsking(): void;
  close(): Promise<void>;
}

const SWEEP_MS = 10_000;
/** How long, in milliseconds, a client waits before it asks for a dropped stream again. */
const RETRY_MS = 1_000;

const queryOf = ({ url }: Request): string => (url.includes("?") ? new URL(url).search : "");

/** Orders entries without a stream first, and otherwise by the time of their last use. */
const byIdleness = (a: Entry, b: Entry): number => a.streams - b.streams || a.lastUsedAt - b.lastUsedAt;

/**
 * Checks the revision that a request after `initialize` names.
 * @throws HttpError `protocol_version_unsupported` if `initialize` never answers with this revision
 */
function checkRevision(headers: Headers): void {
  const revision = headers.get("mcp-protocol-version");
  if (revision !== null && !SUPPORTED_PROTOCOL_VERSIONS.includes(revision))
    throw new HttpError("protocol_version_unsupported");
}

/** Holds the sessions of 2025-era clients, through which forms, subscriptions and list changes reach them. */
export class Sessions {
  readonly #options: SessionsOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #cancelSweep: () => void;

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#cancelSweep = every(options.platform.clock, SWEEP_MS, () => this.#expire());
  }

  get size(): number {
    return this.#entries.size;
  }

  /**
   * Serves one request. A client that has no session and asks for none is served statelessly.
   * @throws HttpError `session_required`, `session_not_found`, `too_many_sessions`, `already_initialized`,
   * `protocol_version_unsupported`
   */
  async handle(user: User, request: Request, message: object | undefined): Promise<HttpAnswer> {
    const id = request.headers.get("mcp-session-id");
    const initializes = isInitializeRequest(message);
    if (!initializes) checkRevision(request.headers);
    if (id === null) {
      if (message === undefined) throw new HttpError("session_required");
      if (initializes) return this.#open(user, request, message);
      const serve = legacyStatelessFallback(() => buildServer(user.serverDeps(request)));
      return { response: await serve(request, { parsedBody: message }) };
    }
    const entry = this.#entries.get(id);
    // Another user's session counts as absent, and so does a session that has expired and only waits for the next
    // sweep.
    const isOwn = entry?.user.key === user.key && entry.user.grant === user.grant && entry.query === queryOf(request);
    if (entry === undefined || !isOwn || this.#isOver(entry)) {
      if (initializes) return this.#open(user, request, message); // The client still names its previous session.
      throw new HttpError("session_not_found");
    }
    if (initializes) throw new HttpError("already_initialized");
    return this.#serve(entry, request, message);
  }

  async #open(user: User, request: Request, message: object): Promise<HttpAnswer> {
    const { platform, replica } = this.#options;
    const { clock, newId, log } = platform;
    this.#makeRoom(user);
    const release = user.use();
    const id = `${replica}.${newId()}`;
    const deps = user.serverDeps(request, id);
    const server = buildServer(deps);
    const stopWatching = deps.live.watch();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      eventStore: createEventStore(newId()),
      retryInterval: RETRY_MS,
    });
    const entry: Entry = {
      id,
      user,
      query: queryOf(request),
      transport,
      lastUsedAt: clock.monotonic(),
      streams: 0,
      stopAsking: () => server.stopAsking(),
      close: () => server.close(),
    };
    // This is set before anything is awaited, so that simultaneous requests cannot exceed the limit.
    this.#entries.set(id, entry);
    const stopListening = server.onclose;
    server.onclose = () => {
      stopListening?.();
      stopWatching();
      release();
      this.#entries.delete(id);
    };
    server.onerror = (error) => log.debug("session_error", { error: failureOf(error) });
    await server.connect(transport);
    const answer = await this.#serve(entry, request, message);
    if (!answer.response.ok) await server.close(); // The request opened no session.
    return answer;
  }

  async #serve(entry: Entry, request: Request, message: object | undefined): Promise<HttpAnswer> {
    const { clock } = this.#options.platform;
    entry.lastUsedAt = clock.monotonic();
    const options = message === undefined ? {} : { parsedBody: message };
    const response = await entry.transport.handleRequest(request, options);
    entry.streams += 1;
    return {
      response,
      onEnd() {
        entry.streams -= 1;
        entry.lastUsedAt = clock.monotonic();
      },
    };
  }

  /**
   * Makes room for one more session. A user with too many sessions loses the one that was idle longest. If the endpoint
   * is full, a user whose token the backend has accepted takes the place of a session whose user has no accepted token.
   * @throws HttpError `too_many_sessions` if there is still no room
   */
  #makeRoom(user: User): void {
    const { max, maxPerUser } = this.#options;
    const own = [...this.#entries.values()].filter((entry) => entry.user.key === user.key);
    if (own.length >= maxPerUser) {
      const [oldest] = own.sort(byIdleness);
      if (oldest !== undefined) this.#end(oldest);
    }
    if (this.#entries.size < max) return;
    this.#expire();
    if (this.#entries.size >= max && user.isAccepted) {
      const [oldest] = [...this.#entries.values()].filter((entry) => !entry.user.isAccepted).sort(byIdleness);
      if (oldest !== undefined) this.#end(oldest);
    }
    if (this.#entries.size >= max) throw new HttpError("too_many_sessions", { "Retry-After": "10" });
  }

  #expire(): void {
    for (const entry of [...this.#entries.values()]) if (this.#isOver(entry)) this.#end(entry);
  }

  #isOver({ streams, lastUsedAt }: Entry): boolean {
    return streams === 0 && this.#options.platform.clock.monotonic() - lastUsedAt >= this.#options.idleMs;
  }

  #end(entry: Entry): void {
    this.#entries.delete(entry.id);
    entry
      .close()
      .catch((error) => this.#options.platform.log.warn("session_close_failed", { error: failureOf(error) }));
  }

  /** Ends every session of one user, with its streams. With `grant`, ends only the sessions of that grant's program. */
  endOf(key: string, grant?: string): void {
    for (const entry of [...this.#entries.values()])
      if (entry.user.key === key && (grant === undefined || entry.user.grant === grant)) this.#end(entry);
  }

  /**
   * Stops all questions, because no request can bring an answer from now on. The calls that wait for an answer end
   * undecided.
   */
  stopAsking(): void {
    for (const entry of this.#entries.values()) entry.stopAsking();
  }

  /** Ends every session and its streams. */
  async close(): Promise<void> {
    this.#cancelSweep();
    await Promise.allSettled([...this.#entries.values()].map((entry) => entry.close()));
  }
}

/**
 * How many events are kept for a client that lost its stream and resumes it. Together they have at most {@link
 * KEPT_CHARS} characters.
 */
const KEPT_EVENTS = 200;
const KEPT_CHARS = 256_000;

/**
 * Creates the bounded memory of what one session's streams have sent lately, so that a dropped stream can be resumed.
 * `mark` distinguishes this session's event ids from all others.
 */
function createEventStore(mark: string): EventStore {
  type Message = Parameters<EventStore["storeEvent"]>[1];
  const events: { id: EventId; stream: StreamId; message: Message; chars: number }[] = [];
  let chars = 0;
  let last = 0;
  /** The streams whose final answer is no longer kept. Nothing more would ever come on them. */
  const over = new Set<StreamId>();
  /** Returns the stream that an event id belongs to. The id says so even after the event itself is no longer kept. */
  const streamOf = (id: EventId): StreamId | undefined => {
    const own = id.endsWith(`_${mark}`) ? id.slice(0, -mark.length - 1) : "";
    const [, stream, number] = /^(.+)_([1-9]\d*)$/.exec(own) ?? [];
    return Number(number) <= last && stream !== undefined && !over.has(stream) ? stream : undefined;
  };
  const forgetOldest = () => {
    const { stream, message, chars: size } = events.shift()!;
    chars -= size;
    if (!("result" in message || "error" in message)) return;
    over.add(stream);
    const [oldest] = over;
    if (over.size > KEPT_EVENTS && oldest !== undefined) over.delete(oldest);
  };
  return {
    async storeEvent(stream, message) {
      const id = `${stream}_${++last}_${mark}`;
      const size = charsOf(message);
      events.push({ id, stream, message, chars: size });
      chars += size;
      while (events.length > KEPT_EVENTS || (chars > KEPT_CHARS && events.length > 1)) forgetOldest();
      return id;
    },
    async getStreamIdForEventId(id) {
      return streamOf(id);
    },
    async replayEventsAfter(lastEventId, { send }) {
      const at = events.findIndex((event) => event.id === lastEventId);
      const stream = streamOf(lastEventId) ?? "";
      for (const event of events.slice(at + 1)) if (event.stream === stream) await send(event.id, event.message);
      return stream;
    },
  };
}

/** The characters that a number, a boolean or a null counts for. */
const CHARS_OF_VALUE = 8;

/** Estimates the length of a value's JSON without writing it, by the characters of its strings and keys. */
function charsOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return CHARS_OF_VALUE;
  return Object.entries(value).reduce((sum, [key, item]) => sum + key.length + charsOf(item), 0);
}
