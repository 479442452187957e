/**
 * What leaves no ink in Debian's Chromium with its ordinary fonts, as `checks/ink.ts` measures it, and no property of
 * Unicode's says so: the holes among the Hebrew letters, the place of an object, a blank cell of Braille and others; and the
 * noncharacters, which some fonts draw as a box. For a class of a RegExp with the flag `u`. It is a list, and not all that is
 * unassigned: that grows old, and names are written in new Han.
 */
export const NO_INK = String.raw`\uFB37\uFB3D\uFB3F\uFB42\uFB45\uFFFC\u2800\u{1D159}\u{16FE4}\p{Noncharacter_Code_Point}`;
