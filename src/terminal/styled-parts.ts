import { measureOf } from "./measure.ts";
import type { Paint, Style } from "./paint.ts";
import { lineRanges } from "./wrap.ts";

/** A part of a text that is shown in one style. */
export interface StyledPart {
  text: string;
  style?: Style | undefined;
  /** What the gutter shows of the part. */
  mark?: string | undefined;
}

export interface PartsLayout {
  /** The width in columns, including the gutter. */
  width: number;
  paint: Paint;
  /** Returns what comes before a line that is made of these parts. Its width is always `gutterWidth`. */
  gutter: (parts: readonly StyledPart[]) => string;
  gutterWidth: number;
}

/** Breaks a text into lines between words. Styles go on after each break, and no character is added or lost. */
export function styledLines(
  parts: readonly StyledPart[],
  { width, paint, gutter, gutterWidth }: PartsLayout,
): string[] {
  const text = parts.map((part) => part.text).join("");
  const lines: string[] = [];
  let offset = 0;
  for (const paragraph of text.split("\n")) {
    for (const { start, end } of lineRanges(paragraph, measureOf(width) - gutterWidth)) {
      const line = cut(parts, offset + start, offset + end);
      lines.push(gutter(line) + line.map((part) => (part.style ? paint(part.style, part.text) : part.text)).join(""));
    }
    offset += paragraph.length + 1;
  }
  return lines;
}

/** Returns what the parts hold between two places of their text. */
function cut(parts: readonly StyledPart[], start: number, end: number): StyledPart[] {
  let at = 0;
  return parts.flatMap(({ text, ...how }) => {
    const from = Math.max(start - at, 0);
    const to = Math.min(end - at, text.length);
    at += text.length;
    return from < to ? [{ ...how, text: text.slice(from, to) }] : [];
  });
}
