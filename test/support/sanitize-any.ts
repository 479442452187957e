import { sanitizeJson } from "../../src/safety/sanitize/json.ts";
import { noFindings, type Sanitized, type SanitizeOptions, sanitized } from "../../src/safety/sanitize/options.ts";
import { atOnce } from "../../src/turn.ts";

/** Any JSON as the parts of results are cleaned that have no shape of their own, not longer than one offer. */
export function sanitizeAny(value: unknown, options: SanitizeOptions): Sanitized<unknown> {
  const found = noFindings();
  return sanitized(atOnce(sanitizeJson(value, options.limits.offerChars, options, found)), found);
}
