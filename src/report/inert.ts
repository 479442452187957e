/** What a Markdown reader would take for markup, in a text that others wrote. */
const MARKUP = /[\\`*_{}[\]()<>#|~!]|[-+=](?=\s|$)(?<=^\s*.)|\.(?=\s|$)(?<=^\s*\d+\.)/gm;

/** A text of others as Markdown shows it letter by letter: no picture, no link, no HTML of theirs. */
export const inert = (text: string): string => text.replaceAll(MARKUP, "\\$&");

/** The same on one line, as in a heading or a table. */
export const inertLine = (text: string): string => inert(text.replaceAll(/\s+/g, " ").trim());
