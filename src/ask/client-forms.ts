import { stringWidth, wrapText } from "../text-width.ts";

/**
 * How much of our words a client's form, and its question about a page, show. Sizes are rows and columns of a terminal.
 */
export interface FormGeometry {
  /** The most rows that a message can take and still be shown in full. A longer message is cut off. */
  messageRows: number;
  messageColumns: number;
  /** True if a line break is shown as one. In other clients a line break cuts each line to one row. */
  keepsLineBreaks: boolean;
  /**
   * How a word that is longer than a row is broken. It is broken at any letter, or by rules that keep marks with their
   * letter.
   */
  wraps: "anywhere" | "by_rules";
  /**
   * The width of a choice's description, which takes one row and is cut if it is longer. The same holds for each
   * choice.
   */
  descriptionColumns: number;
  choiceColumns: number;
  /** How much the person sees of a text that they typed, once they have left the field. */
  fieldRows: number;
  fieldColumns: number;
  /** The rows of a question about a page. None of them wraps, and each is cut if it is longer. */
  pageRows: number;
  pageColumns: number;
}

/**
 * The sizes of Claude Code in a terminal of 60 columns, in the version of `SEEN_CLIENTS`. No client was seen to show
 * less, and none says how wide its terminal is.
 */
export const MIN_FORM: FormGeometry = {
  messageRows: 4,
  messageColumns: 54,
  keepsLineBreaks: false,
  wraps: "anywhere",
  descriptionColumns: 48,
  choiceColumns: 44,
  fieldRows: 1,
  fieldColumns: 36,
  pageRows: 4,
  pageColumns: 54,
};

/**
 * The characters that a one-row form does not show as they are. A line break makes Claude Code cut each line to one
 * row, and a tab is drawn as one space or not at all.
 */
const NOT_SHOWN_AS_IT_IS = /[\n\r\t]/;
const NOT_SHOWN_IN_LINES = /[\r\t]/;
/** Matches more marks on one letter than terminals draw. */
const PILED_UP = /\p{M}{4}/u;

/**
 * How many code units each column may take. A letter with all its marks, or a picture with everything that is joined to
 * it, takes a few.
 */
export const UNITS_PER_COLUMN = 4;
/** The characters for each of which some terminal draws a column of its own. */
const IN_A_COLUMN = /[^\p{M}\p{C}]/gu;

/** Returns whether a text is too long for so many columns, without measuring it. */
const isBeyond = (text: string, columns: number): boolean =>
  text.length > columns * UNITS_PER_COLUMN || (text.match(IN_A_COLUMN)?.length ?? 0) > columns;

/** Returns false for a text that need not even be prepared for a form, because the form cannot show it. */
export const mayFit = (text: string, { messageRows, messageColumns }: FormGeometry): boolean =>
  text.length <= messageRows * messageColumns * UNITS_PER_COLUMN;

/** Returns whether a form shows all of this message (contract §6, "seen means seen whole"). */
export function fitsMessage(text: string, form: FormGeometry): boolean {
  const { messageRows, messageColumns, keepsLineBreaks, wraps } = form;
  // Measuring is expensive, so a text that clearly has more letters than columns is refused first.
  if (isBeyond(text, messageRows * messageColumns)) return false;
  if ((keepsLineBreaks ? NOT_SHOWN_IN_LINES : NOT_SHOWN_AS_IT_IS).test(text) || PILED_UP.test(text)) return false;
  const lines = text.split("\n");
  if (lines.length > messageRows) return false;
  return lines.reduce((rows, line) => rows + rowsOf(line, messageColumns, wraps), 0) <= messageRows;
}

/** Returns whether a form's field shows all of a text that was typed into it. */
export function fitsField(text: string, { fieldRows, fieldColumns, wraps }: FormGeometry): boolean {
  if (fieldRows === 1) return fitsRow(text, fieldColumns);
  if (isBeyond(text, fieldRows * fieldColumns) || NOT_SHOWN_AS_IT_IS.test(text) || PILED_UP.test(text)) return false;
  return rowsOf(text, fieldColumns, wraps) <= fieldRows;
}

