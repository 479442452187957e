import type { ConfigKey } from "./schema.ts";

/**
 * A limit is a setting that restricts who decides, what is sent or what is shown. Its value in `config.json` may be
 * tightened from elsewhere, and never loosened. Serves contract §3.
 */
export interface Limit {
  /**
   * Returns whichever of the file's value and another one allows no more than the file's. Unreadable ones stay, and
   * are refused.
   */
  readonly stricter: (limit: unknown, wanted: unknown) => unknown;
  /** Returns whether a value allows less than a file that is silent. */
  readonly restricts: (value: unknown) => boolean;
  /** This may override the limit: `terminal_flag` is a flag of a one-shot command whose stdin is a terminal. */
  readonly loosenedBy: "nothing" | "terminal_flag";
  /** It is a limit only where `confirmation_policy` is strict, and then the default binds too. */
  readonly underStrict?: true;
  /** Both values apply together, so the other one is always followed. */
  readonly adds?: true;
  /** This value counts while the given one is refused, in place of the default. */
  readonly whenRefused?: unknown;
}

/**
 * Lists for each profile those that allow nothing more than it. `offline` and the two others allow different things.
 */
const PROFILES_WITHIN: Readonly<Record<string, readonly string[]>> = {
  live: ["offline", "read_only", "dry_run"],
  offline: [],
  read_only: ["dry_run"],
  dry_run: [],
};

/** Declares every limit once. */
export const LIMITS: Readonly<Partial<Record<ConfigKey, Limit>>> = {
  confirmation_policy: { ...rising("auto", "strict"), loosenedBy: "nothing", whenRefused: "strict" },
  on_unconfirmed: { ...rising("leave", "cancel"), loosenedBy: "nothing", underStrict: true },
  confirm_deadline_s: { ...lower(300), loosenedBy: "nothing", underStrict: true },
  profile: {
    ...comparing(
      textOf,
      (one, other) => PROFILES_WITHIN[other]?.includes(one) === true,
      (one) => one !== "live",
    ),
    loosenedBy: "terminal_flag",
  },
  allow_tools: { stricter: inBoth, restricts: isList, loosenedBy: "terminal_flag" },
  exclude_tools: { stricter: inEither, restricts: isList, loosenedBy: "terminal_flag", adds: true },
  redact_pii: { ...switchedTo(true), loosenedBy: "terminal_flag" },
  allow_http: { ...switchedTo(false), loosenedBy: "terminal_flag" },
  budget_max_negotiations: { ...lower(Number.POSITIVE_INFINITY), loosenedBy: "terminal_flag" },
  budget_max_backend_requests: { ...lower(Number.POSITIVE_INFINITY), loosenedBy: "terminal_flag" },
};

export const LIMITED_KEYS = Object.keys(LIMITS) as ConfigKey[];

/** Returns whether a change of the file's value allows more, or undefined for a key that is no limit. */
export const loosens = ({ stricter }: Limit, from: unknown, to: unknown): boolean =>
  from !== undefined && (to === undefined || stricter(from, to) !== to);

/** Returns `values` tightened by the limits in `others`. */
export function tightened(values: Readonly<Record<string, unknown>>, others: Readonly<Record<string, unknown>>) {
  const result: Record<string, unknown> = { ...values };
  for (const [key, other] of Object.entries(others))
    result[key] = isGiven(values[key]) ? (LIMITS[key as ConfigKey]?.stricter(values[key], other) ?? other) : other;
  return result;
}

/** Returns only the limits that a file sets. */
export const restrictionsIn = (values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(LIMITED_KEYS.flatMap((key) => (LIMITS[key]!.restricts(values[key]) ? [[key, values[key]]] : [])));

/** Empty text and `null` count as not given. */
export const isGiven = (raw: unknown): boolean => raw != null && !(typeof raw === "string" && raw.trim() === "");

/** Splits a comma-separated list of names. */
export const namesIn = (list: string | undefined): string[] =>
  (list ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");

/** Reads text as a switch, or returns undefined for text that is neither. */
export function switchIn(text: string): boolean | undefined {
  if (/^(true|1|yes|on)$/i.test(text)) return true;
  return /^(false|0|no|off)$/i.test(text) ? false : undefined;
}

type Compared = Pick<Limit, "stricter" | "restricts">;

/**
 * Compares values so that one of two applies. They may be as a file has them: `read` returns undefined for what it
 * cannot take.
 */
function comparing<T>(
  read: (raw: unknown) => T | undefined,
  isStricter: (one: T, other: T) => boolean,
  restricts: (value: T) => boolean,
): Compared {
  return {
    stricter(limit, wanted) {
      const [one, other] = [read(wanted), read(limit)];
      if (other === undefined) return limit;
      return one === undefined || isStricter(one, other) || one === other ? wanted : limit;
    },
    restricts(raw) {
      const value = read(raw);
      return value !== undefined && restricts(value);
    },
  };
}

/** The values stand in rising order of strictness. */
function rising(...values: readonly string[]): Compared {
  const rank = (raw: unknown) => {
    const at = values.indexOf(textOf(raw) ?? "");
    return at < 0 ? undefined : at;
  };
  return comparing(
    rank,
    (one, other) => one > other,
    (at) => at > 0,
  );
}

/** The lower value is stricter, and a silent file allows `most`. */
function lower(most: number): Compared {
  const number = (raw: unknown) => {
    const value = typeof raw === "number" ? raw : Number(textOf(raw) ?? Number.NaN);
    return Number.isNaN(value) ? undefined : value;
  };
  return comparing(
    number,
    (one, other) => one < other,
    (value) => value < most,
  );
}

function switchedTo(strict: boolean): Compared {
  const read = (raw: unknown) => (typeof raw === "boolean" ? raw : switchIn(textOf(raw) ?? ""));
  return comparing(
    read,
    (one) => one === strict,
    (value) => value === strict,
  );
}

/** Two lists without a common name would allow something neither means, so the file's list stays. */
function inBoth(limit: unknown, wanted: unknown): unknown {
  if (!isList(limit) || !isList(wanted)) return isList(limit) ? wanted : limit;
  const asked = namesIn(wanted);
  const both = asked.filter((name) => namesIn(limit).includes(name));
  if (both.length === 0) return limit;
  return both.length === asked.length ? wanted : both.join(",");
}

function inEither(limit: unknown, wanted: unknown): unknown {
  if (!isList(limit) || !isList(wanted)) return isList(limit) ? wanted : limit;
  const asked = namesIn(wanted);
  const more = namesIn(limit).filter((name) => !asked.includes(name));
  return more.length === 0 ? wanted : [...more, ...asked].join(",");
}

function isList(raw: unknown): raw is string {
  return typeof raw === "string" && namesIn(raw).length > 0;
}

function textOf(raw: unknown): string | undefined {
  return typeof raw === "string" ? raw.trim() : undefined;
}
