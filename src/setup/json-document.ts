import {
  createScanner,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
  type ScanError,
  type SyntaxKind,
} from "jsonc-parser";
import { type Document, type DocumentPlace, ENTRY, type Entry, positionOf } from "./document.ts";
import { ClientConfigShape, ClientConfigSyntax } from "./errors.ts";
import { eolOf, insertProperty, layoutOf, removeProperty, replaceValue } from "./json-edit.ts";

// The parser's enums exist for its types only.
const END: SyntaxKind.EOF = 17;
const NO_ERROR: ScanError.None = 0;

/** Nodes below each other; a property and its value are two. */
const MAX_DEPTH = 400;

/**
 * Reads a JSON file with comments and trailing commas; `strict` is for clients that refuse both.
 * Throws {@link ClientConfigSyntax} and {@link ClientConfigShape}.
 */
export function jsonDocument(text: string, { path, key }: DocumentPlace, strict: boolean): Document {
  const source = text.replace(/^\uFEFF/, " "); // of the same length, so that every offset is the file's
  if (isEmpty(source, strict)) return emptyDocument(text, key);
  const root = parsed(source, path, strict);
  if (root.type !== "object") throw new ClientConfigShape({ path, key: "{ }" });
  const servers = valueAt(root, key, path);
  if (servers !== undefined && servers.type !== "object") throw new ClientConfigShape({ path, key });
  const present = servers && valueAt(servers, ENTRY, path);
  const layout = layoutOf(text, root);
  return {
    entry: present && getNodeValue(present),
    all: getNodeValue(root),
    hasList: servers !== undefined,
    put(entry) {
      if (present !== undefined) return replaceValue(text, present, entry, layout);
      if (servers !== undefined) return insertProperty(text, servers, ENTRY, entry, layout);
      return insertProperty(text, root, key, { [ENTRY]: entry }, layout);
    },
    drop: () =>
      servers === undefined || present === undefined ? [] : removeProperty(text, servers, propertyOf(present)),
    dropEmptyList() {
      const inside = servers && text.slice(servers.offset + 1, servers.offset + servers.length - 1).trim();
      return servers === undefined || inside !== "" ? [] : removeProperty(text, root, propertyOf(servers));
    },
  };
}

function parsed(source: string, path: string, strict: boolean): Node {
  const errors: ParseError[] = [];
  const root = treeOf(source, errors, path, strict);
  const [first] = errors.sort((a, b) => a.offset - b.offset);
  if (first === undefined && root !== undefined) return root;
  const { offset, error } = first ?? { offset: 0, error: 1 };
  throw new ClientConfigSyntax({ path, ...positionOf(source, offset), problem: printParseErrorCode(error) });
}

/** The parser and the walk over its tree call themselves for each level: no deeper than anybody means. */
function treeOf(source: string, errors: ParseError[], path: string, strict: boolean): Node | undefined {
  try {
    const root = parseTree(source, errors, { allowTrailingComma: !strict, disallowComments: strict });
    if (root === undefined || !isTooDeep(root)) return root;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw new ClientConfigSyntax({ path, line: 1, column: 1, problem: "NestedTooDeeply" });
}

function isTooDeep(root: Node): boolean {
  let level: Node[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((node) => node.children ?? []);
  }
  return false;
}

/** The value of a key. A key that stands there twice is refused: parsers do not agree on which one counts. */
function valueAt(object: Node, key: string, path: string): Node | undefined {
  const found = (object.children ?? []).filter((property) => property.children?.[0]?.value === key);
  if (found.length > 1) throw new ClientConfigShape({ path, key });
  return found[0]?.children?.[1];
}

/** A value's node stands in its property's. */
const propertyOf = (value: Node): Node => value.parent!;

/** Whether nothing is in it but white space, and comments where the client takes them. */
function isEmpty(source: string, strict: boolean): boolean {
  const scanner = createScanner(source, !strict);
  return scanner.scan() === END && scanner.getTokenError() === NO_ERROR;
}

/** What stands there stays above. */
const emptyDocument = (text: string, key: string): Document => ({
  entry: undefined,
  all: undefined,
  hasList: false,
  put(entry: Entry) {
    const eol = eolOf(text);
    const isOpenLine = /[^\s\uFEFF][^\r\n]*$/.test(text);
    const json = `${JSON.stringify({ [key]: { [ENTRY]: entry } }, null, 2)}\n`.replaceAll("\n", eol);
    return [{ offset: text.length, length: 0, content: isOpenLine ? eol + json : json }];
  },
  drop: () => [],
  dropEmptyList: () => [],
});
