import * as z from "zod";

/**
 * Stands for a word in a shared record that this version does not know, because a newer program wrote the record. This version
 * never guesses what such a word means.
 */
export const NEWER = "newer";
export type Newer = typeof NEWER;

/** Declares a field that reads these words as they are, and every other word as {@link NEWER}. */
export const wordOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.union([
    z.enum(words),
    z
      .string()
      .min(1)
      .transform((): Newer => NEWER),
  ]);

/** Returns a word of this version, and undefined for {@link NEWER}. */
export const known = <Word>(word: Word | Newer | undefined): Word | undefined => (word === NEWER ? undefined : word);
