import { stringWidth } from "../text-width.ts";
import { measureOf } from "./measure.ts";
import type { Paint, Style } from "./paint.ts";
import { type WrapOptions, wrap } from "./wrap.ts";

export interface ParagraphOptions extends WrapOptions {
  /** The width in columns. Prose takes no more than its measure. */
  width: number;
  paint: Paint;
  /** What comes before the first line. The other lines are indented as far. */
  first?: string;
  style?: Style | undefined;
}

/** Wraps a text of one or more lines to the width. */
export function paragraph(text: string, { width, paint, first = "", style, ...how }: ParagraphOptions): string[] {
  const hang = " ".repeat(stringWidth(first));
  const lines = text.split("\n").flatMap((line) => wrap(line, measureOf(width) - hang.length, how));
  return lines.map((line, i) => {
    const indent = indentOf(line, i === 0 ? first : hang, width);
    return `${indent}${style ? paint(style, line) : line}`;
  });
}

/** Returns the indent of a line, which is empty if the line fits into `columns` only without it. */
export const indentOf = (line: string, indent: string, columns: number): string => {
  const width = stringWidth(line);
  return indent.trim() === "" && width <= columns && width + stringWidth(indent) > columns ? "" : indent;
};
