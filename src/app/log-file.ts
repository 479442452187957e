import { createRequire } from "node:module";
import type { Logger } from "pino";
import { type Log, maskForLog } from "../log.ts";
import { maskSecretField } from "../safety/secrets.ts";
import { printable } from "../terminal/printable.ts";
import { type Lines, rotatedFile } from "./rotated-file.ts";

const LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
type Level = (typeof LEVELS)[number];

/** Lines that stderr does not take are kept so far, then lost. */
const MAX_UNWRITTEN_BYTES = 256 * 1024;
/** So much is not kept for the end of a turn. UTF-16 units. */
const MAX_TOGETHER = 16 * 1024;

export interface LogOptions {
  /** What reaches stderr; default `error`, so that a client's own log stays quiet. */
  stderrLevel: string | undefined;
  /** The folder of the log file. Without one, or where it cannot be written, there is only stderr. */
  dir?: string;
  /** How a line reads on stderr; without it, as JSON. */
  readLog?: ((line: string) => string) | undefined;
}

/**
 * JSON lines to stderr and to a file of its own, never to stdout: that is the protocol channel (agent layer §9). pino
 * is loaded with the first line. Values go through the secret mask, whatever a caller passes. The lines of one turn of
 * the event loop are written together, at once from a warning on and at the program's end: only who is killed within the
 * turn loses them.
 */
export function createLog({ stderrLevel, dir, readLog }: LogOptions): Log {
  const threshold = LEVELS.find((level) => level === stderrLevel) ?? "error";
  let opened: { logger: Logger; flush: () => void } | undefined;
  let isFlushing = false;
  const lowest = dir === undefined ? threshold : lower(threshold, "info");
  const write = (at: Exclude<Level, "silent">) => (event: string, fields?: Record<string, unknown>) => {
    if (LEVELS.indexOf(at) < LEVELS.indexOf(lowest)) return;
    opened ??= openLogger(threshold, lowest, dir, readLog);
    const { logger, flush } = opened;
    logger[at](masked({ event, ...fields }) as object);
    if (at === "warn" || at === "error") return flush();
    if (isFlushing) return;
    isFlushing = true;
    setImmediate(() => {
      isFlushing = false;
      flush();
    });
  };
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

const lower = (a: Level, b: Level): Level => (LEVELS.indexOf(a) < LEVELS.indexOf(b) ? a : b);

/** At every depth, by the field's name as well. */
function masked(value: unknown, name = ""): unknown {
  if (typeof value === "string") return maskedText(name, value);
  if (Array.isArray(value)) return value.map((one) => masked(one, name));
  if (typeof value !== "object" || value === null) return value;
  const copy: Record<string, unknown> = { ...value };
  for (const key in copy) copy[key] = masked(copy[key], key);
  return copy;
}

/** By field, short texts in which nothing is masked, as they come again with every call: names of events, tools and states. */
const plain = new Map<string, Set<string>>();
const MAX_PLAIN = 500;
const MAX_PLAIN_LENGTH = 64;
let plainCount = 0;

function maskedText(name: string, value: string): string {
  if (plain.get(name)?.has(value)) return value;
  const text = printable(maskSecretField(name, maskForLog(value)));
  if (text === value && value.length <= MAX_PLAIN_LENGTH) keepPlain(name, value);
  return text;
}

function keepPlain(name: string, value: string): void {
  if (++plainCount > MAX_PLAIN) {
    plain.clear();
    plainCount = 1;
  }
  const values = plain.get(name) ?? new Set();
  plain.set(name, values.add(value));
}

function openLogger(stderr: Level, lowest: Level, dir: string | undefined, readLog: LogOptions["readLog"]) {
  const { pino } = createRequire(import.meta.url)("pino") as typeof import("pino");
  const file = dir === undefined ? undefined : rotatedFile(dir);
  const toStderr = together(stderrStream(pino));
  const toFile = file && together(file);
  const logger = pino(
    { level: lowest, base: { pid: process.pid } },
    pino.multistream([
      { level: stderr === "silent" ? "fatal" : stderr, stream: readable(toStderr, readLog) },
      ...(toFile === undefined ? [] : [{ level: "info" as const, stream: toFile }]),
    ]),
  );
  const flush = () => {
    toStderr.flush();
    toFile?.flush();
  };
  process.once("exit", flush);
  return { logger, flush };
}

/** Writes the lines of one turn together. */
function together(to: Lines) {
  let kept = "";
  const flush = () => {
    if (kept !== "") to.write(kept);
    kept = "";
  };
  return {
    write(line: string) {
      kept += line;
      if (kept.length > MAX_TOGETHER) flush();
    },
    flush,
  };
}

const readable = (to: Lines, readLog: LogOptions["readLog"]) =>
  readLog === undefined ? to : { write: (line: string) => void to.write(`${readLog(line)}\n`) };

/** A log never ends the program that it is about. */
function stderrStream(pino: typeof import("pino").pino) {
  const stream = pino.destination({ fd: 2, sync: true, maxLength: MAX_UNWRITTEN_BYTES });
  stream.on("error", () => {});
  return stream;
}
