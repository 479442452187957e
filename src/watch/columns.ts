import { stringWidth } from "../text-width.ts";

/** From this width on there is room for the agents beside what one of them offers. */
export const TWO_COLUMNS = 100;
const GAP = 3;

/** The widths of both columns, for a terminal of this width. */
export function columnWidths(width: number): { left: number; right: number } {
  const left = Math.max(40, Math.floor(width * 0.42));
  return { left, right: width - left - GAP };
}

/** Two blocks of lines side by side. The left one's lines are at most `left` columns wide. */
export function sideBySide(left: readonly string[], right: readonly string[], leftWidth: number): string[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, i) => {
    const [one = "", other = ""] = [left[i], right[i]];
    return other === "" ? one : one + " ".repeat(Math.max(0, leftWidth - stringWidth(one)) + GAP) + other;
  });
}
