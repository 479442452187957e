import type { Participant } from "../backend/contract.ts";
import { breakLines } from "./sanitize-length.ts";
import { noFindings, type Sanitized, type SanitizeOptions, sanitized } from "./sanitize-options.ts";
import { sanitizeText } from "./sanitize-text.ts";
import { sanitizeJson } from "./sanitize-walk.ts";

const UNLIMITED = Number.POSITIVE_INFINITY;

/** A plan as `sanitizeNegotiation` gives it, but whole: it is read in pages. */
export function sanitizeWholePlan(plan: string, { redactPii }: SanitizeOptions): Sanitized<string> {
  const found = noFindings();
  return sanitized(sanitizeText(plan, UNLIMITED, { redactPii }, found).text, found);
}

/** An offer with its name and capabilities as lines of text, whole: a text stays one, other JSON is written out. */
export function sanitizeWholeOffer(participant: Participant, options: SanitizeOptions): Sanitized<string> {
  const found = noFindings();
  const { display_name, offer_capabilities, offer_content } = participant;
  const clean = (value: unknown) => sanitizeJson(value, UNLIMITED, options, found);
  const name = String(clean(display_name)).replace(/\s+/g, " ");
  const content = clean(offer_content);
  const text = [
    `display_name: ${name}`,
    ...(offer_capabilities === null ? [] : [`offer_capabilities: ${JSON.stringify(clean(offer_capabilities))}`]),
    "",
    typeof content === "string" ? content : JSON.stringify(content, null, 1),
  ].join("\n");
  return sanitized(breakLines(text), found);
}
