import { measureOf } from "./measure.ts";
import type { Paint, Style } from "./paint.ts";
import { lineRanges } from "./wrap.ts";

/** A part of a text that is shown in one style. */
export interface Piece {
  text: string;
  style?: Style | undefined;
  /** What the gutter shows of the piece. */
  mark?: string | undefined;
}

export interface PiecesLayout {
  /** The width in columns, including the gutter. */
  width: number;
  paint: Paint;
  /** Returns what comes before a line that is made of these pieces. Its width is always `gutterWidth`. */
  gutter: (pieces: readonly Piece[]) => string;
  gutterWidth: number;
}

/** Breaks a text into lines between words. Styles go on after each break, and no character is added or lost. */
export function pieceLines(pieces: readonly Piece[], { width, paint, gutter, gutterWidth }: PiecesLayout): string[] {
  const text = pieces.map((piece) => piece.text).join("");
  const lines: string[] = [];
  let offset = 0;
  for (const paragraph of text.split("\n")) {
    for (const { start, end } of lineRanges(paragraph, measureOf(width) - gutterWidth)) {
      const line = cut(pieces, offset + start, offset + end);
      lines.push(
        gutter(line) + line.map((piece) => (piece.style ? paint(piece.style, piece.text) : piece.text)).join(""),
      );
    }
    offset += paragraph.length + 1;
  }
  return lines;
}

/** Returns the parts of the pieces between two places of their text. */
function cut(pieces: readonly Piece[], start: number, end: number): Piece[] {
  let at = 0;
  return pieces.flatMap(({ text, ...how }) => {
    const from = Math.max(start - at, 0);
    const to = Math.min(end - at, text.length);
    at += text.length;
    return from < to ? [{ ...how, text: text.slice(from, to) }] : [];
  });
}
