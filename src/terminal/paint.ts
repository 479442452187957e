import { styleText } from "node:util";

export type Style = Parameters<typeof styleText>[0];

/** Paints text in a style, or returns it unchanged if no colour is wanted. */
export type Paint = (style: Style, text: string) => string;

export const paintWith =
  (colour: boolean): Paint =>
  (style, text) =>
    colour && text !== "" ? styleText(style, text, { validateStream: false }) : text;

/**
 * What the colours mean in the terminal, which is the same as on the pages. A sign, a separate line or a word always says the
 * same as the colour, because not everybody sees colours.
 */
export const COLOURS = {
  /** Words that the network has added. */
  network: ["black", "bgYellow"],
  networkSign: "yellow",
  /** Words that the person is changing. */
  change: ["black", "bgCyan"],
  /** What the person can do and its results, such as commands, offers and a plan. */
  act: "cyan",
  /** Personal data in a text. */
  personal: ["underline", "red"],
  /** What is short, missing or failed, such as the last minute or an ending without a plan. */
  warn: "red",
  muted: "dim",
} as const satisfies Record<string, Style>;

/** Draws a score between 0 and 1 as a bar. A score beyond that is drawn as the nearer end. */
export function bar(score: number, cells: number, paint: Paint): string {
  const full = Math.round(Math.min(1, Math.max(0, score)) * cells);
  return paint("green", "█".repeat(full)) + paint("dim", "░".repeat(cells - full));
}
