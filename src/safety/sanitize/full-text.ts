import type { Participant } from "../../backend/contract.ts";
import type { Steps } from "../../turn.ts";
import { sanitizeJson } from "./json.ts";
import { noFindings, type Sanitized, type SanitizeOptions, sanitized } from "./options.ts";
import { sanitizeText } from "./text.ts";

const UNLIMITED = Number.POSITIVE_INFINITY;
/**
 * The maximum length of an offer that is JSON, in graphemes. Such an offer is cleaned as a whole before it is written
 * out.
 */
const JSON_CHARS = 24_000;
const NAME_CHARS = 1_000;

/** Cleans one page of a plan or an offer as `sanitizeNegotiation` does, but cuts nothing. */
export function* sanitizePage(page: string, { redactPii }: SanitizeOptions): Steps<Sanitized<string>> {
  const found = noFindings();
  const { text } = yield* sanitizeText(page, UNLIMITED, { redactPii }, found);
  return sanitized(text, found);
}

/**
 * Returns an offer with its agent's name and capabilities as one text, whose pages must still be cleaned. An offer
 * that is a text stays whole. Any other JSON is written out, up to 24,000 graphemes.
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
