import { styleText } from "node:util";

export type Style = Parameters<typeof styleText>[0];

/** Text in a style, or as it is where no colour is wanted. */
export type Paint = (style: Style, text: string) => string;

export const paintWith =
  (colour: boolean): Paint =>
  (style, text) =>
    colour && text !== "" ? styleText(style, text, { validateStream: false }) : text;
