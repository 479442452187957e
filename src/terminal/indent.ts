import { stringWidth } from "../text-width.ts";

/** The indent of a line of `columns`; none where the line is whole only without it. */
export const indentOf = (line: string, indent: string, columns: number): string => {
  const width = stringWidth(line);
  return indent.trim() === "" && width <= columns && width + stringWidth(indent) > columns ? "" : indent;
};
