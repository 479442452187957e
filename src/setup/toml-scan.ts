// Where the tables, keys and values of a TOML file stand, for edits that leave every other byte where it is. The file has
// been parsed before: what is no TOML does not come here.
import { parse, type TomlTable } from "smol-toml";

/** A header or a pair, with the whole lines that it stands on. */
export interface Statement {
  readonly kind: "header" | "pair";
  /** From the root. */
  readonly path: readonly string[];
  readonly from: number;
  readonly to: number;
  /** Of a pair. */
  readonly value?: Span;
  /** How many names of the path its header gives. */
  readonly depth: number;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A member of an inline table; the path begins there. */
export interface Member extends Span {
  readonly path: readonly string[];
}

export function statementsOf(text: string): Statement[] {
  const found: Statement[] = [];
  let table: readonly string[] = [];
  const lineEnd = (at: number) => skip(text, skip(text, at, REST_OF_LINE), LINE_END);
  for (let from = text.startsWith("\uFEFF") ? 1 : 0; from < text.length; ) {
    const at = skip(text, from, BLANK);
    let to = lineEnd(at);
    if (text[at] === "[") {
      const key = skip(text, at, BRACKETS);
      table = pathOf(text.slice(key, keyEndOf(text, key)));
      found.push({ kind: "header", path: table, depth: table.length, from, to });
    } else if (at < text.length && !"#\r\n".includes(text[at]!)) {
      const { path, value } = pairAt(text, at);
      to = lineEnd(value.to);
      found.push({ kind: "pair", path: [...table, ...path], value, depth: table.length, from, to });
    }
    from = to;
  }
  return found;
}

/** The members of the inline table that a value is; undefined for any other value. */
export function membersOf(text: string, { from, to }: Span): Member[] | undefined {
  if (text[from] !== "{") return undefined;
  const members: Member[] = [];
  for (let at = skip(text, from + 1, BETWEEN); at < to - 1; ) {
    const { path, value } = pairAt(text, at);
    members.push({ path, from: at, to: value.to });
    at = skip(text, value.to, BETWEEN);
  }
  return members;
}

const BLANK = /[ \t]*/y;
const BRACKETS = /\[+[ \t]*/y;
const REST_OF_LINE = /[^\r\n]*/y;
const LINE_END = /\r?\n/y;
/** White space, commas and comments. */
const BETWEEN = /(?:[\s,]|#[^\r\n]*)*/y;
const KEY = /(?:[\w-]+|"[^"\\]*(?:\\.[^"\\]*)*"|'[^']*'|[ \t]*\.[ \t]*)+/y;
/** Over several lines or on one, with escapes or literal; quotes may stand before the last three. */
const STRING =
  /"""[^"\\]*(?:(?:\\[\s\S]|"{1,2}(?!"))[^"\\]*)*"{3,5}|'''[^']*(?:'{1,2}(?!')[^']*)*'{3,5}|"[^"\\]*(?:\\.[^"\\]*)*"|'[^']*'/y;
const BARE = /[^,\]}#\r\n]*/y;

/** The offset after what a pattern finds there, which may be nothing. */
function skip(text: string, at: number, pattern: RegExp): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}

const keyEndOf = (text: string, at: number): number => skip(text, at, KEY);

function pairAt(text: string, at: number): { path: string[]; value: Span } {
  const keyEnd = keyEndOf(text, at);
  const from = skip(text, text.indexOf("=", keyEnd) + 1, BLANK);
  return { path: pathOf(text.slice(at, keyEnd)), value: { from, to: valueEnd(text, from) } };
}

function valueEnd(text: string, at: number): number {
  const first = text[at]!;
  if (first === '"' || first === "'") return skip(text, at, STRING);
  if (first === "{" || first === "[") return groupEnd(text, at);
  return at + text.slice(at, skip(text, at, BARE)).trimEnd().length;
}

/** The end of an array or of an inline table: brackets in strings and comments are none. */
function groupEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; ) {
    const char = text[at]!;
    if (char === '"' || char === "'") at = skip(text, at, STRING);
    else if (char === "#") at = skip(text, at, REST_OF_LINE);
    else {
      at += 1;
      if (char === "{" || char === "[") depth += 1;
      else if (char === "}" || char === "]") depth -= 1;
      if (depth === 0) return at;
    }
  }
  return text.length;
}

/** The names of a dotted key, as the parser reads them. */
function pathOf(key: string): string[] {
  if (/^[\w-]+$/.test(key)) return [key];
  const path: string[] = [];
  for (let at: unknown = parse(`${key} = 0`); typeof at === "object"; ) {
    const [[name, below]] = Object.entries(at as TomlTable) as [[string, unknown]];
    path.push(name);
    at = below;
  }
  return path;
}
