import { PassThrough, type Readable, Writable } from "node:stream";
import type { KeptAnswers } from "./kept-answers.ts";
import { asksForList, beginsSession, capabilitiesIn, type Era, followsTasks, messageOf } from "./opening-messages.ts";

/**
 * What a client asks first has the same answer in every session: who this is, and its lists. The build asks the real
 * server and keeps what it answers; they are given from there while the program is loading. Whatever else comes, or is
 * configured in another way, waits for the real server. That one gets every message as well, the lists when nobody waits
 * for it any more, and its answers to what has been answered are compared with those and dropped.
 */

/** A client's, or what takes their place. */
export interface Streams {
  stdin: Readable;
  stdout: Writable;
}

/** The tools as such a client gets them are kept beside the others. */
const WITH_PERSON = " with a person";
/** A client that asks nothing is no reason not to look after what waits for a decision. */
const LOAD_AFTER_MS = 500;
/** What compares the lists makes all of them again: after the first call, which usually follows at once. */
const COMPARE_AFTER_MS = 1_000;
/** Longer lines are the real server's to judge. */
const MAX_LINE_BYTES = 16_384;
const NEWLINE = 10;

/** Answers what can be answered now, and calls `load` once with the streams on which the real server goes on. */
export function serveHandshake(kept: KeptAnswers, client: Streams, load: (streams: Streams) => void): void {
  const given = new Map<string, { method: string; answer: string }>();
  const opening: string[] = [];
  const lists: string[] = [];
  let unread = Buffer.alloc(0);
  let era: Era | undefined;
  /** A client of the 2025 era says once what it can do. */
  let declared: unknown;
  let isLoading = false;

  const goOn = () => {
    if (isLoading) return;
    isLoading = true;
    clearTimeout(timer);
    client.stdin.off("data", read).off("end", goOn);
    const stdin = new PassThrough();
    stdin.write(Buffer.concat([Buffer.from(opening.join("")), unread]));
    client.stdin.pipe(stdin);
    if (client.stdin.readableEnded) stdin.end();
    compareLater(stdin);
    load({ stdin, stdout: withoutGiven(given, client.stdout) });
  };
  /** Between two lines of the client's. */
  const compareLater = (stdin: PassThrough) => {
    let isBetween = unread.length === 0 || unread.at(-1) === NEWLINE;
    client.stdin.on("data", (chunk: Buffer) => {
      isBetween = chunk.at(-1) === NEWLINE;
    });
    const comparing = setInterval(() => {
      if (stdin.writable && !isBetween) return;
      clearInterval(comparing);
      if (stdin.writable) stdin.write(lists.join(""));
    }, COMPARE_AFTER_MS).unref();
  };
  const read = (chunk: Buffer) => {
    unread = Buffer.concat([unread, chunk]);
    for (let end = unread.indexOf(NEWLINE); end >= 0; end = unread.indexOf(NEWLINE)) {
      const line = unread.toString("utf8", 0, end);
      const method = answer(line);
      if (method === undefined) return goOn();
      unread = unread.subarray(end + 1);
      // The first one says which era it is.
      (isList(method) && opening.length > 0 ? lists : opening).push(`${line}\n`);
      if (method === "tools/list") setImmediate(goOn);
    }
    if (unread.length > MAX_LINE_BYTES) goOn();
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
    if (!isUsual || result === undefined || given.has(JSON.stringify(id))) return undefined;
    const version = method === "initialize" && { protocolVersion: params.protocolVersion };
    const text = `${JSON.stringify({ result: { ...(result as object), ...version }, jsonrpc: "2.0", id })}\n`;
    given.set(JSON.stringify(id), { method, answer: text });
    client.stdout.write(text);
    return method;
  };
  const timer = setTimeout(goOn, LOAD_AFTER_MS);
  client.stdin.on("data", read).on("end", goOn);
}

/** The real server's output, without its answers to what has been answered. A list that differs by now is announced. */
function withoutGiven(given: Map<string, { method: string; answer: string }>, stdout: Writable): Writable {
  const partOf = (line: string | Buffer): string => {
    const text = String(line);
    const id = given.size === 0 ? undefined : JSON.stringify(messageOf(text).id);
    const known = id === undefined ? undefined : given.get(id);
    if (id === undefined || known === undefined) return text;
    given.delete(id);
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
