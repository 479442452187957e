import { remembering } from "../remember.ts";

/**
 * Thrown if no boundary was free. The source of randomness must then be broken, because no text can hold every
 * boundary.
 */
class NoBoundary extends Error {
  override readonly name = "NoBoundary";
}

const MAX_TRIES = 16;
/** The shape of a boundary, which is too long to occur by chance and plain enough to look the same everywhere. */
const BOUNDARY = /^[0-9A-Za-z]{8,64}$/;

/**
 * Returns only the letters and digits of a text, in plain lower case, because a reader could still recognise a
 * boundary in them.
 */
const fold = remembering(
  (text) =>
    text
      .normalize("NFKC")
      .replace(/[^0-9A-Za-z]+/g, "")
      .toLowerCase(),
  20,
  10_000,
);

/**
 * Returns text by others between two lines that hold a random boundary (agent layer §4).
 *
 * The text cannot forge the closing line, because the boundary does not occur in it. The check ignores case, signs
 * between the letters and digits, and full-width or styled forms, because a reader might ignore them too. If a
 * boundary does occur in the text, another one is tried.
 *
 * @param boundary returns a fresh random boundary of at least 8 letters and digits at each call
 * @throws NoBoundary if 16 boundaries in a row were malformed or in the text
 */
export function fence(text: string, boundary: () => string): string {
  const read = fold(text);
  for (let tried = 0; tried < MAX_TRIES; tried++) {
    const mark = boundary();
    if (BOUNDARY.test(mark) && !read.includes(mark.toLowerCase()))
      return `<<<foreign ${mark}\n${text}\n>>>foreign ${mark}`;
  }
  throw new NoBoundary("no boundary that the text does not hold");
}
