import { PassThrough, type Readable, Writable } from "node:stream";
import { drawsPages } from "../question/chat-wire.ts";
import type { HandshakeAnswers } from "./handshake-answers.ts";

/**
 * A client's first requests (the handshake and the lists) have the same answers in every session. The build records
 * these answers (`build/handshake.mjs`), so that they can be given while the program is still loading. Every other
 * request waits for the real server. The real server receives every message too, but list requests only a second later.
 * A request that was already answered reaches it under an id of our own, and its answer to that request is dropped.
 */

/** The process's own streams, or those on which the real server continues. */
export interface Streams {
  stdin: Readable;
  stdout: Writable;
}

/** These endings of a key mark the tool lists for clients that follow tasks or draw pages. */
const WITH_PERSON = " with a person";
const WITH_PAGES = " with pages";
/** Loading does not wait longer than this for a silent client, because open decisions have deadlines. */
const LOAD_AFTER_MS = 500;
/**
 * The real server makes all lists again for the replay, so the replay waits for the first call, which usually follows
 * at once.
 */
const REPLAY_AFTER_MS = 1_000;
/** Lines that are longer than this, in bytes, are left to the real server. */
const MAX_LINE_BYTES = 16_384;
const NEWLINE = 10;
/**
 * An answered request is repeated to the real server under an id that begins with this. Neither the server nor a client
 * makes such ids.
 */
const REPLAYED = "towow-mcp/replayed/";

/**
 * Maps the id of a repeated request to the client's method, and to the line with which the real server answers if it
 * agrees with us.
 */
type Answered = Map<string, { method: string; expected: string }>;

/** Answers what can be answered at once, and calls `load` once with the streams on which the real server continues. */
export function serveHandshake(kept: HandshakeAnswers, client: Streams, load: (streams: Streams) => void): void {
  const answered: Answered = new Map();
  const stdin = new PassThrough();
  const opening: string[] = [];
  const lists: string[] = [];
  let unread = Buffer.alloc(0);
  let era: Era | undefined;
  /** The capabilities that a client of the 2025 era declares once. */
  let declared: unknown;
  let isLoading = false;

  const handOver = () => {
    if (isLoading) return;
    isLoading = true;
    clearTimeout(timer);
    client.stdin.off("data", read).off("end", handOver);
    stdin.write(Buffer.concat([Buffer.from(opening.join("")), unread]));
    client.stdin.pipe(stdin);
    if (client.stdin.readableEnded) stdin.end();
    replayLists();
    load({ stdin, stdout: withoutAnswered(answered, client.stdout) });
  };
  /** Sends the real server the list requests between two of the client's lines, so that no message is torn. */
  const replayLists = () => {
    let isBetween = unread.length === 0 || unread.at(-1) === NEWLINE;
    client.stdin.on("data", (chunk: Buffer) => {
      isBetween = chunk.at(-1) === NEWLINE;
    });
    const replaying = setInterval(() => {
      if (stdin.writable && !isBetween) return;
      clearInterval(replaying);
      if (stdin.writable) stdin.write(lists.join(""));
    }, REPLAY_AFTER_MS).unref();
  };
  const read = (chunk: Buffer) => {
    unread = Buffer.concat([unread, chunk]);
    for (let end = unread.indexOf(NEWLINE); end >= 0; end = unread.indexOf(NEWLINE)) {
      const line = unread.toString("utf8", 0, end);
      const answer = answerTo(line);
      if (answer === undefined) return handOver();
      unread = unread.subarray(end + 1);
      // The first request shows the era, so it is never held back as a list.
      (isList(answer.method) && opening.length > 0 ? lists : opening).push(`${answer.replay}\n`);
      if (answer.method === "tools/list") setImmediate(handOver);
    }
    if (unread.length > MAX_LINE_BYTES) handOver();
  };
  /**
   * Answers a line. Returns its method and the request that repeats it to the real server, or undefined if the real
   * server must answer.
   */
  const answerTo = (line: string): { method: string; replay: string } | undefined => {
    const { id, method, params } = messageOf(line);
    if (typeof method !== "string") return undefined;
    if (typeof id !== "string" && !Number.isInteger(id)) {
      const isExpected = id === undefined && method === "notifications/initialized" && era === "legacy";
      return isExpected ? { method, replay: line } : undefined;
    }
    const isFirst = era === undefined;
    era ??= method === "initialize" ? "legacy" : "modern";
    if (method === "initialize") declared = params.capabilities;
    const variant = method === "tools/list" ? variantFor(era === "legacy" ? declared : capabilitiesIn(params)) : "";
    const result = kept[`${era} ${method}${variant}`];
    const isUsual = method === "initialize" ? isFirst && beginsSession(params) : asksForList(params, era);
    if (!isUsual || result === undefined) return undefined;
    const version = method === "initialize" && { protocolVersion: params.protocolVersion };
    const answer = (to: unknown) =>
      `${JSON.stringify({ result: { ...(result as object), ...version }, jsonrpc: "2.0", id: to })}\n`;
    client.stdout.write(answer(id));
    const replayId = `${REPLAYED}${answered.size + 1}`;
    answered.set(replayId, { method, expected: answer(replayId) });
    return { method, replay: JSON.stringify({ ...JSON.parse(line), id: replayId }) };
  };
  /** Ends the session on a broken connection. The real server then withdraws what is undecided. */
  const onBroken = () => {
    handOver();
    stdin.end();
  };
  const timer = setTimeout(handOver, LOAD_AFTER_MS);
  client.stdin.on("data", read).on("end", handOver).on("error", onBroken);
  client.stdout.on("error", onBroken);
}

