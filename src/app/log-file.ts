import { type Log, maskForLog } from "../log.ts";
import { maskSecretField } from "../safety/secrets.ts";
import { printable } from "../terminal/printable.ts";
import type { Io } from "./io.ts";
import { type Lines, linesTo } from "./lines.ts";
import { rotatedFile } from "./rotated-file.ts";

/** Levels are numbers, as programs that read Node logs expect. */
const LEVELS = { debug: 20, info: 30, warn: 40, error: 50, silent: 60 };
type Level = keyof typeof LEVELS;

/** How long after an incomplete write to stderr the rest is written, in ms, without waiting for the next line. */
const STDERR_AGAIN_MS = 100;
/** Lines are collected for this long, and up to this many, before they are written together. */
const TOGETHER_MS = 10;
const MAX_TOGETHER = 100;

export interface LogOptions {
  io: Pick<Io, "once" | "writeStderr">;
  /** The lowest level that reaches stderr. The default `error` keeps a client's own log quiet. */
  stderrLevel: string | undefined;
  /** The folder of the log file. If it is absent or cannot be written, only stderr is used. */
  dir?: string;
  /** Formats a line for stderr. Without it, lines are JSON. */
  readLog?: ((line: string) => string) | undefined;
}

/**
 * Creates the log, which writes JSON lines to stderr and to its own file. It never writes to stdout, which is the
 * protocol channel (agent layer §9). Every value passes the secret mask. Lines are collected for some milliseconds and
 * written together, so that a call does not wait for each line. A warning, an error or the end of the program writes
 * them at once, so only a kill in between loses lines.
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

/**
 * Formats a record as JSON. If that fails, as for a BigInt, the record loses its fields, because a log never ends its
 * program.
 */
function jsonOf(record: LogRecord): string {
  try {
    return JSON.stringify(masked(record));
  } catch {
    const { level, time, pid, event } = record;
    return JSON.stringify({ level, time, pid, event });
  }
}

/** Masks secrets at every depth, by their form and by the name of the field. */
function masked(value: unknown, name = ""): unknown {
  if (typeof value === "string") return maskedText(name, value);
  if (Array.isArray(value)) return value.map((one) => masked(one, name));
  if (typeof value !== "object" || value === null) return value;
  const copy: Record<string, unknown> = { ...value };
  for (const key in copy) copy[key] = masked(copy[key], key);
  return copy;
}

/**
 * Remembers short texts by field in which nothing is masked, because names of events, tools and states recur with every
 * call.
 */
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
