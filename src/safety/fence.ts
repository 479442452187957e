import { remembering } from "../remember.ts";

/** No boundary was free, because the source of randomness repeats itself. That is a defect here, never of the text. */
class NoBoundary extends Error {
  override readonly name = "NoBoundary";
}

const MAX_TRIES = 16;
/**
 * The shape of a boundary: long enough that nobody meets it by chance, plain enough that it looks the same everywhere.
 */
const BOUNDARY = /^[0-9A-Za-z]{8,64}$/;

/**
 * Returns the plain letters and digits of a text, whatever stands between them, because a boundary could be read from
 * them.
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
 * Returns foreign text between two lines that hold a random boundary (agent layer §4), for the text channel.
 *
 * The closing line is unique. The boundary occurs nowhere in the text, nor in what a reader would take the text for
 * (without what stands between its letters and digits, with full-width and styled ones as plain ones, in any case). A
 * boundary that does occur is thrown away, and another one is asked for.
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
