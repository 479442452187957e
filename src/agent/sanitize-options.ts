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

/** A longer line is dropped by one client and cut by another (clients, rule 6). UTF-16 units. */
export const LONGEST_LINE = 2_000;
/** Vietnamese, Thai and Tibetan need up to four marks on a letter; a flood has hundreds. */
export const MARKS_PER_BASE = 4;
/** One grapheme can be of any length (jamo, joined emoji): a limit in graphemes is also one of eight units for each. */
export const UNITS_PER_GRAPHEME = 8;
/** An offer nested deeper than this is no offer: the rest reads "…". */
export const DEEPEST = 32;

/** What was found and done on the way; one object for a whole value. */
export interface Findings {
  pii: boolean;
  secret: boolean;
  truncated: boolean;
  suspicious: boolean;
}

export const noFindings = (): Findings => ({ pii: false, secret: false, truncated: false, suspicious: false });

/** Adds what was found in a part to what was found in the whole. */
export function addFindings(whole: Findings, part: Findings): void {
  whole.pii ||= part.pii;
  whole.secret ||= part.secret;
  whole.truncated ||= part.truncated;
  whole.suspicious ||= part.suspicious;
}

/** A value that is fit for a model, with the stable warnings and the `meta` of the result that carries it. */
export interface Sanitized<T> {
  value: T;
  warnings: string[];
  meta: SanitizedMeta;
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
    warnings: [
      ...(found.suspicious ? ["suspicious_instructions"] : []),
      ...(found.pii ? ["pii_redacted"] : []),
      ...(found.truncated ? ["truncated_output"] : []),
    ],
    meta: {
      ...((found.pii || found.secret) && { redaction_applied: true as const }),
      ...(found.truncated && { truncated: true as const }),
    },
  };
}
