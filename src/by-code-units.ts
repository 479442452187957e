/** Compares two texts by their code units, which orders names and codes in the same way for every language. */
export const byCodeUnits = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
