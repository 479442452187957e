import { Failure } from "../errors.ts";
// Finds where the tables, keys and values of a TOML file are, and changes one table, however it is written. Edits leave
// every other byte unchanged. The file was parsed before, so the text is always valid TOML here.

import { isDeepStrictEqual } from "node:util";
import { applyEdits, type Edit } from "jsonc-parser";
import { parse, stringify, TomlDate, TomlError, type TomlTable } from "smol-toml";
import { type Document, type DocumentPlace, ENTRY, type Entry } from "./document.ts";

/**
 * Reads a TOML file. The entry is `key.towow`, as a table of its own, in dotted keys, or inline. Each edit is checked
 * by parsing its result. If anything else would change, the file is refused, because guessing could damage it.
 * @throws `tool.config.invalid.client_config_syntax`, `tool.config.invalid.client_config_shape`
 */
export function tomlDocument(text: string, { path, key }: DocumentPlace): Document {
  const before = parsed(text, path);
  const servers = before[key];
  if (servers !== undefined && !isTable(servers))
    throw new Failure("tool.config.invalid.client_config_shape", { path, key });
  const entry = servers?.[ENTRY];
  const edit = new TomlTableEdit(text, [key, ENTRY]);
  const { [ENTRY]: _, ...others } = servers ?? {};
  const { [key]: __, ...rest } = before;

  /** Returns whether the file means the same afterwards, except for the entry. */
  const isRight = (edits: Edit[], wanted?: Entry): boolean => {
    const { [key]: written = {}, ...restAfter } = parsedOr(applyEdits(text, edits), {});
    const servers = { ...others, ...(wanted !== undefined && { [ENTRY]: wanted }) };
    return isSameValue([written, restAfter], [servers, rest]);
  };
  const checked = (edits: Edit[], wanted?: Entry): Edit[] => {
    if (isRight(edits, wanted)) return edits;
    throw new Failure("tool.config.invalid.client_config_shape", { path, key: `${key}.${ENTRY}` });
  };

  return {
    entry,
    all: before,
    hasList: servers !== undefined,
    put(wanted) {
      if (entry === undefined) return checked(edit.add(wanted), wanted);
      const changes = isTable(entry) ? edit.change(entry, wanted) : [];
      return isRight(changes, wanted) ? changes : checked([...edit.drop(), ...edit.add(wanted)], wanted);
    },
    drop: () => (entry === undefined ? [] : checked(edit.drop())),
    dropEmptyList: () => [], // Each table names its list itself, so there is no empty list to remove.
  };
}

function parsed(text: string, path: string): TomlTable {
  try {
    return parse(text.replace(/^\uFEFF/, ""), { integersAsBigInt: "asNeeded" });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const problem = (error.message.split("\n")[0] ?? "").replace(/^Invalid TOML document: /, "");
    throw new Failure("tool.config.invalid.client_config_syntax", {
      path,
      line: error.line,
      column: error.column,
      problem,
    });
  }
}

function parsedOr(text: string, otherwise: TomlTable): TomlTable {
  try {
    return parsed(text, "");
  } catch {
    return otherwise;
  }
}

