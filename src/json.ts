/** What JSON text says; undefined for text that is no JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export type Excess = "nested too deeply" | "too many values";

/** What a JSON text has more of than anybody means, seen without parsing it: brackets and keys cost far more than text. */
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

/** Empty of its kind: `""`, `[]` or `{}`. */
export const isEmpty = (value: unknown): boolean =>
  value === "" || (value !== null && typeof value === "object" && Object.keys(value).length === 0);
