import { showInvisible } from "../safety/invisible.ts";
import { turn } from "../turn.ts";
import { type FormGeometry, showsMessage, UNITS_PER_COLUMN } from "./form-geometry.ts";

/** More than a person reads one after the other; each is one question, of which a call asks nine at most. */
const MAX_PARTS = 8;

/**
 * Lines of a text in parts, each of which a form shows whole, one after the other; undefined where some of it is shown in
 * no form, or it takes too many.
 */
export async function inParts(lines: readonly string[], shows: FormGeometry): Promise<string[] | undefined> {
  let rest = inOneMessage(lines, shows);
  const parts: string[] = [];
  while (rest !== "") {
    const head = headOf(rest, shows);
    if (head === "" || parts.length === MAX_PARTS) return undefined;
    parts.push(head.trim());
    rest = rest.slice(head.length).trimStart();
    await turn(); // measuring is dear
  }
  return parts;
}

/** Where a client keeps no line breaks, a dot stands between lines, and an arrow where the person's own text has one. */
function inOneMessage(lines: readonly string[], { keepsLineBreaks }: FormGeometry): string {
  const shown = lines.map((line) => showInvisible(line).replaceAll("\t", " ").trim());
  return keepsLineBreaks ? shown.join("\n") : shown.map((line) => line.replaceAll(/\s*\n\s*/g, " ↵ ")).join(" · ");
}

/** Where a part may end, the best first: with a line, with a sentence or a clause, with a word. */
const ENDS = [/\n| · /gu, /[.;!?] |[。；！？]/gu, /[\s，：、]/gu];
const lastEnd = (text: string, ending: RegExp): number =>
  Math.max(0, ...[...text.matchAll(ending)].map((found) => found.index + found[0].length));

/** The longest beginning that a form shows whole, to such an end in its second half. */
function headOf(text: string, shows: FormGeometry): string {
  const most = shows.messageRows * shows.messageColumns * UNITS_PER_COLUMN;
  const letters = [...new Intl.Segmenter().segment(text.slice(0, most).toWellFormed())].map(({ segment }) => segment);
  const first = (count: number) => letters.slice(0, count).join("");
  let [fits, toTry] = [0, letters.length];
  while (fits < toTry) {
    const middle = Math.ceil((fits + toTry) / 2);
    if (showsMessage(first(middle).trimEnd(), shows)) fits = middle;
    else toTry = middle - 1;
  }
  const head = first(fits);
  if (head.length >= text.length) return text;
  const end = ENDS.map((ending) => lastEnd(head, ending)).find((at) => at > head.length / 2);
  return head.slice(0, end);
}
