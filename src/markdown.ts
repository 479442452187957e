import { Marked, type Token, type Tokens } from "marked";
import { remembering } from "./remember.ts";
import { atOnce, type Steps } from "./turn.ts";

/** Words in one style. Line breaks of the text are kept. */
export interface Run {
  text: string;
  looks: ("strong" | "em" | "code")[];
}

/** A block of a Markdown text, as data. Nothing in it is markup any more, and it contains no links. */
export type Block =
  | { kind: "heading"; level: number; runs: Run[] }
  | { kind: "paragraph"; runs: Run[] }
  /** `start` is the first number. Null if the items have none. */
  | { kind: "list"; start: number | null; items: Block[][] }
  | { kind: "quote"; blocks: Block[] }
  /** The first row is the head. */
  | { kind: "table"; rows: Run[][][] }
  | { kind: "code"; text: string }
  | { kind: "rule" };

/** How much of a text is read as Markdown, in UTF-16 units. */
const MAX_MARKDOWN = 24_000;
/** How much is read in one step, if the lines allow it. For some texts the cost is the square of their length. */
const MAX_PIECE = 4_000;
/**
 * Matches the seventh marker of quotes and lists that are nested on one line. This marker is escaped and becomes text, because
 * nobody writes more levels, and a browser draws no more.
 */
const DEEP =
  /^(?![ \t]*([-*])(?:[ \t]*\1)*[ \t]*$)((?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))){6}[ \t]*\d{0,9})([>.)*+-])/gm;
const FENCE = /^ {0,3}(?:`{3}|~{3})/;

/** Turns off a kind of markup, so that it is shown as it was written. HTML, pictures, links and strikethrough are off. */
const none = () => undefined;
const reader = new Marked({
  breaks: true,
  tokenizer: { html: none, tag: none, link: none, reflink: none, autolink: none, url: none, def: none, del: none },
});

/**
 * Reads Markdown that others wrote into blocks. Pages, report and terminal draw these, so Markdown is read only here.
 * @returns the blocks, and the text behind the part that is read as Markdown
 */
export function* readMarkdown(text: string): Steps<{ blocks: Block[]; rest: string }> {
  const end = text.length <= MAX_MARKDOWN ? text.length : cutAt(text);
  const blocks: Block[] = [];
  for (let from = 0; from < end; ) {
    const piece = text.slice(from, from + endOfPiece(text.slice(from, end)));
    blocks.push(...blocksOf(reader.lexer(piece.replace(DEEP, "$2\\$3"))));
    from += piece.length;
    yield;
  }
  return { blocks, rest: text.slice(end) };
}

/**
 * Reads Markdown at once and remembers the blocks, for callers that draw the same text again and again. The text beyond the
 * limit becomes a paragraph.
 */
export const markdownBlocks = remembering(
  (text): Block[] => {
    const { blocks, rest } = atOnce(readMarkdown(text));
    return rest.trim() === "" ? blocks : [...blocks, { kind: "paragraph", runs: [{ text: rest.trim(), looks: [] }] }];
  },
  20,
  100_000,
);

export const plainText = (runs: readonly Run[]): string => runs.map(({ text }) => text).join("");

/** Returns every text of the blocks, in order. */
export const textsIn = (blocks: readonly Block[]): string[] =>
  blocks.flatMap((block) => {
    if (block.kind === "list") return block.items.flatMap(textsIn);
    if (block.kind === "quote") return textsIn(block.blocks);
    if (block.kind === "table") return block.rows.flat(2).map(({ text }) => text);
    if (block.kind === "rule") return [];
    return block.kind === "code" ? [block.text] : block.runs.map(({ text }) => text);
  });

function blocksOf(tokens: readonly Token[]): Block[] {
  return tokens.flatMap((token): Block[] => {
    if (token.type === "heading")
      return said({ kind: "heading", level: token.depth, runs: runsOf(token.tokens ?? []) });
    if (token.type === "list") return [listOf(token as Tokens.List)];
    if (token.type === "blockquote") return [{ kind: "quote", blocks: blocksOf(token.tokens ?? []) }];
    if (token.type === "table") return [tableOf(token as Tokens.Table)];
    if (token.type === "code") return said({ kind: "code", text: codeOf(token as Tokens.Code) });
    if (token.type === "hr") return [{ kind: "rule" }];
    if (token.type === "space") return [];
    return said({ kind: "paragraph", runs: runsOf("tokens" in token && token.tokens ? token.tokens : [token]) });
  });
}

/** Returns the block, or nothing if it has no words. */
const said = (block: Block): Block[] => (textsIn([block]).join("").trim() === "" ? [] : [block]);

const listOf = ({ ordered, start, items }: Tokens.List): Block => ({
  kind: "list",
  start: ordered ? Number(start) : null,
  items: items.map(({ tokens }) => joined(blocksOf(tokens))),
});

/** Joins a checkbox and the text behind it into one line, because the parser reads them as two paragraphs. */
function joined(blocks: Block[]): Block[] {
  const [first, second, ...rest] = blocks;
  const isBox = first?.kind === "paragraph" && /^\[[ xX]\]\s*$/.test(plainText(first.runs));
  if (!isBox || second?.kind !== "paragraph") return blocks;
  return [{ kind: "paragraph", runs: merged([...first.runs, ...second.runs]) }, ...rest];
}

/** Reads a table. If it has cells beyond the columns of its head, which would be lost, its text is kept as it was written. */
function tableOf({ raw, header, rows }: Tokens.Table): Block {
  const cells = [header, ...rows].map((row) => row.map(({ tokens }) => runsOf(tokens)));
  const words = (text: string) => text.replaceAll(/[\s|:\\*_`-]/g, "").length;
  const read = cells.flat(2).map(({ text }) => text);
  return words(read.join("")) < words(raw) ? { kind: "code", text: raw.trim() } : { kind: "table", rows: cells };
}

