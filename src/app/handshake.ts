import { PassThrough, type Readable, Writable } from "node:stream";
import type { KeptAnswers } from "./kept-answers.ts";
import { asksForList, beginsSession, capabilitiesIn, type Era, followsTasks, messageOf } from "./opening-messages.ts";

/**
 * A client's first requests (the handshake and the lists) have the same answers in every session. The build records them
 * (`build-handshake.mjs`), so that they can be given while the program is still loading; everything else waits for the real
 * server. That one gets every message as well, the lists a second later, and its answers to requests that have been
 * answered are dropped.
 */

/** The process's own, or those that are handed to the real server. */
export interface Streams {
  stdin: Readable;
  stdout: Writable;
}

/** Ends the key of the tool list for clients that follow tasks, which is another one. */
const WITH_PERSON = " with a person";
/** A client that stays silent is no reason to wait: open decisions have deadlines. */
const LOAD_AFTER_MS = 500;
/** The real server makes all lists again for this: after the first call, which usually follows at once. */
const REPLAY_AFTER_MS = 1_000;
/** Longer lines are the real server's to judge. */
const MAX_LINE_BYTES = 16_384;
const NEWLINE = 10;

/** Answers what can be answered now, and calls `load` once with the streams on which the real server goes on. */
export function serveHandshake(kept: KeptAnswers, client: Streams, load: (streams: Streams) => void): void {
  const answered = new Map<string, { method: string; answer: string }>();
  const opening: string[] = [];
  const lists: string[] = [];
  let unread = Buffer.alloc(0);
  let era: Era | undefined;
  /** A client of the 2025 era says once what it can do. */
  let declared: unknown;
  let isLoading = false;

  const handOver = () => {
    if (isLoading) return;
    isLoading = true;
    clearTimeout(timer);
    client.stdin.off("data", read).off("end", handOver);
    const stdin = new PassThrough();
    stdin.write(Buffer.concat([Buffer.from(opening.join("")), unread]));
    client.stdin.pipe(stdin);
    if (client.stdin.readableEnded) stdin.end();
    replayLists(stdin);
    load({ stdin, stdout: withoutAnswered(answered, client.stdout) });
  };
  /** Gives the real server the requests for lists, between two lines of the client's, so that no message is torn. */
  const replayLists = (stdin: PassThrough) => {
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
      const method = answer(line);
      if (method === undefined) return handOver();
      unread = unread.subarray(end + 1);
      // The first one says which era it is.
      (isList(method) && opening.length > 0 ? lists : opening).push(`${line}\n`);
      if (method === "tools/list") setImmediate(handOver);
    }
    if (unread.length > MAX_LINE_BYTES) handOver();
  };
  /** Answers a line and says to what; undefined where that is the real server's. */
  const answer = (line: string): string | undefined => {
    const { id, method, params } = messageOf(line);
    if (typeof method !== "string") return undefined;
    if (typeof id !== "string" && !Number.isInteger(id))
      return id === undefined && method === "notifications/initialized" && era === "legacy" ? method : undefined;
    const isFirst = era === undefined;
    era ??= method === "initialize" ? "legacy" : "modern";
    if (method === "initialize") declared = params.capabilities;
    const hasPerson = followsTasks(era === "legacy" ? declared : capabilitiesIn(params));
    const result = kept[`${era} ${method}${hasPerson && method === "tools/list" ? WITH_PERSON : ""}`];
    const isUsual = method === "initialize" ? isFirst && beginsSession(params) : asksForList(params, era);
    if (!isUsual || result === undefined || answered.has(JSON.stringify(id))) return undefined;
    const version = method === "initialize" && { protocolVersion: params.protocolVersion };
    const text = `${JSON.stringify({ result: { ...(result as object), ...version }, jsonrpc: "2.0", id })}\n`;
    answered.set(JSON.stringify(id), { method, answer: text });
    client.stdout.write(text);
    return method;
  };
  const timer = setTimeout(handOver, LOAD_AFTER_MS);
  client.stdin.on("data", read).on("end", handOver);
}

/** The real server's output, without its answers to what has been answered. A tool list that differs by now is announced. */
function withoutAnswered(answered: Map<string, { method: string; answer: string }>, stdout: Writable): Writable {
  const partOf = (line: string | Buffer): string => {
    const text = String(line);
    const id = answered.size === 0 ? undefined : JSON.stringify(messageOf(text).id);
    const known = id === undefined ? undefined : answered.get(id);
    if (id === undefined || known === undefined) return text;
    answered.delete(id);
    if (known.answer === text || known.method !== "tools/list") return "";
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
