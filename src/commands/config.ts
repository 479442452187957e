import { localeOf } from "../app/home-folder.ts";
import type { Io } from "../app/io.ts";
import { explainSettings } from "../home/explain.ts";
import type { ConfigKey } from "../home/schema.ts";
import { localTime } from "../terminal/local-time.ts";
import { stringWidth } from "../text-width.ts";
import { keyOf } from "./config/write.ts";
import { environmentFindings } from "./environment.ts";
import { type Home, openHome } from "./home.ts";
import { leaveSuspendedUntil } from "./leave-suspended.ts";
import { print, printJson, printText, widthOf } from "./print.ts";

/** How many columns a value takes, which fits a UUID and the space before the next column. */
const VALUE_COLUMNS = 38;

interface Options {
  io: Io;
  json?: boolean;
}

/** `towow-mcp config` and `config list` show every key with its value and source. Secrets are masked. */
export async function config({ io, json }: Options): Promise<void> {
  const home = openHome(io);
  const all = rows(home);
  if (json) {
    void printJson(
      io,
      all.map((row) => ({ ...row, value: row.value ?? null })),
      2,
    );
    return;
  }
  void print(io, `${home.store.path}\n`);
  const suspended = await suspendedUntil(home);
  const keys = Math.max(...all.map((row) => row.key.length)) + 2;
  const isNarrow = io.stdout.isTTY === true && widthOf(io.stdout) < keys + VALUE_COLUMNS;
  for (const row of all) {
    const value = valueText(row, home);
    const isSuspended = suspended !== undefined && row.key === "on_unconfirmed" && row.value === "leave";
    const note = isSuspended ? home.texts.config.suspended(suspended.time) : "";
    const source = home.texts.source[row.source] + ignoredIn(row, home) + note;
    const gap = " ".repeat(Math.max(2, VALUE_COLUMNS - stringWidth(value)));
    void print(
      io,
      isNarrow ? `${row.key} · ${source}\n  ${value}\n` : `${row.key.padEnd(keys)}${value}${gap}${source}\n`,
    );
  }
  for (const { message } of environmentFindings(io.env, home.lang)) void printText(io, `${message}\n`);
}

/**
 * `towow-mcp config get <key>` prints the value alone, and a secret always as `***`. The exit status is 1 if the key has no
 * value.
 * @throws `tool.config.invalid.unknown_key`, and the problem of a value that is refused
 */
export function configGet({ io, key, json }: Options & { key: string }): void {
  const home = openHome(io);
  const name = keyOf(key);
  const row = rows(home).find((one) => one.key === name)!;
  if (row.problem !== undefined) throw row.problem;
  if (row.value === undefined) io.exitCode = 1;
  if (json) void printJson(io, row.value ?? null);
  else if (row.value !== undefined) void print(io, `${textOf(row.value)}\n`);
}

/** Returns the time until which `on_unconfirmed: leave` is suspended, as a person reads it, or undefined if it is followed. */
async function suspendedUntil({ io, path }: Home): Promise<{ time: string | undefined } | undefined> {
  const until = await leaveSuspendedUntil(path, io.clock);
  return until === undefined ? undefined : { time: Number.isFinite(until) ? localTime(until) : undefined };
}

const rows = ({ io, store }: Home) =>
  explainSettings({ env: io.env, file: store.read().values, locale: localeOf(io.env) });

const ignoredIn = ({ ignored }: Row, { texts }: Home): string =>
  ignored === undefined ? "" : texts.config.ignored(ignored.where, String(ignored.value));

type Row = ReturnType<typeof rows>[number];

function valueText({ key, value, source, problem }: Row, { texts }: Home): string {
  if (problem === undefined) return value === undefined ? texts.config.none : oneLine(value, key);
  const { expected, where } = problem.params;
  return texts.config.refused(String(expected ?? problem.code), String(where ?? source));
}

const textOf = (value: unknown): string => (typeof value === "object" ? JSON.stringify(value) : String(value));

/** Formats a value on one line. The identities would be many lines of JSON, so only their origins are listed. */
const oneLine = (value: unknown, key: ConfigKey): string =>
  key === "identities" ? Object.keys(value as object).join(", ") : textOf(value);
