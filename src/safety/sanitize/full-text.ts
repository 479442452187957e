import type { Participant } from "../../backend/contract.ts";
import type { Steps } from "../../turn.ts";
import { sanitizeJson } from "./json.ts";
import { noFindings, type Sanitized, type SanitizeOptions, sanitized } from "./options.ts";
import { sanitizeText } from "./text.ts";

const UNLIMITED = Number.POSITIVE_INFINITY;
/** Graphemes of an offer that is no text: it is cleaned as a whole, before it is written out. */
const JSON_CHARS = 24_000;
const NAME_CHARS = 1_000;

/** One page of a plan or an offer, as `sanitizeNegotiation` gives them, but uncut. */
export function* sanitizePage(page: string, { redactPii }: SanitizeOptions): Steps<Sanitized<string>> {
  const found = noFindings();
  const { text } = yield* sanitizeText(page, UNLIMITED, { redactPii }, found);
  return sanitized(text, found);
}

/**
 * An offer with its name and capabilities as one text, whose pages are still to be cleaned. A text is whole; of other
 * JSON, written out, there are at most 24,000 characters.
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
