import type { Steps } from "../../turn.ts";
import { maskPii } from "../pii/pii.ts";
import { looksLikeInstructions } from "./instructions.ts";
import { COST_OF_VALUE, type Findings, MAX_DEPTH, type SanitizeOptions } from "./options.ts";
import { sanitizeName, sanitizeText } from "./text.ts";

/**
 * The state while one value is cleaned. All parts of the value share one budget of graphemes, because a thousand
 * short strings are as long as a single long one.
 */
interface Walk {
  left: number;
  /** The remaining budget at which other work can run next. */
  turnAt: number;
  options: SanitizeOptions;
  found: Findings;
}

/**
 * The number of graphemes that are cleaned before other work can run. With a pause after every short string, that
 * work would only wait longer.
 */
const A_STEP = 400;

/**
 * Cleans any JSON that others wrote, including all strings and keys. The whole result is at most `limit` graphemes
 * long.
 */
export function* sanitizeJson(
  value: unknown,
  limit: number,
  options: SanitizeOptions,
  found: Findings,
): Steps<unknown> {
  const walk = { left: limit, turnAt: limit - A_STEP, options, found };
  const clean = yield* cleanValue(value, "", 0, walk);
  found.spent += limit - walk.left;
  return clean;
}

function* cleanValue(value: unknown, field: string, depth: number, walk: Walk): Steps<unknown> {
  if (typeof value === "string") return yield* text(value, field, walk);
  spend(COST_OF_VALUE, walk);
  if (typeof value === "number") return number(value, field, walk);
  if (value === null || typeof value !== "object") {
    return typeof value === "boolean" ? value : null;
  }
  if (depth >= MAX_DEPTH) return yield* text("…", field, tooDeep(walk));
  return yield* Array.isArray(value) ? list(value, field, depth, walk) : record(value, depth, walk);
}

function* list(items: readonly unknown[], field: string, depth: number, walk: Walk): Steps<unknown[]> {
  const kept: unknown[] = [];
  for (const item of items) {
    if (exhausted(walk)) break;
    if (isTurn(walk)) yield;
    kept.push(yield* cleanValue(item, field, depth + 1, walk));
  }
  return kept;
}

function* record(value: object, depth: number, walk: Walk): Steps<Record<string, unknown>> {
  const kept = new Map<string, unknown>();
  const counts = new Map<string, number>();
  for (const [key, item] of Object.entries(value)) {
    if (exhausted(walk)) break;
    if (isTurn(walk)) yield;
    const name = freeName(key, kept, counts, walk);
    spend(name.length + COST_OF_VALUE, walk);
    if (typeof item === "string") walk.found.suspicious ||= looksLikeInstructions(`"${name}": "`);
    kept.set(name, yield* cleanValue(item, name, depth + 1, walk));
  }
  // `fromEntries` makes own properties even of a key such as `__proto__`.
  return Object.fromEntries(kept);
}

/** The width of "~" and the number after it, in columns. */
const NUMBERED = 7;

/**
 * Returns a name for a key that no other key has yet. Two keys may be the same after cleaning, and neither may hide
 * the other. `counts` remembers the last number of each name.
 */
function freeName(
  key: string,
  taken: ReadonlyMap<string, unknown>,
  counts: Map<string, number>,
  { options, found }: Walk,
): string {
  const columns = options.limits.nameChars;
  const rule = { redactPii: options.redactPii };
  const name = sanitizeName(key, columns, rule, found);
  if (!taken.has(name)) return name;
  const stem = sanitizeName(key, Math.max(1, columns - NUMBERED), rule, found);
  let n = counts.get(stem) ?? 1;
  let numbered: string;
  do numbered = `${stem}~${++n}`;
  while (taken.has(numbered));
  counts.set(stem, n);
  return numbered;
}

function* text(value: string, field: string, walk: Walk): Steps<string> {
  const done = yield* sanitizeText(value, walk.left, { redactPii: walk.options.redactPii, field }, walk.found);
  spend(done.used + COST_OF_VALUE, walk);
  return done.text;
}

/** Masks a number that is personal data, because a phone number may also be written without quotes. */
function number(value: number, field: string, walk: Walk): number | string {
  const written = String(value);
  spend(written.length, walk);
  if (!walk.options.redactPii || !Number.isSafeInteger(value)) return value;
  const masked = maskPii(written, field, () => walk.found.masked++);
  if (masked === written) return value;
  walk.found.pii = true;
  return masked;
}

const spend = (cost: number, walk: Walk): void => {
  walk.left -= cost;
};

function isTurn(walk: Walk): boolean {
  if (walk.left > walk.turnAt) return false;
  walk.turnAt = walk.left - A_STEP;
  return true;
}

function exhausted(walk: Walk): boolean {
  if (walk.left > 0) return false;
  walk.found.truncated = true;
  return true;
}

function tooDeep(walk: Walk): Walk {
  walk.found.truncated = true;
  return walk;
}
