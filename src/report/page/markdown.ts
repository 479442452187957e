import { micromark } from "micromark";
import { gfmTable, gfmTableHtml } from "micromark-extension-gfm-table";

/** Of a plan, in UTF-16 units, so much is read as Markdown; some texts cost the square of their length. */
const MAX_MARKDOWN = 24_000;
/** Quotes in quotes in quotes: nobody writes more, and a browser draws no more. */
const DEEP_QUOTE = /^(?:[ \t]*>){7,}/gm;
const MAX_LEVEL = 6;
const HEADING = /<h([1-6])>(.*?)<\/h\1>/gs;

/** No HTML, no picture and no link: what they are written with is shown as it stands. */
const WITHOUT = {
  disable: { null: ["htmlFlow", "htmlText", "labelStartImage", "labelStartLink", "autolink", "definition"] },
};
const OPTIONS = { extensions: [gfmTable(), WITHOUT], htmlExtensions: [gfmTableHtml()] };

/**
 * A plan's Markdown as HTML that loads nothing, leads nowhere and runs nothing. Its headings begin at `under`, so that
 * they stand below the page's own.
 *
 * @returns the HTML, and the text behind what is read as Markdown
 */
export function renderMarkdown(text: string, under: number): { html: string; rest: string } {
  const end = text.length <= MAX_MARKDOWN ? text.length : cutAt(text);
  const written = micromark(text.slice(0, end).replace(DEEP_QUOTE, "> > > > > > "), OPTIONS);
  let [above, first] = [under - 1, 0];
  const html = written.replaceAll(HEADING, (_, level: string, words: string) => {
    if (words.trim() === "") return "";
    first ||= Number(level);
    // A level that the plan leaves out is left out of the page's outline too.
    above = Math.min(above + 1, Math.max(under, Number(level) - first + under), MAX_LEVEL);
    return `<h${above}>${words}</h${above}>`;
  });
  return { html, rest: text.slice(end) };
}

/** The last line that ends within the limit. */
function cutAt(text: string): number {
  const line = text.lastIndexOf("\n", MAX_MARKDOWN);
  return line > 0 ? line : MAX_MARKDOWN;
}
