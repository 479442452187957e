import { applyEdits, type Edit } from "jsonc-parser";
import { parse, TomlError, type TomlTable } from "smol-toml";
import { type Document, type DocumentPlace, ENTRY, type Entry } from "./document.ts";
import { ClientConfigShape, ClientConfigSyntax } from "./errors.ts";
import { isSameValue, isTable, TomlTableEdit } from "./toml-edit.ts";

/**
 * Reads a TOML file; the entry is `key.towow`, as a table of its own, in dotted keys or inline. An edit is checked by
 * parsing its result: where anything else would change, the file is refused rather than guessed at.
 * Throws {@link ClientConfigSyntax} and {@link ClientConfigShape}.
 */
export function tomlDocument(text: string, { path, key }: DocumentPlace): Document {
  const before = parsed(text, path);
  const servers = before[key];
  if (servers !== undefined && !isTable(servers)) throw new ClientConfigShape({ path, key });
  const entry = servers?.[ENTRY];
  const edit = new TomlTableEdit(text, [key, ENTRY]);
  const { [ENTRY]: _, ...others } = servers ?? {};
  const { [key]: __, ...rest } = before;

  /** Whether the file says the same afterwards, but for the entry. */
  const isRight = (edits: Edit[], wanted?: Entry): boolean => {
    const { [key]: written = {}, ...restAfter } = parsedOr(applyEdits(text, edits), {});
    const servers = { ...others, ...(wanted !== undefined && { [ENTRY]: wanted }) };
    return isSameValue([written, restAfter], [servers, rest]);
  };
  const checked = (edits: Edit[], wanted?: Entry): Edit[] => {
    if (isRight(edits, wanted)) return edits;
    throw new ClientConfigShape({ path, key: `${key}.${ENTRY}` });
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
