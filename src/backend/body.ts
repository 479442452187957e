import { type Excess, excessOf, wellFormedJsonIn } from "../json.ts";
import { turn } from "../turn.ts";

/** The most that is read of one answer, in decoded bytes. No answer of this API is near it. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** A body that was read to its end. `json` is there when its text is JSON, and of a sane size. */
export interface Body {
  text: string;
  json?: unknown;
  /** Why it was not parsed: words for `detail`. */
  excess?: Excess;
}

/** A shorter one would be in ordinary words too. */
const MIN_SECRET_LENGTH = 8;

/** The text without the token that was sent: proxies and debugging backends quote what they were asked with. */
export const withoutSecret = (text: string, secret: string | undefined): string =>
  secret === undefined || secret.length < MIN_SECRET_LENGTH ? text : text.replaceAll(secret, "***");

/** The answer is larger than the cap. */
export class BodyTooLarge extends Error {}

/**
 * A text that was read, with its JSON. Its strings are made well-formed here: what is shown, decided on by its hash, sent
 * back and written to a file is then one and the same text.
 */
export async function bodyOf(text: string): Promise<Body> {
  if (isLarge(text)) await turn();
  // Before parsing, which costs far more for brackets and keys than for text.
  const excess = /^\s*[[{]/.test(text) ? excessIn(text) : undefined;
  if (excess !== undefined) return { text, excess };
  const json = wellFormedJsonIn(text);
  if (isLarge(text)) await turn();
  return json === undefined ? { text } : { text, json };
}

/** So much that others have their turn between reading, parsing and checking it. UTF-16 units. */
const LARGE = 65_536;
const isLarge = (text: string): boolean => text.length > LARGE;

const utf8 = new TextDecoder();

/** A body as text. */
export const decoded = (body: readonly Uint8Array[]): string =>
  utf8.decode(body.length === 1 ? body[0] : Buffer.concat(body));

export const isJson = (body: Body): body is Body & { json: unknown } => "json" in body;

/** Deeper than any answer of this API, and far below what overflows the stack of the code that walks it. */
const MAX_DEPTH = 200;
/** A thousand participants with twenty values each, and some; five thousand agents of a scene. */
const MAX_VALUES = 25_000;

/** What a text that others sent has more of than anybody means. */
export const excessIn = (text: string): Excess | undefined => excessOf(text, { depth: MAX_DEPTH, values: MAX_VALUES });
