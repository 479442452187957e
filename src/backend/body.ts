import { type Excess, excessOf, wellFormedJsonIn } from "../json.ts";
import { turn } from "../turn.ts";

/** The most bytes that are read of one answer, decoded. Every answer of this API is far smaller. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** A body that was read to its end. `json` is present if the text is JSON of a sane size. */
export interface Body {
  text: string;
  json?: unknown;
  /** Why the text was not parsed, in words for `detail`. */
  excess?: Excess;
}

/** The least length of a secret that is taken out. A shorter secret would occur in ordinary words too. */
const MIN_SECRET_LENGTH = 8;

/** Returns the text without the token that was sent, because proxies and debugging backends quote the request. */
export const withoutSecret = (text: string, secret: string | undefined): string =>
  secret === undefined || secret.length < MIN_SECRET_LENGTH ? text : text.replaceAll(secret, "***");

export class BodyTooLarge extends Error {}

/**
 * Returns a text that was read, with its JSON. The strings are made well-formed here, so that what is shown, decided on
 * by its hash, sent back and written to a file is one and the same text.
 */
export async function bodyOf(text: string): Promise<Body> {
  if (isLarge(text)) await turn();
  // This check comes before parsing, which costs far more for brackets and keys than for text.
  const excess = /^\s*[[{]/.test(text) ? excessIn(text) : undefined;
  if (excess !== undefined) return { text, excess };
  const json = wellFormedJsonIn(text);
  if (isLarge(text)) await turn();
  return json === undefined ? { text } : { text, json };
}

/** The length in UTF-16 units from which other work gets a turn between reading, parsing and checking a text. */
const LARGE = 65_536;
const isLarge = (text: string): boolean => text.length > LARGE;

const utf8 = new TextDecoder();

export const decoded = (body: readonly Uint8Array[]): string =>
  utf8.decode(body.length === 1 ? body[0] : Buffer.concat(body));

export const isJson = (body: Body): body is Body & { json: unknown } => "json" in body;

/**
 * The deepest nesting that is parsed. No answer of this API is that deep, and the code that walks an answer stays far
 * from a stack overflow.
 */
const MAX_DEPTH = 200;
/**
 * The most values that are parsed, which is enough for a thousand participants with twenty values each, or for five thousand
 * agents of a scene.
 */
const MAX_VALUES = 25_000;

/** Returns which limit a text from others exceeds, or undefined if its size is sane. */
export const excessIn = (text: string): Excess | undefined => excessOf(text, { depth: MAX_DEPTH, values: MAX_VALUES });