/** A header or a pair, with the whole lines that it takes up. */
interface Statement {
  readonly kind: "header" | "pair";
  /** The path from the root. */
  readonly path: readonly string[];
  readonly from: number;
  readonly to: number;
  /** The value of a pair. Undefined for a header. */
  readonly value?: Span;
  /** The number of names of the path that the header gives. */
  readonly depth: number;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** A member of an inline table. Its path begins at that table. */
interface Member extends Span {
  readonly path: readonly string[];
}

function statementsOf(text: string): Statement[] {
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

/** Returns the members of a value that is an inline table, or undefined for any other value. */
function membersOf(text: string, { from, to }: Span): Member[] | undefined {
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
/** Matches white space, commas and comments. */
const BETWEEN = /(?:[\s,]|#[^\r\n]*)*/y;
const KEY = /(?:[\w-]+|"[^"\\]*(?:\\.[^"\\]*)*"|'[^']*'|[ \t]*\.[ \t]*)+/y;
/**
 * Matches a string on one line or several, with escapes or literal. Up to two quotes may come before the last three.
 */
const STRING =
  /"""[^"\\]*(?:(?:\\[\s\S]|"{1,2}(?!"))[^"\\]*)*"{3,5}|'''[^']*(?:'{1,2}(?!')[^']*)*'{3,5}|"[^"\\]*(?:\\.[^"\\]*)*"|'[^']*'/y;
const BARE = /[^,\]}#\r\n]*/y;

/** Returns the offset after what a pattern matches at this place. The match may be empty. */
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

/** Returns the end of an array or of an inline table. Brackets in strings and comments do not count. */
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

/** Returns the names of a dotted key, as the parser reads them. */
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

type Table = Readonly<Record<string, unknown>>;
type Path = readonly string[];

/** Edits one table of a file, found by its path, with all statements that write it. */
class TomlTableEdit {
  readonly #text: string;
  readonly #eol: string;
  readonly #path: Path;
  readonly #all: readonly Statement[];
  readonly #own: readonly Statement[];

  constructor(text: string, path: Path) {
    this.#text = text;
    this.#eol = text.includes("\r\n") ? "\r\n" : "\n";
    this.#path = path;
    this.#all = statementsOf(text);
    this.#own = this.#all.filter((one) => isWithin(one.path, path));
  }

  /** Changes what differs, and leaves the rest with its comments. */
  change(before: Table, after: Table): Edit[] {
    const inline = this.#inline();
    return sorted(inline === undefined ? this.#changed(this.#path, before, after) : this.#putInline(inline, after));
  }

  /** Writes the table by itself at the end, or into the inline table that holds its neighbours. */
  add(table: Table): Edit[] {
    const inline = this.#inline();
    if (inline !== undefined) return this.#putInline(inline, table);
    const text = this.#text;
    const block = stringify(this.#path.reduceRight<Table>((below, name) => ({ [name]: below }), table));
    const gap = text === "" ? "" : text.endsWith("\n") ? this.#eol : this.#eol + this.#eol;
    return [{ offset: text.length, length: 0, content: gap + block.trimEnd().replaceAll("\n", this.#eol) + this.#eol }];
  }

  /** Removes the table with its sub-tables. A comment between them stays, and so does one above. */
  drop(): Edit[] {
    const inline = this.#inline();
    if (inline !== undefined) return sorted(this.#dropInline(inline));
    return this.#blocks().map(({ from, to }, index) => {
      // The empty line before the block goes too.
      const offset = index > 0 ? from : this.#text.slice(0, from).replace(/(^|\n)\r?\n$/, "$1").length;
      return { offset, length: to - offset, content: "" };
    });
  }

  /**
   * Returns the parts of the file that write the table, each from a header to its last pair. Parts with only empty
   * lines between them are one.
   */
  #blocks(): Span[] {
    const blocks: { from: number; to: number }[] = [];
    let isInTable = false;
    for (const one of this.#own) {
      const last = blocks.at(-1);
      const isNext = last !== undefined && /^\s*$/.test(this.#text.slice(last.to, one.from));
      const isOfTable = isInTable && one.kind === "pair" && one.depth >= this.#path.length;
      if (last !== undefined && (isNext || isOfTable)) last.to = one.to;
      else blocks.push({ from: one.from, to: one.to });
      if (one.kind === "header") isInTable = true;
    }
    return blocks;
  }

  #changed(path: Path, before: unknown, after: unknown): Edit[] {
    if (isSameValue(before, after)) return [];
    const written = this.#own.filter((one) => isWithin(one.path, path));
    const pair = written.find((one) => one.kind === "pair" && one.path.length === path.length);
    if (after !== undefined && pair?.value !== undefined) return [replace(pair.value, inlineValue(after))];
    if (!isTable(before) || !isTable(after)) {
      const gone = written.map(({ from, to }) => replace({ from, to }, ""));
      return after === undefined ? gone : [...gone, ...this.#inserted(path.slice(0, -1), path.at(-1)!, after)];
    }
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) =>
      name in before
        ? this.#changed([...path, name], before[name], after[name])
        : this.#inserted(path, name, after[name]),
    );
  }

  /** Adds a pair to a table, below the last pair. */
  #inserted(path: Path, name: string, value: unknown): Edit[] {
    const header = this.#own.findLast((one) => one.kind === "header" && isSame(one.path, path));
    const isOfTable = (one: Statement) => isWithin(one.path, path) && one.depth <= path.length;
    const last = this.#own.findLast((one) => one.kind === "pair" && isOfTable(one)) ?? header;
    if (last === undefined) return [];
    const { from, to, depth } = last;
    const indent = /^[ \t]*/.exec(this.#text.slice(from))![0];
    const key = [...path.slice(depth), name].map(keyText).join(".");
    const line = `${indent}${key} = ${inlineValue(value)}`;
    const hasEnd = this.#text[to - 1] === "\n";
    return [{ offset: to, length: 0, content: hasEnd ? line + this.#eol : this.#eol + line }];
  }

  /** Returns the inline table above this one, if its neighbours are written in one. */
  #inline(): { table: Span; members: readonly Member[]; own: readonly Member[]; rest: Path } | undefined {
    const holder = this.#all.find((one) => one.kind === "pair" && isAbove(one.path, this.#path));
    const members = holder?.value && membersOf(this.#text, holder.value);
    if (holder?.value === undefined || members === undefined) return undefined;
    const rest = this.#path.slice(holder.path.length);
    return { table: holder.value, members, own: members.filter(({ path }) => isWithin(path, rest)), rest };
  }

  #putInline({ table, members, own: [first, ...others], rest }: Inline, value: Table): Edit[] {
    const member = `${rest.map(keyText).join(".")} = ${inlineValue(value)}`;
    if (first !== undefined) return [replace(first, member), ...others.map((one) => this.#withoutComma(one))];
    const last = members.at(-1);
    if (last === undefined) return [replace(table, `{ ${member} }`)];
    return [{ offset: last.to, length: 0, content: `, ${member}` }];
  }

  #dropInline({ table, members, own }: Inline): Edit[] {
    if (members.length === own.length) return [replace(table, "{}")];
    return own.map((one) => this.#withoutComma(one));
  }

  /** Removes a member, with the comma before it, or the comma after it if it is the first. */
  #withoutComma({ from, to }: Span): Edit {
    const before = /,\s*$/.exec(this.#text.slice(0, from));
    if (before !== null) return replace({ from: before.index, to }, "");
    return replace({ from, to: to + /^\s*(?:,\s*)?/.exec(this.#text.slice(to))![0].length }, "");
  }
}

type Inline = { table: Span; members: readonly Member[]; own: readonly Member[]; rest: Path };

const replace = ({ from, to }: Span, content: string): Edit => ({ offset: from, length: to - from, content });
const sorted = (edits: Edit[]): Edit[] => edits.sort((a, b) => a.offset - b.offset || a.length - b.length);
const isWithin = (path: Path, above: Path): boolean => isSame(path.slice(0, above.length), above);
const isAbove = (path: Path, below: Path): boolean => path.length < below.length && isWithin(below, path);
const isSame = (a: Path, b: Path): boolean => a.length === b.length && a.every((name, at) => name === b[at]);

const isTable = (value: unknown): value is Table =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof TomlDate);

/** Returns whether two values are the same. Dates and big numbers are compared by their text. */
const isSameValue = (a: unknown, b: unknown): boolean => isDeepStrictEqual(plain(a), plain(b));
const plain = (value: unknown): unknown =>
  value === undefined
    ? undefined
    : JSON.parse(JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? String(one) : one)));

const keyText = (name: string): string => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name));

/** Formats a value on one line. */
function inlineValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "[]" : `[ ${value.map(inlineValue).join(", ")} ]`;
  if (!isTable(value)) return stringify({ v: value }).slice("v = ".length).trimEnd();
  const members = Object.entries(value).map(([name, one]) => `${keyText(name)} = ${inlineValue(one)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
