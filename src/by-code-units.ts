/** By their code units: how names and codes are ordered wherever nobody's language matters. */
export const byCodeUnits = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
