import { isObject } from "../home/file.ts";
import { jsonIn } from "../json.ts";
import { localTime } from "../terminal/local-time.ts";
import { paragraph } from "../terminal/paragraph.ts";
import { printable } from "../terminal/printable.ts";
import { type Cell, type Column, type TableLayout, table } from "../terminal/table.ts";
import type { CliTexts } from "../text/cli.ts";
import { stringWidth } from "../text-width.ts";

const WARNING = 40;
const ERROR = 50;
/** Fields that have their own column, or are of no use to a person. */
const ELSEWHERE = new Set([
  "time",
  "level",
  "pid",
  "event",
  "tool",
  "method",
  "route",
  "status",
  "duration_ms",
  "session_id",
  "request_id",
  "provider",
]);

/** Values that say no more than an absent field. */
const NOTHING = new Set<unknown>([null, 0, false]);

/**
 * Lays out log lines as one table without a head. Lines from every part of the program are accepted, even lines that a crash
 * cut short.
 */
export function logTable(lines: readonly string[], texts: CliTexts["logs"], layout: TableLayout): string[] {
  const columns: Column[] = [
    { title: "" },
    { title: "" },
    { title: "" },
    { title: "", align: "right" },
    { title: "", tooWide: "below" },
  ];
  const rows = lines.map((line) => rowOf(line, texts));
  return table(columns, rows, { ...layout, titles: false });
}

/**
 * Returns whether a line reports a failed call, an error or a warning. A line that a crash cut short counts as none of these.
 */
export function isFailure(line: string): boolean {
  const fields = fieldsOf(line);
  return fields !== undefined && (Number(fields.level) >= WARNING || hasFailed(fields));
}

const hasFailed = ({ error_code: code, status }: Record<string, unknown>): boolean =>
  (typeof code === "string" && code !== "") || Number(status) >= 400;

/** The column widths of a single line, for the time, the name, the result and the duration. */
const WIDTHS = [0, 24, 9, 8];
const TOOK = 3;

/** Details with less room than this beside the time would not be readable. */
const NARROWEST_DETAILS = 32;

/** Lays out one record by itself. Fields that do not fit go below its line. */
export function logLine(line: string, texts: CliTexts["logs"], { paint, width }: TableLayout): string {
  const cells = rowOf(line, texts);
  const padded = cells.map(({ text, style }, i) => {
    const room = " ".repeat(Math.max(0, (WIDTHS[i] ?? 0) - stringWidth(text)));
    return { text: i === TOOK ? room + text : text + room, style };
  });
  const painted = (shown: readonly Cell[]) => {
    const last = shown.findLastIndex(({ text }) => text.trim() !== "");
    const cut = shown.slice(0, last + 1).map((cell, i) => (i === last ? { ...cell, text: cell.text.trimEnd() } : cell));
    return cut.map(({ text, style }) => (style ? paint(style, text) : text)).join("  ");
  };
  const fits = (shown: string) => stringWidth(shown) <= width;
  const [whole, head] = [painted(padded), painted(padded.slice(0, -1))];
  if (fits(whole)) return whole;
  const first = " ".repeat(stringWidth(padded[0]!.text) + 2);
  if (!fits(head) || width - first.length < NARROWEST_DETAILS)
    return logTable([line], texts, { paint, width }).join("\n");
  const { text, style } = cells.at(-1)!;
  return [head, ...paragraph(text, { width, paint, first, style, keepsLongWords: true })].join("\n");
}

function rowOf(line: string, texts: CliTexts["logs"]): Cell[] {
  const fields = fieldsOf(line);
  if (fields === undefined) {
    const cells = ["–", texts.unreadable, "", "", line];
    return cells.map((text) => ({ text: onOneLine(text), style: "dim" }));
  }
  const { time, level, tool, method, route, event, status, duration_ms: took } = fields;
  const grave = Number(level) >= ERROR ? "error" : Number(level) >= WARNING ? "warning" : undefined;
  const style = grave === "error" || hasFailed(fields) ? "red" : grave === "warning" ? "yellow" : undefined;
  const at = typeof time === "number" && Math.abs(time) < 8.64e15 ? localTime(time, { seconds: true }) : "–";
  return [
    { text: at, style: "dim" },
    { text: wordOf(tool ?? (method === undefined ? event : `${wordOf(method)} ${wordOf(route)}`)), style: "bold" },
    { text: statusWord(status, texts) ?? (grave === undefined ? "" : texts[grave]), style },
    { text: typeof took === "number" ? `${Math.round(took)} ms` : "" },
    { text: detailsOf(fields), style },
  ];
}

/** Returns the status of a call in the person's language. The status of a request stays a number. */
function statusWord(status: unknown, { status: words }: CliTexts["logs"]): string | undefined {
  if (status === undefined) return undefined;
  const word = wordOf(status);
  return Object.hasOwn(words, word) ? words[word as keyof typeof words] : word;
}

/** Parses a line. Returns undefined if it is no log line of this program, or if a crash cut it short. */
function fieldsOf(line: string): Record<string, unknown> | undefined {
  const value = jsonIn(line);
  return isObject(value) ? value : undefined;
}

/** Shows the error's code without a name, and every other field with its name. */
function detailsOf({ error_code: code, ...fields }: Record<string, unknown>): string {
  const isTold = ([name, value]: [string, unknown]) =>
    !ELSEWHERE.has(name) && !NOTHING.has(value) && !(name === "iteration" && value === 1);
  const named = Object.entries(fields).filter(isTold);
  const words = named.map(([name, value]) => `${name}=${wordOf(value)}`);
  return [...(typeof code === "string" ? [wordOf(code)] : []), ...words].join(" ");
}

const wordOf = (value: unknown): string =>
  value === undefined ? "" : onOneLine(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

const onOneLine = (text: string): string => printable(text).replace(/\s+/g, " ").trim();
