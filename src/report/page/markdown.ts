import { micromark } from "micromark";
import { gfmTable, gfmTableHtml } from "micromark-extension-gfm-table";
import type { Steps } from "../../turn.ts";

/** Of a plan, in UTF-16 units, so much is read as Markdown. */
const MAX_MARKDOWN = 24_000;
/** And so much in one step, where its lines allow; some texts cost the square of their length. */
const MAX_PIECE = 4_000;
/** So many runs of stars and underscores: each that closes nothing is compared with all before it. */
const MAX_EMPHASIS_MARKS = 1_000;
const EMPHASIS_MARKS = /\*+|_+/g;
/** Of quotes and lists in each other on one line, the seventh is text: nobody writes more, and a browser draws no more. */
const DEEP =
  /^(?![ \t]*([-*])(?:[ \t]*\1)*[ \t]*$)((?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))){6}[ \t]*\d{0,9})([>.)*+-])/gm;
const FENCE = /^ {0,3}(?:`{3}|~{3})/;
const MAX_LEVEL = 6;
const HEADING = /<h([1-6])>(.*?)<\/h\1>/gs;

/** No HTML, no picture and no link: what they are written with is shown as it stands. */
const WITHOUT = ["htmlFlow", "htmlText", "labelStartImage", "labelStartLink", "autolink", "definition"];
const optionsWithout = (constructs: string[]) => ({
  extensions: [gfmTable(), { disable: { null: constructs } }],
  htmlExtensions: [gfmTableHtml()],
});
const OPTIONS = optionsWithout(WITHOUT);
const WITHOUT_EMPHASIS = optionsWithout([...WITHOUT, "attention"]);

/**
 * A plan's Markdown as HTML that loads nothing, leads nowhere and runs nothing. Its headings begin at `under`, so that
 * they stand below the page's own.
 *
 * @returns the HTML, and the text behind what is read as Markdown
 */
export function* renderMarkdown(text: string, under: number): Steps<{ html: string; rest: string }> {
  const end = text.length <= MAX_MARKDOWN ? text.length : cutAt(text);
  let [above, first, html] = [under - 1, 0, ""];
  for (let from = 0; from < end; ) {
    const piece = text.slice(from, from + endOfPiece(text.slice(from, end)));
    html += htmlOf(piece).replaceAll(HEADING, (_, level: string, words: string) => {
      if (words.trim() === "") return "";
      first ||= Number(level);
      // A level that the plan leaves out is left out of the page's outline too.
      above = Math.min(above + 1, Math.max(under, Number(level) - first + under), MAX_LEVEL);
      return `<h${above}>${words}</h${above}>`;
    });
    from += piece.length;
    yield;
  }
  return { html, rest: text.slice(end) };
}

function htmlOf(piece: string): string {
  const hasEmphasis = (piece.match(EMPHASIS_MARKS)?.length ?? 0) <= MAX_EMPHASIS_MARKS;
  return micromark(piece.replace(DEEP, "$2\\$3"), hasEmphasis ? OPTIONS : WITHOUT_EMPHASIS);
}

/** The last line that ends within the limit. */
function cutAt(text: string): number {
  const line = text.lastIndexOf("\n", MAX_MARKDOWN);
  return line > 0 ? line : MAX_MARKDOWN;
}

/** Between two blocks; where the first is longer than a piece, at the end of a line. */
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
