import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";

/** What a client's form and its question about a page show of our words, in rows and columns of a terminal. */
export interface FormGeometry {
  /** Rows of a form's message that are all shown; of a longer one only the beginning is. */
  messageRows: number;
  messageColumns: number;
  /** One row each, cut where it is longer. */
  descriptionColumns: number;
  titleColumns: number;
  choiceColumns: number;
  /** What the person sees of a text that they type, once they have left the field. */
  fieldColumns: number;
  /** A question about a page never wraps: so many rows, each cut where it is longer. */
  pageRows: number;
  pageColumns: number;
}

/**
 * Claude Code 2.1.330 in a terminal of 60 columns, as it was seen to draw. No client says how wide its terminal is, and
 * every other one was seen to show more.
 */
export const MIN_FORM: FormGeometry = {
  messageRows: 4,
  messageColumns: 56,
  descriptionColumns: 50,
  titleColumns: 28,
  choiceColumns: 46,
  fieldColumns: 36,
  pageRows: 4,
  pageColumns: 56,
};

/** A line break makes Claude Code cut each line to one row; a tab is drawn as one space. */
const NOT_SHOWN_AS_IT_IS = /[\n\r\t]/;
/** More marks on one letter than terminals draw. */
const PILED_UP = /\p{M}{4}/u;

/** A letter with all its marks, or a picture with all that is joined to it, takes a few code units for each column. */
const UNITS_PER_COLUMN = 4;
/** What some terminal draws in a column of its own. */
const IN_A_COLUMN = /[^\p{M}\p{C}]/gu;

/** Whether a text is too long for so many columns, seen without measuring it. */
const isBeyond = (text: string, columns: number): boolean =>
  text.length > columns * UNITS_PER_COLUMN || (text.match(IN_A_COLUMN)?.length ?? 0) > columns;

/** Whether a form might show a text: false for one that need not even be made ready for it. */
export const mayFit = (text: string, { messageRows, messageColumns }: FormGeometry = MIN_FORM): boolean =>
  text.length <= messageRows * messageColumns * UNITS_PER_COLUMN;

/** Whether a form shows all of this message (contract §6, "seen means seen whole"). */
export function showsMessage(text: string, { messageRows, messageColumns }: FormGeometry = MIN_FORM): boolean {
  if (NOT_SHOWN_AS_IT_IS.test(text) || PILED_UP.test(text)) return false;
  // Measuring is dear: what obviously has more letters than the rows have columns is refused first.
  if (isBeyond(text, messageRows * messageColumns)) return false;
  return rowsOf(text, messageColumns) <= messageRows;
}

/** Whether one row of so many columns shows all of this text. */
export function fitsRow(text: string, columns: number): boolean {
  if (NOT_SHOWN_AS_IT_IS.test(text) || PILED_UP.test(text) || isBeyond(text, columns)) return false;
  return stringWidth(asTerminalsCount(text)) <= columns;
}

/**
 * Rows that a text without line breaks takes at most, in a terminal of so many columns or of any more: the most of what
 * the ways give in which clients wrap (by words, the spaces at a row's end dropped or kept) and terminals count.
 */
export function rowsOf(text: string, columns: number): number {
  const ways = [text, asTerminalsCount(text)].flatMap((counted) => {
    const pieces = piecesOf(counted, columns);
    return [true, false].map((trim) =>
      pieces.reduce((rows, piece) => rows + wrapAnsi(piece, columns, { hard: true, trim }).split("\n").length, 0),
    );
  });
  return Math.max(...ways);
}

/**
 * The text before, in and after each word that is longer than a row, which each begin a row here. Such a word is broken
 * in a narrow terminal and may be moved down whole in a wider one, which then needs more rows.
 */
function piecesOf(text: string, columns: number): string[] {
  const pieces: string[][] = [[]];
  for (const word of text.split(" ")) {
    if (stringWidth(word) > columns) pieces.push([word], []);
    else pieces.at(-1)?.push(word);
  }
  return pieces.filter((words) => words.length > 0 || pieces.length === 1).map((words) => words.join(" "));
}

/** The text, or as much of its beginning as one row shows, ending in `…`. */
export function cutToRow(text: string, columns: number): string {
  if (fitsRow(text, columns)) return text;
  let cut = "";
  // What has no width (half surrogates, marks) would never fill the row, and each step measures all of it again.
  for (const { segment } of new Intl.Segmenter().segment(text.slice(0, columns * 4).toWellFormed())) {
    if (!fitsRow(`${cut}${segment}…`, columns)) break;
    cut += segment;
  }
  return `${cut}…`;
}

/**
 * For measuring only: every letter and picture by itself, because many terminals do not draw a joined cluster (a family,
 * a Hindi conjunct, loose jamo) in the width of one.
 */
const asTerminalsCount = (text: string): string =>
  text.replaceAll("\u200D", "").replaceAll(/(?=\p{L})(?<=\p{L}\p{M}*)/gu, "\u200B");
