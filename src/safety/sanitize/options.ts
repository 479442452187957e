import type { Settings } from "../../home/settings.ts";
import type { Warning } from "../../text/warnings.ts";

/** How text by others is cleaned (agent layer §4). Each field except `nameChars` corresponds to a setting. */
export interface SanitizeOptions {
  limits: {
    /** The maximum length of one offer, with all its strings and keys together, in graphemes. */
    offerChars: number;
    /** The maximum length of a plan, in graphemes. */
    planChars: number;
    /** The maximum width of a name, in columns. A wide character takes two. */
    nameChars: number;
  };
  /** True if personal data such as phone numbers and e-mail addresses is masked. Secrets are always masked. */
  redactPii: boolean;
}

/** The defaults that agent layer §4 gives. */
export const SANITIZE_DEFAULTS: SanitizeOptions = {
  limits: { offerChars: 4_000, planChars: 16_000, nameChars: 80 },
  redactPii: true,
};

/** Returns the options for cleaning text by others under these settings (agent layer §4). */
export const sanitizeOptions = (
  settings: Pick<Settings, "offer_chars" | "plan_chars" | "redact_pii">,
): SanitizeOptions => ({
  limits: { ...SANITIZE_DEFAULTS.limits, offerChars: settings.offer_chars, planChars: settings.plan_chars },
  redactPii: settings.redact_pii,
});

/** The maximum length of a line, in UTF-16 units. One client drops a longer line, and another cuts it. */
export const MAX_LINE_LENGTH = 2_000;
/**
 * The maximum number of combining marks on a letter. Vietnamese, Thai and Tibetan need up to four, and a hostile text
 * may have hundreds.
 */
export const MARKS_PER_BASE = 4;
/**
 * The number of UTF-16 units that a limit allows for each grapheme, because a grapheme of joined emoji or jamo can be
 * of any length.
 */
export const UNITS_PER_GRAPHEME = 8;
/**
 * Returns the number of UTF-16 units that a limit in graphemes or columns allows, which is two for each in long
 * texts. Nothing beyond that number is read, because reading a thousand units of the worst kind costs about a
 * millisecond.
 */
export const unitsOf = (limit: number): number => Math.min(limit * UNITS_PER_GRAPHEME, limit * 2 + 512);
/**
 * Returns how many UTF-16 units of a text are searched for visible characters. This search is far cheaper than
 * cleaning. Without it, a flood of marks at the start of a text would use up the limit.
 */
export const unitsSeen = (limit: number): number => limit * 2 + 8_192;
/**
 * The graphemes that a value or a key costs besides its length, because every pattern is tried even on the shortest
 * one.
 */
export const COST_OF_VALUE = 8;
/** The maximum number of participants that a result shows. The others are counted, and each can be read by itself. */
export const MAX_SHOWN = 200;
/** The maximum length of all offers of one result together, in graphemes. Sixteen of the longest offers fit. */
export const MAX_OFFER_CHARS = 64_000;
/** The maximum nesting of an offer. Anything deeper becomes "…". */
export const MAX_DEPTH = 32;

/** What was found and changed while a whole value was cleaned. */
export interface Findings {
  pii: boolean;
  /** The number of pieces of personal data that were masked. */
  masked: number;
  secret: boolean;
  truncated: boolean;
  suspicious: boolean;
  /** How many graphemes of the limits were used. */
  spent: number;
}

export const noFindings = (): Findings => ({
  pii: false,
  masked: 0,
  secret: false,
  truncated: false,
  suspicious: false,
  spent: 0,
});

/** Adds what was found in a part to what was found in the whole. */
export function addFindings(whole: Findings, part: Findings): void {
  whole.pii ||= part.pii;
  whole.masked += part.masked;
  whole.secret ||= part.secret;
  whole.truncated ||= part.truncated;
  whole.suspicious ||= part.suspicious;
  whole.spent += part.spent;
}

/** A cleaned value, with the warnings and the `meta` for the result that holds it. */
export interface Sanitized<T> {
  value: T;
  warnings: Warning[];
  meta: SanitizedMeta;
  /** The number of pieces of personal data that were masked. Absent if none were. */
  masked?: number;
}

export interface SanitizedMeta {
  redaction_applied?: true;
  truncated?: true;
  /** JSON pointers into `data` to what was cut, each with the URI of the resource that holds the whole. */
  truncated_paths?: Record<string, string>;
}

/** Combines a cleaned value with the warnings and the `meta` that follow from the findings. */
export function sanitized<T>(value: T, found: Findings): Sanitized<T> {
  return {
    value,
    ...(found.masked > 0 && { masked: found.masked }),
    warnings: [
      ...(found.suspicious ? ["suspicious_instructions" as const] : []),
      ...(found.pii ? ["pii_redacted" as const] : []),
      ...(found.truncated ? ["truncated_output" as const] : []),
    ],
    meta: {
      ...((found.pii || found.secret) && { redaction_applied: true as const }),
      ...(found.truncated && { truncated: true as const }),
    },
  };
}
