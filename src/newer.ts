import * as z from "zod";

/**
 * What a shared record holds in the place of a word that this version does not know: a newer program wrote it. It stands,
 * and nobody here guesses what it means.
 */
export const NEWER = "newer";
export type Newer = typeof NEWER;

/** Reads one of these words, and every other one as {@link NEWER}. */
export const wordOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.union([
    z.enum(words),
    z
      .string()
      .min(1)
      .transform((): Newer => NEWER),
  ]);

/** A word of this version; undefined for a newer one's. */
export const known = <Word>(word: Word | Newer | undefined): Word | undefined => (word === NEWER ? undefined : word);
