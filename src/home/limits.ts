import type { ConfigKey } from "./schema.ts";

/**
 * A setting that restricts who decides, what is sent or what is shown. Its value in `config.json` can be tightened from
 * elsewhere but never loosened. Serves contract §3.
 */
export interface Limit {
  /**
   * Returns the stricter of the file's value and another value. A value that cannot be read is returned in any case, the file's
   * first, and is refused later.
   */
  readonly stricter: (limit: unknown, wanted: unknown) => unknown;
  /** Returns whether a value allows less than a file that does not mention the key. */
  readonly restricts: (value: unknown) => boolean;
  /** What may override the limit. `terminal_flag` means a flag of a one-shot command whose stdin is a terminal. */
  readonly loosenedBy: "nothing" | "terminal_flag";
  /** Set if this is a limit only under `confirmation_policy: strict`. Then even the default binds. */
  readonly underStrict?: true;
  /** Set if both values apply together, so that the value from elsewhere is always followed. */
  readonly adds?: true;
  /** The value that applies instead of the default while the given one is refused. */
  readonly whenRefused?: unknown;
}

/**
 * Maps each profile to the profiles that allow nothing beyond it. `offline` allows other things than `read_only` and `dry_run`.
 */
const PROFILES_WITHIN: Readonly<Record<string, readonly string[]>> = {
  live: ["offline", "read_only", "dry_run"],
  offline: [],
  read_only: ["dry_run"],
  dry_run: [],
};

/** Every limit by its key, with what may override it. */
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

/** Returns whether a change of the file's value allows more. */
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

/** Returns whether a value is given. Empty text and `null` are not. */
export const isGiven = (raw: unknown): boolean => raw != null && !(typeof raw === "string" && raw.trim() === "");

/** Splits a comma-separated list of names. */
export const namesIn = (list: string | undefined): string[] =>
  (list ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");

/** Reads text as a switch. Returns undefined for text that is neither on nor off. */
export function switchIn(text: string): boolean | undefined {
  if (/^(true|1|yes|on)$/i.test(text)) return true;
  return /^(false|0|no|off)$/i.test(text) ? false : undefined;
}

type Compared = Pick<Limit, "stricter" | "restricts">;

/**
 * Builds a limit for which one of two values applies. Values may have the form that they have in a file, and `read` returns
 * undefined for a value that it cannot use.
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

/** Builds a limit whose values are given in rising order of strictness. */
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

/** Builds a limit whose lower value is stricter. A file that does not mention it allows `most`. */
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

/**
 * Returns the names in both lists. If they share none, the file's list stays, because an empty list would allow
 * everything.
 */
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
