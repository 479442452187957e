import { stringWidth } from "../../text-width.ts";
import { MAX_LINE_LENGTH, unitsOf } from "./options.ts";

let segmenter: Intl.Segmenter | undefined;
/**
 * Splits a text into graphemes. The segmenter is made on first use, because making it takes ten milliseconds, and
 * most texts need none.
 */
function segmentsOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return segmenter.segment(text);
}

/**
 * Matches a text in which each character is a grapheme. The text holds no marks, no emoji, no halves of a surrogate
 * pair, and nothing else that joins its neighbour.
 */
const SINGLE =
  /^[\t\n -~\u00A1-\u00AC\u00AE-\u02FF\u2010-\u2027\u2030-\u205E\u20A0-\u20BF\u3000-\u3029\u3041-\u3096\u30A1-\u30FF\u3400-\u4DBF\u4E00-\u9FFF\uFF01-\uFF60]*$/;
const graphemesOf = (text: string): Iterable<{ segment: string; index: number }> =>
  SINGLE.test(text) ? Array.from(text, (segment, index) => ({ segment, index })) : segmentsOf(text);

/** Matches plain ASCII without a carriage return, in which each character is a grapheme. */
const PLAIN = /^[\t\n -~]*$/;

export interface Cut {
  text: string;
  /** The number of graphemes in `text`, including the ellipsis. */
  used: number;
  cut: boolean;
}

const MAX_WORD_LENGTH = 256;
/** Matches what a cut may have halved. Half a number or half a key would not be recognised as one. */
const HALVED = /[\d\s().+-]*\S*$/;

/**
 * Returns the beginning of a text, which is all that is cleaned of it. A text without an end must not be processed as
 * a whole.
 */
export function beginning(text: string, limit: number): string {
  const units = unitsOf(limit);
  if (text.length <= units) return text;
  const head = text.slice(0, units - 1);
  const end = Math.max(0, head.length - Math.min(MAX_WORD_LENGTH, units >> 1));
  return `${head.slice(0, end)}${head.slice(end).replace(HALVED, "")}…`.toWellFormed();
}

/** Returns at most `limit` graphemes of a text, never half of one. A text that was cut ends in "…" (agent layer §4). */
export function cutGraphemes(text: string, limit: number): Cut {
  if (limit === Number.POSITIVE_INFINITY) return { text, used: 0, cut: false }; // Graphemes are not counted without a limit.
  if (limit <= 0) return { text: "", used: 0, cut: text !== "" };
  const units = unitsOf(limit);
  if (text.length <= limit && SINGLE.test(text)) return { text, used: text.length, cut: false };
  let used = 0;
  let fits = 0;
  let read = 0;
  for (const { index, segment } of graphemesOf(text.slice(0, units + 1))) {
    read = index + segment.length;
    if (++used < limit && read < units) fits = read;
    if (used > limit) break;
  }
  if (used <= limit && text.length <= units) return { text, used, cut: false };
  // If the first grapheme alone is longer than the limit allows, it is cut inside, because it is an attack and not a
  // letter.
  const kept = fits > 0 || limit === 1 ? text.slice(0, fits) : text.slice(0, units - 1).toWellFormed();
  return { text: `${kept}…`, used: countGraphemes(kept) + 1, cut: true };
}

/** Returns a text as one line of at most `columns` columns, of which a wide character takes two. */
export function cutColumns(text: string, columns: number): { text: string; cut: boolean } {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= columns && PLAIN.test(line)) return { text: line, cut: false };
  const units = unitsOf(columns);
  let width = 0;
  let kept = "";
  for (const { segment } of graphemesOf(line.slice(0, units + 1))) {
    const more = stringWidth(segment);
    if (width + more > columns || kept.length + segment.length > units)
      return { text: shorten(kept, columns), cut: true };
    width += more;
    kept += segment;
  }
  return { text: kept, cut: false };
}

function shorten(kept: string, columns: number): string {
  const segments = [...graphemesOf(kept)].map(({ segment }) => segment);
  while (segments.length > 0 && stringWidth(segments.join("")) > columns - 1) segments.pop();
  return `${segments.join("").trimEnd()}…`;
}

/**
 * Breaks every line that is longer than clients show, at a space if there is one near the end, else between two
 * graphemes.
 */
export function breakLines(text: string): string {
  if (text.length <= MAX_LINE_LENGTH) return text;
  return text
    .split("\n")
    .flatMap((line) => (line.length <= MAX_LINE_LENGTH ? [line] : breakLine(line)))
    .join("\n");
}

function breakLine(line: string): string[] {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > MAX_LINE_LENGTH) {
    const at = breakAt(rest.slice(0, MAX_LINE_LENGTH + 1));
    lines.push(rest.slice(0, at));
    rest = rest.slice(at);
  }
  return [...lines, rest];
}

function breakAt(window: string): number {
  const space = window.lastIndexOf(" ", MAX_LINE_LENGTH - 1);
  if (space > MAX_LINE_LENGTH - 200) return space + 1;
  const last = segmentsOf(window).containing(MAX_LINE_LENGTH);
  if (last !== undefined && last.index > 0) return last.index;
  return /[\uD800-\uDBFF]/.test(window.charAt(MAX_LINE_LENGTH - 1)) ? MAX_LINE_LENGTH - 1 : MAX_LINE_LENGTH;
}

export const countGraphemes = (text: string): number =>
  SINGLE.test(text) ? text.length : [...segmentsOf(text)].length;