/**
 * Returns a stream that passes on the real server's output, except answers that were given already. If the real
 * server's tool list differs from the one that was given, the client is notified.
 */
function withoutAnswered(answered: Answered, stdout: Writable): Writable {
  const partOf = (line: string | Buffer): string => {
    const text = String(line);
    const id = answered.size === 0 ? undefined : messageOf(text).id;
    const known = typeof id === "string" ? answered.get(id) : undefined;
    if (typeof id !== "string" || known === undefined) return text;
    answered.delete(id);
    if (known.expected === text || known.method !== "tools/list") return "";
    return `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n`;
  };
  const write = (text: string, done: (error?: Error | null) => void) => {
    if (text === "") done();
    else stdout.write(text, done);
  };
  return new Writable({
    decodeStrings: false,
    defaultEncoding: "utf8",
    write: (line: string | Buffer, _, done) => write(partOf(line), done),
    writev: (lines, done) => write(lines.map(({ chunk }) => partOf(chunk)).join(""), done),
  });
}

const isList = (method: string): boolean => method.endsWith("/list");

/** The era of the protocol that a client speaks. Messages are read only as far as is needed to recognise the usual ones. */

type Era = "legacy" | "modern";
type Fields = Readonly<Record<string, unknown>>;

/** A client that names one of these 2025-era revisions gets the same one back. */
const VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
const MODERN = "2026-07-28";
const META = "io.modelcontextprotocol";

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;

/** Parses a client's line. The result has no id and no method if the line is no message. */
function messageOf(line: string): { id?: unknown; method?: unknown; params: Fields } {
  try {
    const { id, method, params } = JSON.parse(line);
    return { id, method, params: isFields(params) ? params : {} };
  } catch {
    return { params: {} };
  }
}

const isClient = (value: unknown): boolean =>
  isFields(value) && typeof value.name === "string" && typeof value.version === "string";

/** Returns whether this is an `initialize` as every client of the 2025 era sends it. */
const beginsSession = ({ protocolVersion, capabilities, clientInfo, _meta }: Fields): boolean =>
  VERSIONS.includes(protocolVersion as string) && isPlain(capabilities) && isClient(clientInfo) && _meta === undefined;

/** Returns whether a list request is the usual one of its era, which asks for the first page. */
function asksForList({ _meta, ...rest }: Fields, era: Era): boolean {
  if (Object.keys(rest).length > 0) return false;
  if (era === "legacy") return _meta === undefined;
  const meta = isFields(_meta) ? _meta : {};
  const isEnvelope = isClient(meta[`${META}/clientInfo`]) && isPlain(meta[`${META}/clientCapabilities`]);
  return isEnvelope && meta[`${META}/protocolVersion`] === MODERN;
}

const capabilitiesIn = ({ _meta }: Fields): unknown => isFields(_meta) && _meta[`${META}/clientCapabilities`];

const variantFor = (capabilities: unknown): string =>
  `${followsTasks(capabilities) ? WITH_PERSON : ""}${drawsPages(capabilities) ? WITH_PAGES : ""}`;

/**
 * Returns whether the client follows tasks. Such a client has a person and asks them at each call of some tools
 * (`mcp/tool-entry.ts`).
 */
const followsTasks = (capabilities: unknown): boolean =>
  isFields(capabilities) && isFields(capabilities.extensions) && `${META}/tasks` in capabilities.extensions;

const isPlain = (value: unknown): boolean => isFields(value) && !Array.isArray(value);
