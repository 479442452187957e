import { styleText } from "node:util";

export type Style = Parameters<typeof styleText>[0];

/** Text in a style, or as it is where no colour is wanted. */
export type Paint = (style: Style, text: string) => string;

export const paintWith =
  (colour: boolean): Paint =>
  (style, text) =>
    colour && text !== "" ? styleText(style, text, { validateStream: false }) : text;

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

/** A score between 0 and 1 as a bar; what lies outside is drawn as the nearer end. */
export function bar(score: number, cells: number, paint: Paint): string {
  const full = Math.round(Math.min(1, Math.max(0, score)) * cells);
  return paint("green", "█".repeat(full)) + paint("dim", "░".repeat(cells - full));
}
