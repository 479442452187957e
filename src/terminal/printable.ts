import { escapeInvisible, invisibleAsJson } from "../safety/invisible.ts";

/** What our own colours are made of. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const STYLE = /(\x1b\[[\d;]*m)/;

/**
 * A text as a terminal may have it: what could act on the terminal or hide there (C0 but line feed and tab, C1, escape
 * sequences, bidirectional controls) is written out as `\u{…}`. Same text, same result; idempotent.
 */
export const printable = (text: string): string => escapeInvisible(text.toWellFormed());

/**
 * The same for text that carries our own styles, which stay. Foreign text goes through `printable` before it is
 * painted, or could bring styles of its own.
 */
export const printablePainted = (text: string): string =>
  text
    .split(STYLE)
    .map((part, i) => (i % 2 === 1 ? part : printable(part)))
    .join("");

/** The same for JSON: `\u009B` and its like, which mean what they stood for. */
export const printableJson = (json: string): string => invisibleAsJson(json.toWellFormed());