/** Returns whether one row of so many columns shows all of this text. */
export function fitsRow(text: string, columns: number): boolean {
  if (isBeyond(text, columns) || NOT_SHOWN_AS_IT_IS.test(text) || PILED_UP.test(text)) return false;
  return stringWidth(asTerminalsCount(text)) <= columns;
}

/**
 * Returns the most rows that a text without line breaks takes in a terminal of this many columns or more. This is the
 * highest count over the ways in which clients wrap (by words, with the spaces at a row's end dropped or kept) and
 * terminals count.
 */
export function rowsOf(text: string, columns: number, wraps: FormGeometry["wraps"] = "anywhere"): number {
  const ways = [text, asTerminalsCount(text)].flatMap((counted) => {
    const pieces = piecesOf(counted, columns);
    return [true, false].map((trim) =>
      pieces.reduce((rows, piece) => {
        if (wraps === "by_rules" && !piece.includes(" ")) return rows + rowsByRules(piece, columns);
        return rows + wrapText(piece, columns, { hard: true, trim }).split("\n").length;
      }, 0),
    );
  });
  return Math.max(...ways) + (wraps === "by_rules" ? rowsRunOver(text) : 0);
}

/**
 * Splits the text around each word that is longer than a row, so that each piece begins a row. A narrow terminal breaks
 * such a word, and a wider one may move it down whole, which takes more rows.
 */
function piecesOf(text: string, columns: number): string[] {
  const pieces: string[][] = [[]];
  for (const word of text.split(" ")) {
    if (stringWidth(word) > columns) pieces.push([word], []);
    else pieces.at(-1)?.push(word);
  }
  return pieces.filter((words) => words.length > 0 || pieces.length === 1).map((words) => words.join(" "));
}

