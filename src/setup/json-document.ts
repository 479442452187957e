// Edits of JSON with comments that leave every other byte unchanged. The parser's own `modify` moves a comment at the
// end of a line to the next entry when it inserts, and takes comments away when it removes, so these edits are made
// here.
import {
  createScanner,
  type Edit,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
  type ScanError,
  type SyntaxKind,
  stripComments,
} from "jsonc-parser";
import { Failure } from "../errors.ts";
import type { Refusal } from "./clients.ts";
import { type Document, type DocumentPlace, ENTRY, type Entry, positionOf } from "./document.ts";

// The parser's enums exist only as types.
const END: SyntaxKind.EOF = 17;
const NO_ERROR: ScanError.None = 0;

/** The deepest nesting of nodes. A property and its value count as two. */
const MAX_DEPTH = 400;

/**
 * Reads a JSON file as its client does, which may refuse some things that are not JSON.
 * @throws `tool.config.invalid.client_config_syntax`, `tool.config.invalid.client_config_shape`
 */
export function jsonDocument(text: string, { path, key }: DocumentPlace, refuses: readonly Refusal[]): Document {
  // The replacement has the same length, so that every offset holds for the file's own text too.
  const source = text.replace(/^\uFEFF/, " ");
  if (source !== text && refuses.includes("bom")) throw syntaxError(text, path, 0, "ByteOrderMark");
  if (isEmpty(source, refuses)) return emptyDocument(text, key);
  const root = parsed(source, path, refuses);
  if (root.type !== "object") throw new Failure("tool.config.invalid.client_config_shape", { path, key: "{ }" });
  const servers = valueAt(root, key, path);
  if (servers !== undefined && servers.type !== "object")
    throw new Failure("tool.config.invalid.client_config_shape", { path, key });
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

function parsed(source: string, path: string, refuses: readonly Refusal[]): Node {
  const errors: ParseError[] = [];
  const root = treeOf(source, errors, path, refuses);
  const [first] = errors.sort((a, b) => a.offset - b.offset);
  if (first === undefined && root !== undefined) return root;
  const { offset, error } = first ?? { offset: 0, error: 1 };
  const problem = isTrailingComma(source, offset) ? "TrailingComma" : printParseErrorCode(error);
  throw syntaxError(source, path, offset, problem);
}

/** Returns whether the error is a trailing comma. The parser reports what it expected in place of the bracket. */
const isTrailingComma = (source: string, offset: number): boolean =>
  /[}\]]/.test(source[offset] ?? "") && /,\s*$/.test(stripComments(source.slice(0, offset)));

const syntaxError = (text: string, path: string, offset: number, problem: string) =>
  new Failure("tool.config.invalid.client_config_syntax", { path, ...positionOf(text, offset), problem });

/**
 * Parses a text. A text that is nested deeper than any real file is refused, because the parser recurses once for each level.
 */
