import { type Log, maskForLog } from "../log.ts";
import { maskSecretField } from "../safety/secrets.ts";
import { printable } from "../terminal/printable.ts";
import type { Io } from "./io.ts";
import { type Lines, linesTo } from "./lines.ts";
import { rotatedFile } from "./rotated-file.ts";

/** As numbers, which stand in a line as programs that read logs of Node expect them. */
const LEVELS = { debug: 20, info: 30, warn: 40, error: 50, silent: 60 };
type Level = keyof typeof LEVELS;

/** A reader that is slow for a moment gets the rest without waiting for the next line. */
const STDERR_AGAIN_MS = 100;
/** For how long lines wait for others, and how many of them. */
const TOGETHER_MS = 10;
const MAX_TOGETHER = 100;

export interface LogOptions {
  io: Pick<Io, "once" | "writeStderr">;
  /** What reaches stderr; default `error`, so that a client's own log stays quiet. */
  stderrLevel: string | undefined;
  /** The folder of the log file. Without one, or where it cannot be written, there is only stderr. */
  dir?: string;
  /** How a line reads on stderr; without it, as JSON. */
  readLog?: ((line: string) => string) | undefined;
}

/**
 * JSON lines to stderr and to a file of its own, never to stdout: that is the protocol channel (agent layer §9). Values go
 * through the secret mask, whatever a caller passes. Lines are written together some milliseconds later, when no call waits
 * for it; at once from a warning on and at the program's end: only who is killed in between loses them.
 */
export function createLog({ io, stderrLevel = "", dir, readLog }: LogOptions): Log {
  const threshold = Object.hasOwn(LEVELS, stderrLevel) ? LEVELS[stderrLevel as Level] : LEVELS.error;
  const lowest = dir === undefined ? threshold : Math.min(threshold, LEVELS.info);
  let opened: { toStderr: Lines; toFile: Lines | undefined } | undefined;
  let kept: LogRecord[] = [];
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const lines = kept.map((record) => ({ level: record.level, line: `${jsonOf(record)}\n` }));
    kept = [];
    const from = (least: number) => lines.filter(({ level }) => level >= least).map(({ line }) => line);
    const forStderr = from(threshold).map((line) => (readLog === undefined ? line : `${readLog(line)}\n`));
    if (forStderr.length > 0) opened?.toStderr.write(forStderr.join(""));
    const forFile = from(LEVELS.info);
    if (forFile.length > 0) opened?.toFile?.write(forFile.join(""));
  }

  function open() {
    io.once("exit", flush);
    return {
      toStderr: linesTo((bytes) => io.writeStderr(bytes), STDERR_AGAIN_MS),
      toFile: dir === undefined ? undefined : rotatedFile(dir),
    };
  }

  const write = (at: Exclude<Level, "silent">) => (event: string, fields?: Record<string, unknown>) => {
    const level = LEVELS[at];
    if (level < lowest) return;
    opened ??= open();
    kept.push({ level, time: Date.now(), pid: process.pid, event, ...fields });
    if (level >= LEVELS.warn || kept.length >= MAX_TOGETHER) flush();
    else timer ??= setTimeout(flush, TOGETHER_MS).unref();
  };
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

interface LogRecord extends Record<string, unknown> {
  level: number;
  time: number;
  pid: number;
  event: string;
}

/** What is no JSON (a BigInt) costs its fields: a log never ends the program that it is about. */
function jsonOf(record: LogRecord): string {
  try {
    return JSON.stringify(masked(record));
  } catch {
    const { level, time, pid, event } = record;
    return JSON.stringify({ level, time, pid, event });
  }
}

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
