import { escapeInvisible, invisibleAsJson } from "../safety/invisible.ts";

/** Matches the sequences of which our own colours are made. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const STYLE = /(\x1b\[[\d;]*m)/;

/**
 * Returns a text as a terminal may show it. Characters that could act on the terminal or hide there are written out as `\u{…}`.
 * These are C0 except line feed and tab, C1, escape sequences, and bidirectional controls. Applying the function twice changes
 * nothing more.
 */
export const printable = (text: string): string => escapeInvisible(text.toWellFormed());

/**
 * Makes a text printable that contains our own styles, which stay. Make foreign text `printable` before you paint it, because
 * it could bring styles of its own.
 */
export const printablePainted = (text: string): string =>
  text
    .split(STYLE)
    .map((part, i) => (i % 2 === 1 ? part : printable(part)))
    .join("");

/** Makes JSON printable, with escapes such as `\u009B` that keep the meaning of the value. */
export const printableJson = (json: string): string => invisibleAsJson(json.toWellFormed());
