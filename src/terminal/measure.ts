/** The most columns that a line of prose takes, however wide the terminal: longer ones are hard to read. */
const WIDEST = 88;

/** The columns that prose takes where there are so many. */
export const measureOf = (columns: number): number => Math.min(columns, WIDEST);
