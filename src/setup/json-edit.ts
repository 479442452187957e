// Edits of JSON with comments that leave every other byte where it is. The parser's own `modify` moves a comment at the
// end of a line to the next entry when it inserts, and takes comments away when it removes; hence these three.
import { createScanner, type Edit, type Node, type SyntaxKind } from "jsonc-parser";

// The parser's enum exists for its types only.
const COMMA: SyntaxKind.CommaToken = 5;
const LINE_COMMENT: SyntaxKind.LineCommentTrivia = 12;
const BLOCK_COMMENT: SyntaxKind.BlockCommentTrivia = 13;
const SPACES: SyntaxKind.Trivia = 15;

export interface Layout {
  readonly eol: string;
  /** One step of indentation. */
  readonly step: string;
}

/** The file's own line ends and indentation; two spaces where it shows none. */
export function layoutOf(text: string, root: Node): Layout {
  const first = root.children?.[0];
  const step = first === undefined ? "" : lineIndent(text, first.offset);
  const ownLine = first !== undefined && text.slice(0, first.offset).trimEnd().length < lineStart(text, first.offset);
  return { eol: eolOf(text), step: ownLine && step !== "" ? step : "  " };
}

/** The file's own line ends; "\n" where it shows none. */
export const eolOf = (text: string): string => ["\r\n", "\n", "\r"].find((end) => text.includes(end)) ?? "\n";

/** Adds a property as the last of an object, after the comment that ends the line of the one before. */
export function insertProperty(text: string, object: Node, name: string, value: unknown, layout: Layout): Edit[] {
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

/** Takes a property out, with the comma that it no longer needs and the white space before it; no comment goes. */
export function removeProperty(text: string, object: Node, property: Node): Edit[] {
  const siblings = object.children ?? [];
  const previous = siblings[siblings.indexOf(property) - 1];
  const after = commaAfter(text, property);
  const start = text.slice(0, property.offset).trimEnd().length;
  const alone = previous === undefined && after === undefined && start === object.offset + 1;
  const closing = endOf(object) - 1;
  const end = alone && text.slice(endOf(property), closing).trim() === "" ? closing : (after ?? endOf(property));
  const next = /[^ \t]/.exec(text.slice(end))?.[0];
  // What follows on this line must not end up in a comment.
  const content =
    next !== "\n" && next !== "\r" && endsInLineComment(text, previous ? endOf(previous) : object.offset + 1, start)
      ? "\n"
      : "";
  const cut: Edit = { offset: start, length: end - start, content };
  if (previous === undefined || after !== undefined) return [cut];
  return [{ offset: commaAfter(text, previous)! - 1, length: 1, content: "" }, cut];
}

/** Puts another value in the place of one. */
export function replaceValue(text: string, node: Node, value: unknown, layout: Layout): Edit[] {
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

/** The offset after the comma that follows a property; undefined when none does. */
function commaAfter(text: string, property: Node): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(endOf(property));
  return scanner.scan() === COMMA ? scanner.getPosition() : undefined;
}

/** The end of the comments that follow on the same line; the offset itself when there are none. */
function endOfLineComment(text: string, offset: number): number {
  const scanner = createScanner(text);
  scanner.setPosition(offset);
  for (let end = offset; ; ) {
    const token = scanner.scan();
    if (token === LINE_COMMENT || token === BLOCK_COMMENT) end = scanner.getPosition();
    else if (token !== SPACES) return end;
  }
}

/** Whether what stands between two offsets ends in a comment that lasts to the end of its line. */
function endsInLineComment(text: string, from: number, to: number): boolean {
  const scanner = createScanner(text);
  scanner.setPosition(from);
  let token = scanner.scan();
  while (scanner.getPosition() < to) token = scanner.scan();
  return token === LINE_COMMENT;
}
