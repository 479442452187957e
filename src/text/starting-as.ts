import type { Texts } from "./index.ts";

/** The sentences that name a command, and hold no word of anybody else's. */
const NAMING = ["pause", "errors", "note", "notice", "unshown", "task"] as const;

/**
 * Sentences whose commands begin as this program is started here: where no PATH knows it by its name, `towow-mcp confirm` is
 * a command that nobody can run.
 */
export function startingAs(texts: Texts, start: string): Texts {
  if (start === "towow-mcp") return texts;
  const named = (text: string): string => text.replaceAll(/\btowow-mcp (?=[a-z{])/g, () => `${start} `);
  return { ...texts, ...Object.fromEntries(NAMING.map((part) => [part, mapped(texts[part], named)])) };
}

function mapped(value: unknown, named: (text: string) => string): unknown {
  if (typeof value === "string") return named(value);
  if (typeof value === "function") return (...given: unknown[]) => mapped(value(...given), named);
  if (Array.isArray(value)) return value.map((one) => mapped(one, named));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapped(one, named)]));
}
