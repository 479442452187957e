import { createRequire } from "node:module";

/** Printable ASCII, one column each, and what takes two everywhere: for such a text nobody needs a table of emoji. */
const EVERYDAY = /^[ -~\p{sc=Han}、。，：；！？（）《》「」]*$/u;
const ONE_COLUMN = /[ -~]/g;

let loaded: ReturnType<typeof load> | undefined;

/** When it is first needed: the table of emoji takes longer to load than most of the program. */
function load() {
  return {
    stringWidth: (createRequire(import.meta.url)("string-width") as typeof import("string-width")).default,
    wrapAnsi: (createRequire(import.meta.url)("wrap-ansi") as typeof import("wrap-ansi")).default,
  };
}

/** The columns that a text takes in a terminal. */
export function stringWidth(text: string): number {
  if (EVERYDAY.test(text)) return 2 * [...text].length - (text.match(ONE_COLUMN)?.length ?? 0);
  loaded ??= load();
  return loaded.stringWidth(text);
}

/** The text with line breaks where a terminal program of so many columns puts them. */
export function wrapText(text: string, columns: number, options: { hard: boolean; trim: boolean }): string {
  loaded ??= load();
  return loaded.wrapAnsi(text, columns, options);
}
