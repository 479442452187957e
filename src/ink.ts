/**
 * The characters that leave no ink in Debian's Chromium with its ordinary fonts, as `checks/ink.ts` measures, although no
 * property of Unicode says so. They are the holes among the Hebrew letters, the object replacement character, a blank cell of
 * Braille and others. The noncharacters are here too, because some fonts draw them as a box. The text is for a character class
 * of a RegExp with the flag `u`. It does not list all unassigned characters, because such a list grows old, and names are
 * written in new Han characters.
 */
export const NO_INK = String.raw`\uFB37\uFB3D\uFB3F\uFB42\uFB45\uFFFC\u2800\u{1D159}\u{16FE4}\p{Noncharacter_Code_Point}`;
