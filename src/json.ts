/** Parses JSON. Returns undefined for text that is not JSON. */
export function jsonIn(text: string): unknown {
  return read(text);
}

function read(text: string, reviver?: (key: string, value: unknown) => unknown): unknown {
  try {
    return JSON.parse(text, reviver);
  } catch {
    return undefined;
  }
}

export type Excess = "nested too deeply" | "too many values";

/** Returns which limit a JSON text exceeds, if any, without parsing it, because brackets and keys cost far more than text. */
export function excessOf(text: string, most: { depth: number; values: number }): Excess | undefined {
  let depth = 0;
  let values = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === 0x5c) i++;
    else if (char === 0x22) quoted = !quoted;
    else if (quoted) continue;
    else if (char === 0x2c) values++;
    else if (char === 0x5b || char === 0x7b) {
      values++;
      if (++depth > most.depth) return "nested too deeply";
    } else if (char === 0x5d || char === 0x7d) depth--;
    if (values > most.values) return "too many values";
  }
  return undefined;
}

/** Returns whether a value is empty, as `""`, `[]` and `{}` are. */
export const isEmpty = (value: unknown): boolean =>
  value === "" || (value !== null && typeof value === "object" && Object.keys(value).length === 0);

/**
 * Finds a text that holds half of a surrogate pair, which UTF-8 cannot carry. Returns its place, such as `profile_data.bio`.
 * Returns "" for the value itself or one of its own keys, and undefined if every text is well-formed.
 */
export function illFormedIn(value: unknown): string | undefined {
  const open: [path: string, value: unknown][] = [["", value]]; // A stack replaces recursion, because nothing bounds the nesting here.
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [path, one] = next;
    if (typeof one === "string" && !one.isWellFormed()) return path;
    if (typeof one !== "object" || one === null) continue;
    for (const [key, inner] of Object.entries(one)) {
      if (!key.isWellFormed()) return path;
      open.push([path === "" ? key : `${path}.${key}`, inner]);
    }
  }
  return undefined;
}

/** Matches an escaped half of a surrogate pair. Only an escape can hold one, because UTF-8 cannot. */
const HALF_PAIR = /\\u[dD][89a-fA-F]/;

/** Parses JSON, with each half of a surrogate pair replaced by U+FFFD. Returns undefined for text that is not JSON. */
export const wellFormedJsonIn = (text: string): unknown =>
  read(text, HALF_PAIR.test(text) ? (_, value) => wellFormed(value) : undefined);

function wellFormed(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  if (entries.every(([key]) => key.isWellFormed())) return value;
  return Object.fromEntries(entries.map(([key, one]) => [key.toWellFormed(), one]));
}
