// Edits of a TOML file that change one table, wherever and however it is written, and nothing beside it.
import { isDeepStrictEqual } from "node:util";
import type { Edit } from "jsonc-parser";
import { stringify, TomlDate } from "smol-toml";
import { type Member, membersOf, type Span, type Statement, statementsOf } from "./toml-scan.ts";

type Table = Readonly<Record<string, unknown>>;
type Path = readonly string[];

/** A table of a file, by its path, with the statements that write it. */
export class TomlTableEdit {
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

  /** Writes it as a table of its own at the end, or into the inline table that holds its neighbours. */
  add(table: Table): Edit[] {
    const inline = this.#inline();
    if (inline !== undefined) return this.#putInline(inline, table);
    const text = this.#text;
    const block = stringify(this.#path.reduceRight<Table>((below, name) => ({ [name]: below }), table));
    const gap = text === "" ? "" : text.endsWith("\n") ? this.#eol : this.#eol + this.#eol;
    return [{ offset: text.length, length: 0, content: gap + block.trimEnd().replaceAll("\n", this.#eol) + this.#eol }];
  }

  /** Takes it out, also with its sub-tables; a comment between them stays, and so does one above. */
  drop(): Edit[] {
    const inline = this.#inline();
    if (inline !== undefined) return sorted(this.#dropInline(inline));
    return this.#blocks().map(({ from, to }, index) => {
      // With the empty line before it.
      const offset = index > 0 ? from : this.#text.slice(0, from).replace(/(^|\n)\r?\n$/, "$1").length;
      return { offset, length: to - offset, content: "" };
    });
  }

  /** From a header to its last pair; what only empty lines stand between belongs together. */
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

  /** One more pair of a table, below its last one. */
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

  /** The inline table above it, where its neighbours are written in one. */
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

  /** A member, with the comma before it, or after the first one. */
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

export const isTable = (value: unknown): value is Table =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof TomlDate);

/** Dates and big numbers compare by their text. */
export const isSameValue = (a: unknown, b: unknown): boolean => isDeepStrictEqual(plain(a), plain(b));
const plain = (value: unknown): unknown =>
  value === undefined
    ? undefined
    : JSON.parse(JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? String(one) : one)));

const keyText = (name: string): string => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name));

/** A value on one line. */
function inlineValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "[]" : `[ ${value.map(inlineValue).join(", ")} ]`;
  if (!isTable(value)) return stringify({ v: value }).slice("v = ".length).trimEnd();
  const members = Object.entries(value).map(([name, one]) => `${keyText(name)} = ${inlineValue(one)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
