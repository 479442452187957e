import type { Paint } from "./paint.ts";

/** A score between 0 and 1 as a bar; what lies outside is drawn as the nearer end. */
export function bar(score: number, cells: number, paint: Paint): string {
  const full = Math.round(Math.min(1, Math.max(0, score)) * cells);
  return paint("green", "█".repeat(full)) + paint("dim", "░".repeat(cells - full));
}

/** The number itself, short whatever somebody sent: a score may lie outside 0–1. */
export const scoreOf = (score: number): string =>
  Math.abs(score) < 10 ? score.toFixed(2) : score.toExponential(0).replace("+", "");
