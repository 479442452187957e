import type { Settings } from "../../home/settings.ts";
import type { Warning } from "../../text/warnings.ts";

/** What a caller may choose about foreign text (agent layer §4). The settings map onto this one to one. */
export interface SanitizeOptions {
  limits: {
    /** The most graphemes of one offer, with all its strings and keys together. */
    offerChars: number;
    /** The most graphemes of a plan. */
    planChars: number;
    /** The most columns of a name, with wide characters counted as two. */
    nameChars: number;
  };
  /** True if phone numbers, e-mail addresses and identity numbers are masked. Secrets always are. */
  redactPii: boolean;
}

/** The defaults of agent layer §4, in one place. */
export const SANITIZE_DEFAULTS: SanitizeOptions = {
  limits: { offerChars: 4_000, planChars: 16_000, nameChars: 80 },
  redactPii: true,
};

/** Returns how foreign text is made fit for a model under these settings (agent layer §4). */
export const sanitizeOptions = (
  settings: Pick<Settings, "offer_chars" | "plan_chars" | "redact_pii">,
): SanitizeOptions => ({
  limits: { ...SANITIZE_DEFAULTS.limits, offerChars: settings.offer_chars, planChars: settings.plan_chars },
  redactPii: settings.redact_pii,
});

/** The longest line in UTF-16 units. One client drops a longer line, and another cuts it. */
export const MAX_LINE_LENGTH = 2_000;
/** The most marks on a letter. Vietnamese, Thai and Tibetan need up to four, and a flood has hundreds. */
export const MARKS_PER_BASE = 4;
/**
 * One grapheme can be of any length (jamo, joined emoji), so a limit in graphemes is also a limit of eight units for
 * each.
 */
export const UNITS_PER_GRAPHEME = 8;
/**
 * Returns the UTF-16 units that a limit in graphemes or columns allows. Long texts get two for each. What is beyond
 * that is not read at all, because reading costs about a millisecond for a thousand units of the worst kind.
 */
export const unitsOf = (limit: number): number => Math.min(limit * UNITS_PER_GRAPHEME, limit * 2 + 512);
/**
 * Returns how many units are searched for what a reader sees. That is far cheaper than a full read, and a flood of marks
 * at the start of a text does not use up the limit.
 */
export const unitsSeen = (limit: number): number => limit * 2 + 8_192;
/** What a value or a key costs besides its length, because even the shortest one meets every pattern. */
export const COST_OF_VALUE = 8;
/** The most participants that a result shows. The others are counted, and each can be read by itself. */
export const MAX_SHOWN = 200;
/** The most graphemes of all offers of one result together, which is sixteen of the longest. */
export const MAX_OFFER_CHARS = 64_000;
/** The deepest nesting of an offer. Below it the rest reads "…". */
export const MAX_DEPTH = 32;

/** What was found and done while a whole value was cleaned. */
export interface Findings {
  pii: boolean;
  /** How many pieces of personal data were masked. */
  masked: number;
  secret: boolean;
  truncated: boolean;
  suspicious: boolean;
  /** How much of the limits was spent, in graphemes. */
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

/** A value that is fit for a model, with the stable warnings and the `meta` of the result that carries it. */
export interface Sanitized<T> {
  value: T;
  warnings: Warning[];
  meta: SanitizedMeta;
  /** How many pieces of personal data were masked. It is absent if none were. */
  masked?: number;
}

export interface SanitizedMeta {
  redaction_applied?: true;
  truncated?: true;
  /** JSON pointers into `data`, each with the URI of the resource that holds the whole. */
  truncated_paths?: Record<string, string>;
}

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
