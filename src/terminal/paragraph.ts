import { stringWidth } from "../text-width.ts";
import { measureOf } from "./measure.ts";
import type { Paint, Style } from "./paint.ts";
import { type WrapOptions, wrap } from "./wrap.ts";

export interface ParagraphOptions extends WrapOptions {
  /** In columns; prose leaves free what is beyond its measure. */
  width: number;
  paint: Paint;
  /** Stands before the first line; the others are indented as far. */
  first?: string;
  style?: Style | undefined;
}

/** A text of one or more lines, wrapped to the width. */
export function paragraph(text: string, { width, paint, first = "", style, ...how }: ParagraphOptions): string[] {
  const hang = " ".repeat(stringWidth(first));
  const lines = text.split("\n").flatMap((line) => wrap(line, measureOf(width) - hang.length, how));
  return lines.map((line, i) => {
    const indent = indentOf(line, i === 0 ? first : hang, width);
    return `${indent}${style ? paint(style, line) : line}`;
  });
}

/** The indent of a line of `columns`; none where the line is whole only without it. */
export const indentOf = (line: string, indent: string, columns: number): string => {
  const width = stringWidth(line);
  return indent.trim() === "" && width <= columns && width + stringWidth(indent) > columns ? "" : indent;
};
