import type { Participant } from "../../backend/contract.ts";
import type { Steps } from "../../turn.ts";
import { sanitizeJson } from "./json.ts";
import { noFindings, type Sanitized, type SanitizeOptions, sanitized } from "./options.ts";
import { sanitizeText } from "./text.ts";

const UNLIMITED = Number.POSITIVE_INFINITY;
/** The most graphemes of an offer that is not a text. It is cleaned as a whole, before it is written out. */
const JSON_CHARS = 24_000;
const NAME_CHARS = 1_000;

/** Cleans one page of a plan or an offer, as `sanitizeNegotiation` does, but without cutting it. */
export function* sanitizePage(page: string, { redactPii }: SanitizeOptions): Steps<Sanitized<string>> {
  const found = noFindings();
  const { text } = yield* sanitizeText(page, UNLIMITED, { redactPii }, found);
  return sanitized(text, found);
}

/**
 * Returns an offer with its name and capabilities as one text, whose pages must still be cleaned. A text is whole.
 * Other JSON is written out, with at most 24,000 characters.
 */
export function* writeOffer(participant: Participant, options: SanitizeOptions): Steps<Sanitized<string>> {
  const found = noFindings();
  const { display_name, offer_capabilities, offer_content: content } = participant;
  const clean = (value: unknown, limit: number) => sanitizeJson(value, limit, options, found);
  const name = String(yield* clean(display_name, NAME_CHARS)).replace(/\s+/g, " ");
  const { offerChars } = options.limits;
  const text = [
    `display_name: ${name}`,
    ...(offer_capabilities === null
      ? []
      : [`offer_capabilities: ${JSON.stringify(yield* clean(offer_capabilities, offerChars))}`]),
    "",
    typeof content === "string" ? content : JSON.stringify(yield* clean(content, JSON_CHARS), null, 1),
  ].join("\n");
  return sanitized(text, found);
}