function treeOf(source: string, errors: ParseError[], path: string, refuses: readonly Refusal[]): Node | undefined {
  try {
    const root = parseTree(source, errors, {
      allowTrailingComma: !refuses.includes("trailing_commas"),
      disallowComments: refuses.includes("comments"),
    });
    if (root === undefined || !isTooDeep(root)) return root;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw syntaxError(source, path, 0, "NestedTooDeeply");
}

function isTooDeep(root: Node): boolean {
  let level: Node[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((node) => node.children ?? []);
  }
  return false;
}

/** Returns the value of a key. A key that occurs twice is refused, because parsers do not agree on which one counts. */
function valueAt(object: Node, key: string, path: string): Node | undefined {
  const found = (object.children ?? []).filter((property) => property.children?.[0]?.value === key);
  if (found.length > 1) throw new Failure("tool.config.invalid.client_config_shape", { path, key });
  return found[0]?.children?.[1];
}

/** Returns the node of a property from the node of its value, which is its child. */
const propertyOf = (value: Node): Node => value.parent!;

/** Returns whether a file contains only white space, and comments if the client accepts them. */
function isEmpty(source: string, refuses: readonly Refusal[]): boolean {
  const scanner = createScanner(source, !refuses.includes("comments"));
  return scanner.scan() === END && scanner.getTokenError() === NO_ERROR;
}

/** Returns the document of a file without a value. What the file contains stays above the new value. */
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

// The parser's enum exists only as a type.
const COMMA: SyntaxKind.CommaToken = 5;
const LINE_COMMENT: SyntaxKind.LineCommentTrivia = 12;
const BLOCK_COMMENT: SyntaxKind.BlockCommentTrivia = 13;
const SPACES: SyntaxKind.Trivia = 15;

interface Layout {
  readonly eol: string;
  /** One step of indentation. */
  readonly step: string;
}

/** Returns the file's own line ends and indentation. The default is two spaces. */
function layoutOf(text: string, root: Node): Layout {
  const first = root.children?.[0];
  const step = first === undefined ? "" : lineIndent(text, first.offset);
  const ownLine = first !== undefined && text.slice(0, first.offset).trimEnd().length < lineStart(text, first.offset);
  return { eol: eolOf(text), step: ownLine && step !== "" ? step : "  " };
}

/** Returns the file's own line ends. The default is "\n". */
const eolOf = (text: string): string => ["\r\n", "\n", "\r"].find((end) => text.includes(end)) ?? "\n";

/** Adds a property at the end of an object, after the comment that ends the line of the property before it. */
function insertProperty(text: string, object: Node, name: string, value: unknown, layout: Layout): Edit[] {
  const { eol, step } = layout;
  const outer = lineIndent(text, object.offset);
  const end = endOf(object) - 1;
  const last = object.children?.at(-1);
  if (last === undefined) {
    const inside = text.slice(object.offset + 1, end);
    const from = inside.trim() === "" ? object.offset + 1 : object.offset + 1 + inside.trimEnd().length;
    const property = `${eol}${outer}${step}${written(name, value, outer + step, layout)}${eol}${outer}`;
    return [{ offset: from, length: end - from, content: property }];
  }
  const oneLine = !/[\r\n]/.test(text.slice(object.offset, end));
  const indent = oneLine ? "" : lineIndent(text, last.offset);
  const property = oneLine
    ? ` ${JSON.stringify(name)}: ${JSON.stringify(value)}`
    : `${eol}${indent}${written(name, value, indent, layout)}`;
  const comma = commaAfter(text, last);
  const at = endOfLineComment(text, comma ?? endOf(last));
  if (comma !== undefined) return [insert(at, `${property},`)];
  return at === endOf(last) ? [insert(at, `,${property}`)] : [insert(endOf(last), ","), insert(at, property)];
}

/** Removes a property, with the comma that is no longer needed and the white space before it. Comments stay. */
function removeProperty(text: string, object: Node, property: Node): Edit[] {
  const siblings = object.children ?? [];
  const previous = siblings[siblings.indexOf(property) - 1];
  const after = commaAfter(text, property);
  const start = text.slice(0, property.offset).trimEnd().length;
  const alone = previous === undefined && after === undefined && start === object.offset + 1;
  const closing = endOf(object) - 1;
  const end = alone && text.slice(endOf(property), closing).trim() === "" ? closing : (after ?? endOf(property));
  const next = /[^ \t]/.exec(text.slice(end))?.[0];
  // What follows on this line must not become part of a comment.
  const content =
    next !== "\n" && next !== "\r" && endsInLineComment(text, previous ? endOf(previous) : object.offset + 1, start)
      ? "\n"
      : "";
  const cut: Edit = { offset: start, length: end - start, content };
  if (previous === undefined || after !== undefined) return [cut];
  return [{ offset: commaAfter(text, previous)! - 1, length: 1, content: "" }, cut];
}

function replaceValue(text: string, node: Node, value: unknown, layout: Layout): Edit[] {
  const content = pretty(value, lineIndent(text, node.offset), layout);
  return [{ offset: node.offset, length: node.length, content }];
}

const endOf = (node: Node): number => node.offset + node.length;
const insert = (offset: number, content: string): Edit => ({ offset, length: 0, content });
const lineStart = (text: string, offset: number): number =>
  offset === 0 ? 0 : Math.max(text.lastIndexOf("\n", offset - 1), text.lastIndexOf("\r", offset - 1)) + 1;
const lineIndent = (text: string, offset: number): string => /^[ \t]*/.exec(text.slice(lineStart(text, offset)))![0];

const written = (name: string, value: unknown, indent: string, layout: Layout): string =>
  `${JSON.stringify(name)}: ${pretty(value, indent, layout)}`;
const pretty = (value: unknown, indent: string, { eol, step }: Layout): string =>
  JSON.stringify(value, null, step).replaceAll("\n", `${eol}${indent}`);

/** Returns the offset after the comma that follows a property, or undefined if none follows. */
function commaAfter(text: string, property: Node): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(endOf(property));
  return scanner.scan() === COMMA ? scanner.getPosition() : undefined;
}

/** Returns the end of the comments that follow on the same line, or the offset itself if there are none. */
function endOfLineComment(text: string, offset: number): number {
  const scanner = createScanner(text);
  scanner.setPosition(offset);
  for (let end = offset; ; ) {
    const token = scanner.scan();
    if (token === LINE_COMMENT || token === BLOCK_COMMENT) end = scanner.getPosition();
    else if (token !== SPACES) return end;
  }
}

/** Returns whether the text between two offsets ends in a comment that lasts to the end of its line. */
function endsInLineComment(text: string, from: number, to: number): boolean {
  const scanner = createScanner(text);
  scanner.setPosition(from);
  let token = scanner.scan();
  while (scanner.getPosition() < to) token = scanner.scan();
  return token === LINE_COMMENT;
}
