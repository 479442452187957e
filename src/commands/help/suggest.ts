/** More slips of the finger than these are another word. */
const MAX_EDITS = 2;
/** Of a short word so much must be right that a suggestion is none by chance. */
const LEAST_ALIKE = 0.4;

/** The names nearest to a misspelt one, of those within two edits of it: in alphabetical order, none where none is near. */
export function closest(word: string, names: readonly string[]): string[] {
  const near = [...new Set(names)]
    .map((name) => ({ name, edits: editsBetween(word, name) }))
    .filter(({ name, edits }) => edits <= MAX_EDITS && 1 - edits / Math.max(word.length, name.length) > LEAST_ALIKE);
  const least = Math.min(...near.map(({ edits }) => edits));
  return near
    .filter(({ edits }) => edits === least)
    .map(({ name }) => name)
    .sort();
}

/** A letter too many, missing or wrong, or two that are swapped, is one edit each; Infinity beyond {@link MAX_EDITS}. */
function editsBetween(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > MAX_EDITS) return Number.POSITIVE_INFINITY;
  // rows[i][j]: from the first i letters of one to the first j of the other.
  const rows = Array.from({ length: one.length + 1 }, (_, i) => [i]);
  for (let j = 1; j <= other.length; j++) rows[0]![j] = j;
  for (let i = 1; i <= one.length; i++)
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      rows[i]![j] = Math.min(
        rows[i - 1]![j]! + 1,
        rows[i]![j - 1]! + 1,
        rows[i - 1]![j - 1]! + (isSame ? 0 : 1),
        isSwapped ? rows[i - 2]![j - 2]! + 1 : Number.POSITIVE_INFINITY,
      );
    }
  return rows[one.length]![other.length]!;
}
