import type { Settings } from "../../home/settings.ts";
import type { Warning } from "../../text/warnings.ts";

/** What a caller may choose about foreign text (agent layer §4); the settings map onto this one to one. */
export interface SanitizeOptions {
  limits: {
    /** Graphemes of one offer, all strings and keys in it together. */
    offerChars: number;
    /** Graphemes of a plan. */
    planChars: number;
    /** Columns of a name, wide characters counted as two. */
    nameChars: number;
  };
  /** Whether phone numbers, e-mail addresses and identity numbers are masked. Secrets always are. */
  redactPii: boolean;
}

/** The defaults of agent layer §4, in their one place. */
export const SANITIZE_DEFAULTS: SanitizeOptions = {
  limits: { offerChars: 4_000, planChars: 16_000, nameChars: 80 },
  redactPii: true,
};

/** How foreign text is made fit for a model under these settings (agent layer §4). */
export const sanitizeOptions = (
  settings: Pick<Settings, "offer_chars" | "plan_chars" | "redact_pii">,
): SanitizeOptions => ({
  limits: { ...SANITIZE_DEFAULTS.limits, offerChars: settings.offer_chars, planChars: settings.plan_chars },
  redactPii: settings.redact_pii,
});

/** A longer line is dropped by one client and cut by another. UTF-16 units. */
export const MAX_LINE_LENGTH = 2_000;
/** Vietnamese, Thai and Tibetan need up to four marks on a letter; a flood has hundreds. */
export const MARKS_PER_BASE = 4;
/** One grapheme can be of any length (jamo, joined emoji): a limit in graphemes is also one of eight units for each. */
export const UNITS_PER_GRAPHEME = 8;
/**
 * The UTF-16 units that a limit in graphemes or columns allows. Long texts get two for each: what is beyond is not read
 * at all, and reading costs about a millisecond for a thousand units of the worst kind.
 */
export const unitsOf = (limit: number): number => Math.min(limit * UNITS_PER_GRAPHEME, limit * 2 + 512);
/** So much is looked at for what a reader sees, which is far cheaper: a flood of marks is not what a text begins with. */
export const unitsSeen = (limit: number): number => limit * 2 + 8_192;
/** A value or a key costs this much of the limit besides its length: the shortest meets every pattern as well. */
export const COST_OF_VALUE = 8;
/** A result shows so many participants; the others are counted, and each can be read by itself. */
export const MAX_SHOWN = 200;
/** All offers of one result together, in graphemes: sixteen of the longest. */
export const MAX_OFFER_CHARS = 64_000;
/** An offer nested deeper than this is no offer: the rest reads "…". */
export const MAX_DEPTH = 32;

/** What was found and done on the way; one object for a whole value. */
export interface Findings {
  pii: boolean;
  /** How many pieces of personal data were masked. */
  masked: number;
  secret: boolean;
  truncated: boolean;
  suspicious: boolean;
  /** What was spent of the limits, in graphemes. */
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
  /** How many pieces of personal data were masked, if any. */
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
