import { stringWidth } from "../text-width.ts";
import type { Paint, Style } from "./paint.ts";
import { paragraph } from "./paragraph.ts";
import { hasLongWord, wrap } from "./wrap.ts";

export interface Column {
  title: string;
  align?: "right";
  /**
   * What happens if the table is too wide. Either words are wrapped within the column, or the whole cell goes below its row.
   */
  tooWide?: "wrap" | "below";
  /** Formats a cell that has no title above it, because there is no room for columns. */
  alone?: (text: string) => string;
}

/** Text on one line, without escape sequences. */
export interface Cell {
  text: string;
  style?: Style | undefined;
}

export interface TableLayout {
  /** The width in columns. Infinite if nothing should be wrapped. */
  width: number;
  paint: Paint;
  /** True if the line of titles is shown, by default true. */
  titles?: boolean;
}

const GAP = 2;
/** A narrower column cannot be read, so each row then becomes a paragraph. */
const NARROWEST = 16;
/** A cell below its row begins under the second column if that leaves the cell this much room. */
const BELOW_NARROWEST = 40;

/** Lays out rows under their titles. If the terminal is too narrow for that, each row becomes a paragraph. */
export function table(columns: readonly Column[], rows: readonly (readonly Cell[])[], layout: TableLayout): string[] {
  const widths = widthsOf(columns, rows, layout.width);
  if (widths === undefined) return rows.flatMap((row) => stacked(columns, row, layout));
  const titles = columns.map(({ title }) => ({ text: title, style: "bold" as const }));
  return [...(layout.titles === false ? [] : [titles]), ...rows].flatMap((row) => lined(columns, row, widths, layout));
}

/** Returns the width of each column, or undefined if they do not fit side by side. */
function widthsOf(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  width: number,
): readonly number[] | undefined {
  const natural = columns.map(({ title }, i) =>
    Math.max(stringWidth(title), ...rows.map((row) => stringWidth(row[i]?.text ?? ""))),
  );
  const fixed = natural.reduce((sum, one, i) => sum + (columns[i]?.tooWide ? 0 : one), GAP * (columns.length - 1));
  let room = width - fixed;
  let open = columns.filter(({ tooWide }) => tooWide).length;
  if (open === 0) return room >= 0 ? natural : undefined;
  const fitted: number[] = [...natural];
  // Narrow columns take what they need first, and the others share the rest.
  const byNeed = columns.flatMap(({ tooWide }, i) => (tooWide ? [i] : [])).sort((a, b) => natural[a]! - natural[b]!);
  for (const i of byNeed) {
    fitted[i] = Math.min(natural[i]!, Math.floor(room / open));
    if (fitted[i] < Math.min(NARROWEST, natural[i]!)) return undefined;
    room -= fitted[i];
    open -= 1;
  }
  // A table whose first cell is below its row cannot be read.
  return columns[0]?.tooWide === "below" && fitted[0]! < natural[0]! ? undefined : fitted;
}

/** Returns which cells go below their row. An id, an address or a path is never broken, so that it can be copied. */
function isBelowIts(row: readonly Cell[], columns: readonly Column[], widths: readonly number[]): boolean[] {
  return columns.map(({ tooWide }, i) => {
    const { text = "" } = row[i] ?? {};
    if (stringWidth(text) <= widths[i]!) return false;
    return tooWide === "below" || (tooWide === "wrap" && hasLongWord(text, widths[i]!));
  });
}

function lined(
  columns: readonly Column[],
  row: readonly Cell[],
  widths: readonly number[],
  given: TableLayout,
): readonly string[] {
  const { width, paint } = given;
  const layout = { width, paint, keepsLongWords: true };
  const isBelow = isBelowIts(row, columns, widths);
  const cells = columns.map((_, i) => (isBelow[i] ? [] : wrap(row[i]?.text ?? "", widths[i]!)));
  const height = Math.max(...cells.map((lines) => lines.length));
  const beside = Array.from({ length: height }, (_, at) =>
    columns
      .map(({ align }, i) => {
        const text = cells[i]?.[at] ?? "";
        const style = row[i]?.style;
        const space = " ".repeat(Math.max(0, widths[i]! - stringWidth(text)));
        const painted = style ? paint(style, text) : text;
        return align === "right" ? space + painted : painted + space;
      })
      .join(" ".repeat(GAP))
      .trimEnd(),
  );
  const indent = widths[0]! + GAP;
  const first = " ".repeat(width - indent >= BELOW_NARROWEST ? indent : GAP);
  const below = row.filter((_, i) => isBelow[i]);
  return [...beside, ...below.flatMap(({ text, style }) => paragraph(text, { ...layout, first, style }))];
}

function stacked(columns: readonly Column[], row: readonly Cell[], given: TableLayout): string[] {
  const layout = { ...given, keepsLongWords: true };
  const [lead, ...rest] = row;
  const said = rest.flatMap(({ text }, i) => (text === "" ? [] : [columns[i + 1]?.alone?.(text) ?? text]));
  return [
    ...paragraph(lead?.text ?? "", { ...layout, style: lead?.style ?? "bold" }),
    ...(said.length === 0 ? [] : paragraph(said.join(" · "), { ...layout, first: "  " })),
  ];
}
