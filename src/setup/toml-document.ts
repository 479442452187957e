import { isDeepStrictEqual } from "node:util";
import { applyEdits, type Edit } from "jsonc-parser";
import { parse, stringify, TomlDate, TomlError, type TomlTable } from "smol-toml";
import { type Document, type DocumentPlace, ENTRY, type Entry } from "./document.ts";
import { ClientConfigShape, ClientConfigSyntax } from "./errors.ts";

/**
 * Reads a TOML file whose servers are tables of their own, `[key.towow]`. An edit is checked by parsing its result: an
 * entry that is written in another way (inline, dotted) is refused rather than guessed at.
 * Throws {@link ClientConfigSyntax} and {@link ClientConfigShape}.
 */
export function tomlDocument(text: string, { path, key }: DocumentPlace): Document {
  const before = parsed(text, path);
  const servers = before[key];
  if (servers !== undefined && !isTable(servers)) throw new ClientConfigShape({ path, key });
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const range = servers?.[ENTRY] === undefined ? undefined : tableRange(text, key);
  const { [ENTRY]: _, ...others } = servers ?? {};
  const { [key]: __, ...rest } = before;
  const checked = (edits: Edit[], entry?: Entry): Edit[] => {
    const { [key]: written = {}, ...restAfter } = parsedOr(applyEdits(text, edits), {});
    const wanted = { ...others, ...(entry !== undefined && { [ENTRY]: entry }) };
    if (isDeepStrictEqual(plain([written, restAfter]), plain([wanted, rest]))) return edits;
    throw new ClientConfigShape({ path, key: `${key}.${ENTRY}` });
  };
  return {
    entry: servers?.[ENTRY],
    hasList: servers !== undefined,
    put(entry) {
      const block =
        stringify({ [key]: { [ENTRY]: entry } })
          .trimEnd()
          .replaceAll("\n", eol) + eol;
      if (range !== undefined) return checked([{ ...range, content: block }], entry);
      const gap = text === "" ? "" : text.endsWith("\n") ? eol : eol + eol;
      return checked([{ offset: text.length, length: 0, content: gap + block }], entry);
    },
    drop() {
      if (range === undefined) return checked([]);
      // With the empty line before it.
      const offset = text.slice(0, range.offset).replace(/(^|\n)\r?\n$/, "$1").length;
      return checked([{ offset, length: range.offset + range.length - offset, content: "" }]);
    },
    dropEmptyList: () => [], // each table names its list itself
  };
}

function parsed(text: string, path: string): TomlTable {
  try {
    return parse(text.replace(/^\uFEFF/, ""), { integersAsBigInt: "asNeeded" });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const problem = (error.message.split("\n")[0] ?? "").replace(/^Invalid TOML document: /, "");
    throw new ClientConfigSyntax({ path, line: error.line, column: error.column, problem });
  }
}

function parsedOr(text: string, otherwise: TomlTable): TomlTable {
  try {
    return parsed(text, "");
  } catch {
    return otherwise;
  }
}

/** From the entry's first header to its last line that says something; its sub-tables belong to it. */
function tableRange(text: string, key: string): { offset: number; length: number } | undefined {
  const own = new RegExp(`^\\s*\\[\\s*${key}\\s*\\.\\s*(?:${ENTRY}|"${ENTRY}"|'${ENTRY}')\\s*(?:\\.[^\\]]*)?\\]`);
  let range: { offset: number; length: number } | undefined;
  let inside = false;
  let offset = 0;
  for (const line of text.split(/(?<=\n)/)) {
    if (own.test(line)) inside = true;
    else if (/^\s*\[/.test(line)) inside = false;
    const next = offset + line.length;
    if (inside && !/^\s*(#|$)/.test(line)) {
      const start = range?.offset ?? offset;
      range = { offset: start, length: next - start };
    }
    offset = next;
  }
  return range;
}

const isTable = (value: unknown): value is TomlTable =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof TomlDate);
/** Dates and big numbers compare by their text. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? String(one) : one)));