/** The letters of scripts without spaces, and the punctuation that is as wide. */
const WIDE = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}가-힣`;
const WIDE_MARKS = String.raw`\u3000-\u3002\uFF00-\uFF1F`;
const STAYS_BEHIND = "[々〻ーぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ]|\u200D";
/**
 * The places where the line-breaking rules (Unicode 14) let a word without spaces be broken. Only the plainest places
 * are listed, which are beside a wide letter, not before closing marks and not after opening marks. A client that
 * breaks at more places needs no more rows.
 */
const BREAK = new RegExp(
  String.raw`(?<![\p{Ps}\p{Pi}\p{Pf}\p{Sc}"'])(?:(?<=[${WIDE}${WIDE_MARKS}])(?=[^\p{P}\p{M}\p{S}]|\p{Ps})|(?=[${WIDE}]))(?!${STAYS_BEHIND})`,
  "u",
);

/**
 * Counts the rows of one word that is broken by rules. A unit between two breaks is moved down whole. It is unknown at
 * what letter a client breaks a unit that is longer than a row, but two rows of such a unit hold more than one row's
 * columns.
 */
function rowsByRules(word: string, columns: number): number {
  let rows = 1;
  let used = 0;
  for (const unit of word.split(BREAK)) {
    const width = stringWidth(unit);
    if (used + width <= columns) used += width;
    else if (width <= columns) [rows, used] = [rows + 1, width];
    else [rows, used] = [rows + Math.ceil((2 * width) / columns), columns];
  }
  return rows;
}

/**
 * Counts the rows that a client may need beyond its own measure. A client that measures a cluster as narrower than the
 * terminal draws it lets a row run over into the next one.
 */
const rowsRunOver = (text: string): number =>
  [...new Intl.Segmenter().segment(text)].filter(
    ({ segment }) => segment.length > 1 && stringWidth(asTerminalsCount(segment)) > stringWidth(segment),
  ).length;

/** Returns the text, or as much of its beginning as one row shows, ending in `…`. */
export function cutToRow(text: string, columns: number): string {
  if (fitsRow(text, columns)) return text;
  let cut = "";
  // Characters without width (half surrogates, marks) would never fill the row, and each step measures all of them
  // again.
  for (const { segment } of new Intl.Segmenter().segment(text.slice(0, columns * 4).toWellFormed())) {
    if (!fitsRow(`${cut}${segment}…`, columns)) break;
    cut += segment;
  }
  return `${cut}…`;
}

/**
 * Separates every letter and picture, for measuring only, because many terminals draw a joined cluster (a family, a
 * thumb with its colour, a Hindi conjunct, loose jamo) wider than one.
 */
const asTerminalsCount = (text: string): string =>
  text.replaceAll("\u200D", "").replaceAll(/(?=\p{L})(?<=\p{L}\p{M}*)|(?=\p{Emoji_Modifier})/gu, "\u200B");

/** How a client shows questions, as it was observed. */
export interface ClientSurface {
  /** How much the client's form, and its question about a page, show. */
  form: FormGeometry;
  /** The order in which the fields of a form stand. */
  fieldOrder: "as_given" | "by_name";
  /** What the client does with a page. Some clients declare pages and decline each one unseen. */
  pages: "opened" | "declined_unseen";
  /** True if the client wants an `elicitationId` beside a page's address even in the 2026 era, which has none. */
  needsElicitationId: boolean;
  /** Set if the client's "accept" comes when the page opens, and not when the person is done there. */
  acceptsAsItOpens?: true;
}

export interface SeenClient extends ClientSurface {
  /** The name that the client gives itself. */
  client: string;
  title: string;
  version: string;
  /** The day on which the client was tried for real. */
  date: string;
}

/**
 * How clients show questions, as they were tried. Every terminal was 60 columns wide. A form that grows with its text
 * was tried in a terminal of 24 rows.
 */
export const SEEN_CLIENTS: readonly SeenClient[] = [
  {
    client: "claude-code",
    title: "Claude Code",
    version: "2.1.332",
    date: "2026-11-26",
    form: MIN_FORM,
    fieldOrder: "as_given",
    pages: "opened",
    needsElicitationId: false,
  },
  {
    client: "codex-mcp-client",
    title: "Codex",
    version: "0.169.0",
    date: "2026-11-22",
    form: { ...MIN_FORM, messageRows: 13, messageColumns: 56, keepsLineBreaks: true, wraps: "by_rules", fieldRows: 3 },
    fieldOrder: "by_name",
    pages: "declined_unseen",
    needsElicitationId: false,
  },
  {
    client: "copilot-cli",
    title: "Copilot CLI",
    version: "1.0.102",
    date: "2026-11-22",
    form: { ...MIN_FORM, messageRows: 8, messageColumns: 56, keepsLineBreaks: true, wraps: "by_rules", fieldRows: 3 },
    fieldOrder: "as_given",
    pages: "opened",
    needsElicitationId: true,
    acceptsAsItOpens: true,
  },
];

/** The assumptions about a client that nobody has tried. Its form shows the least that any tried client shows. */
const UNKNOWN_CLIENT: ClientSurface = {
  form: MIN_FORM,
  fieldOrder: "as_given",
  pages: "opened",
  needsElicitationId: false,
};

/**
 * The clients that start the server for each call and end it with the call's answer, under the names that they give
 * themselves: mcporter 0.12.3, and the inspector's `--cli` and its `mcpdo` without a session (2.12.0).
 */
const EACH_CALL = ["mcporter", "inspector-cli"];

export const startsServerEachCall = (info: { name: string } | undefined): boolean =>
  info !== undefined && EACH_CALL.includes(info.name);

/**
 * Returns what is known about a client. That is what was observed of the newest tried version that is not newer than
 * the client's own.
 */
export function surfaceOf(info: { name: string; version: string } | undefined): ClientSurface {
  const known = SEEN_CLIENTS.filter(
    ({ client, version }) => client === info?.name && compareVersions(version, info.version) <= 0,
  );
  return known.sort((a, b) => compareVersions(a.version, b.version)).at(-1) ?? UNKNOWN_CLIENT;
}

/** Compares two versions by number, part by part. A part that is not a number counts as 0. */
function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split(/[.+-]/).map((part) => Number.parseInt(part, 10) || 0));
  const length = Math.max(left?.length ?? 0, right?.length ?? 0);
  for (let i = 0; i < length; i++) {
    const difference = (left?.[i] ?? 0) - (right?.[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
