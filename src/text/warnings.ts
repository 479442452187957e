import type { docTexts } from "./doc-pages.ts";
import type { Texts } from "./index.ts";

/**
 * The codes that the `warnings` of a result may hold (seed 003 §3.3). The sentences are their only table, so a code
 * without a sentence in both languages is no warning, and `towow://docs/warnings` shows all of them.
 */
export type Warning = keyof Texts["note"] | keyof Texts["notice"] | keyof ReturnType<typeof docTexts>["other"];

/** Returns the codes for which a result has its own sentence. */
export const notesIn = (codes: readonly string[], { note }: Pick<Texts, "note">): (keyof Texts["note"])[] =>
  codes.filter((code): code is keyof Texts["note"] => Object.hasOwn(note, code));
