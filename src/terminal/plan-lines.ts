import { type Block, markdownBlocks, plainText, type Run } from "../markdown.ts";
import { stringWidth } from "../text-width.ts";
import { measureOf } from "./measure.ts";
import type { Paint, Style } from "./paint.ts";
import { indentOf, paragraph } from "./paragraph.ts";
import { table } from "./table.ts";
import { lineRanges } from "./wrap.ts";

interface Layout {
  /** The width in columns. */
  width: number;
  paint: Paint;
}

const CODE = "  ";
const QUOTE = "│ ";

/**
 * Lays out a plan's Markdown. Its title is left out, because the heading above already shows it, unless the title is
 * all there is. The text must be printable.
 */
export function planLines(plan: string, layout: Layout): string[] {
  const [title, ...rest] = markdownBlocks(plan);
  return blockLines(title?.kind === "heading" && rest.length > 0 ? rest : markdownBlocks(plan), layout);
}

function blockLines(blocks: readonly Block[], layout: Layout): string[] {
  return blocks.flatMap((block, i) => {
    const lines = linesOf(block, layout);
    return isApart(blocks[i - 1], block) ? ["", ...lines] : lines;
  });
}

/**
 * Returns whether an empty line comes before a block. A block that follows a heading belongs to it, and so does a list that
 * follows a sentence.
 */
const isApart = (before: Block | undefined, { kind }: Block): boolean =>
  before !== undefined && before.kind !== "heading" && !(before.kind === "paragraph" && kind === "list");

function linesOf(block: Block, layout: Layout): string[] {
  if (block.kind === "heading") return runLines(block.runs, { ...layout, style: "bold" });
  if (block.kind === "paragraph") return runLines(block.runs, layout);
  if (block.kind === "list") return block.items.flatMap((item, i) => itemLines(item, markOf(block.start, i), layout));
  if (block.kind === "quote") return indented(block.blocks, QUOTE, QUOTE, layout);
  if (block.kind === "table") return tableLines(block.rows, layout);
  if (block.kind === "code") return paragraph(block.text, { ...layout, first: CODE });
  return ["─".repeat(Math.min(3, layout.width))];
}

const markOf = (start: number | null, i: number): string => (start === null ? "  - " : `  ${start + i}. `);

/** Lays out an item. Its later lines begin below the words of the first. */
const itemLines = (item: readonly Block[], mark: string, layout: Layout): string[] =>
  item.length === 0 ? [mark.trimEnd()] : indented(item, mark, " ".repeat(stringWidth(mark)), layout);

function indented(blocks: readonly Block[], first: string, hang: string, { width, paint }: Layout): string[] {
  const inner = { width: Math.max(1, width - stringWidth(hang)), paint };
  return blocks
    .flatMap((block) => linesOf(block, inner))
    .map((line, i) => (line === "" ? "" : indentOf(line, i === 0 ? first : hang, width) + line));
}

function tableLines([head = [], ...rows]: readonly Run[][][], { width, paint }: Layout): string[] {
  const cell = (runs: readonly Run[]) => plainText(runs).replaceAll(/\s+/g, " ").trim();
  const columns = head.map((runs) => ({ title: cell(runs), tooWide: "wrap" as const }));
  const isBold = (runs: readonly Run[]) => runs.every(({ looks }) => looks.includes("strong"));
  const shown = rows.map((row) =>
    row.map((runs) => ({ text: cell(runs), ...(isBold(runs) && { style: "bold" as const }) })),
  );
  return table(columns, shown, { width: measureOf(width), paint });
}

/** Wraps styled runs of text like a paragraph, and paints each in its own style. */
function runLines(runs: readonly Run[], { width, paint, style }: Layout & { style?: Style }): string[] {
  const text = plainText(runs);
  let from = 0;
  return text.split("\n").flatMap((line) => {
    const begin = from;
    from += line.length + 1;
    return lineRanges(line, measureOf(width)).map(({ start, end }) =>
      painted(runs, begin + start, begin + end, paint, style),
    );
  });
}

function painted(runs: readonly Run[], start: number, end: number, paint: Paint, style: Style | undefined): string {
  let at = 0;
  return runs
    .map(({ text, looks }) => {
      const piece = text.slice(Math.max(0, start - at), Math.max(0, end - at));
      at += text.length;
      const look = looks.includes("strong") ? "bold" : looks.includes("em") ? "italic" : style;
      return look === undefined ? piece : paint(look, piece);
    })
    .join("");
}
