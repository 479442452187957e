const LINES = 6;
const rounded = (value: number) => Math.round(value * 100) / 100;

/**
 * Draws the six lines of a hexagram, from the lowest to the highest. A whole line stands for a step that is done, and
 * a broken line for a step to come.
 *
 * @param whole how many lines are whole, 0–6
 * @param box the corner, the width, and the distance between two lines, in pixels
 */
export function hexagram(whole: number, { x, y, width, gap }: { x: number; y: number; width: number; gap: number }) {
  return Array.from({ length: LINES }, (_, line) => {
    const at = rounded(y + width - 1.5 - line * gap);
    if (line < whole) return `<path d="M${rounded(x)} ${at}h${rounded(width)}"/>`;
    const half = rounded(width * 0.39);
    return `<path d="M${rounded(x)} ${at}h${half}M${rounded(x + width * 0.61)} ${at}h${half}" opacity=".75"/>`;
  }).join("");
}

/** Draws the sign of Towow in the colour of the text. `name` is its class, which sets its size. */
export const mark = (whole = LINES, name = "mark"): string =>
  `<svg class="${name}" viewBox="0 0 18 18" fill="none" stroke="currentColor" stroke-width="1.6" aria-hidden="true">${hexagram(whole, { x: 0, y: 0, width: 18, gap: 3 })}</svg>`;
