/** Characters as wide as they are high. */
const WIDE = /[\u2E80-\u9FFF\uAC00-\uD7AF\uFF00-\uFFEF]/;

/** About how wide a text is drawn, by how wide its characters are. */
export const drawnWidth =
  (widths: { wide: number; other: number }) =>
  (text: string): number =>
    [...text].reduce((sum, letter) => sum + (WIDE.test(letter) ? widths.wide : widths.other), 0);
