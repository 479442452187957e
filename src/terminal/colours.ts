import type { Style } from "./paint.ts";

/**
 * What a colour means in the terminal; the same as on the pages. None says anything alone: a sign, a line of its own or
 * a word says it too.
 */
export const COLOURS = {
  /** Words that the network added. */
  network: ["black", "bgYellow"],
  networkSign: "yellow",
  /** Words that the person changes now. */
  change: ["black", "bgCyan"],
  /** What the person can do, and what came of it: commands, offers, a plan. */
  act: "cyan",
  /** Personal data in a text. */
  personal: ["underline", "red"],
  /** What is short, missing or failed: the last minute, an ending without a plan. */
  warn: "red",
  muted: "dim",
} as const satisfies Record<string, Style>;
