/** The most columns that a line of prose takes, however wide the terminal is, because longer lines are hard to read. */
const WIDEST = 88;

/** Returns how many of the columns a line of prose takes. */
export const measureOf = (columns: number): number => Math.min(columns, WIDEST);