/** Returns the text of a code block. The word behind its fence is left out if it can be a language, and shown otherwise. */
const codeOf = ({ lang = "", text }: Tokens.Code): string =>
  /^[\w+#.-]{0,20}$/.test(lang) ? text : `${lang}\n${text}`;

function runsOf(tokens: readonly Token[], looks: Run["looks"] = []): Run[] {
  const runs = tokens.flatMap((token): Run[] => {
    const inner = "tokens" in token ? token.tokens : undefined;
    if (token.type === "strong" || token.type === "em") {
      const look = token.type as "strong" | "em";
      return runsOf(inner ?? [], looks.includes(look) ? looks : [...looks, look]);
    }
    if (inner !== undefined) return runsOf(inner, looks);
    if (token.type === "codespan") return [{ text: token.text, looks: [...looks, "code"] }];
    const text = token.type === "br" ? "\n" : "text" in token ? String(token.text) : token.raw;
    return [{ text: text.replaceAll(/\n[ \t]+/g, "\n"), looks }];
  });
  return merged(runs);
}

/** Joins neighbouring runs in the same style. Spaces at the beginning of a line are removed. */
function merged(runs: readonly Run[]): Run[] {
  const made: Run[] = [];
  for (const { text, looks } of runs) {
    const last = made.at(-1);
    const isNew = last === undefined || last.text.endsWith("\n");
    const words = isNew ? text.replace(/^[ \t]+/, "") : text;
    if (last !== undefined && last.looks.join() === looks.join()) last.text += words;
    else if (words !== "") made.push({ text: words, looks });
  }
  return made;
}

/** Returns the end of the last line that ends within the limit. */
function cutAt(text: string): number {
  const line = text.lastIndexOf("\n", MAX_MARKDOWN);
  return line > 0 ? line : MAX_MARKDOWN;
}

/** Returns where a piece ends: between two blocks, or at the end of a line if the first block is longer than a piece. */
function endOfPiece(text: string): number {
  if (text.length <= MAX_PIECE) return text.length;
  let [end, at, isCode, wasBlank] = [0, 0, false, false];
  for (const line of text.slice(0, MAX_PIECE).split("\n")) {
    if (wasBlank && !isCode && /^\S/.test(line)) end = at;
    if (FENCE.test(line)) isCode = !isCode;
    wasBlank = line.trim() === "";
    at += line.length + 1;
  }
  const lineEnd = text.lastIndexOf("\n", MAX_PIECE) + 1 || text.indexOf("\n", MAX_PIECE) + 1;
  return end || lineEnd || text.length;
}
