/** This file compares two texts word by word, to find who wrote which words and how the texts differ. */

/** The maximum number of words, over both texts, that are compared. Comparing more would take too long. */
const MAX_WORDS = 4_000;

/** A run of words that an edit keeps, adds or takes out. */
export interface EditRun {
  text: string;
  change: "same" | "added" | "removed";
}

/**
 * Returns for each word or line its position in the base, or undefined if it is new. Returns undefined as a whole if
 * too much differs to be compared.
 */
export function aligned(base: readonly string[], words: readonly string[]): (number | undefined)[] | undefined {
  // A network mostly adds words at the end, so the parts that both texts share are set aside first. What is left of
  // even a long text is then short.
  const from = sameWords(base, words);
  const left = [base.slice(from), words.slice(from)] as const;
  const isLong = left[0].length + left[1].length > MAX_WORDS;
  const back = isLong ? sameWords(left[0].toReversed(), left[1].toReversed()) : 0;
  const [old, fresh] = [left[0].slice(0, left[0].length - back), left[1].slice(0, left[1].length - back)];
  if (old.length + fresh.length > MAX_WORDS) return undefined;
  return [
    ...Array.from({ length: from }, (_, at) => at),
    ...longestCommon(old, fresh).map((at) => (at === undefined ? undefined : at + from)),
    ...Array.from({ length: back }, (_, at) => base.length - back + at),
  ];
}

/**
 * Returns the runs that turn the base into the words, with each removal before its replacement. Undefined if too much
 * differs to be compared.
 */
export function editRuns(base: readonly string[], words: readonly string[]): EditRun[] | undefined {
  const places = aligned(base, words);
  if (places === undefined) return undefined;
  const runs: EditRun[] = [];
  const add = (change: EditRun["change"], texts: readonly string[]): void => {
    const last = runs.at(-1);
    if (last?.change === change) last.text += texts.join("");
    else if (texts.length > 0) runs.push({ text: texts.join(""), change });
  };
  let [next, from] = [0, 0];
  for (const [index, at] of [...places, base.length].entries()) {
    if (at === undefined) continue;
    add("removed", base.slice(next, at));
    add("added", words.slice(from, index));
    add("same", base.slice(at, at + 1));
    [next, from] = [at + 1, index + 1];
  }
  return runs;
}

/** Returns how many words at the beginning are the same in both texts. */
function sameWords(base: readonly string[], words: readonly string[]): number {
  const at = base.findIndex((word, index) => word !== words[index]);
  return at < 0 ? base.length : at;
}

/**
 * Finds the longest common subsequence, and returns the position of each word in the base. Words are compared as
 * numbers, because that is faster.
 */
function longestCommon(base: readonly string[], words: readonly string[]): (number | undefined)[] {
  const numbers = new Map<string, number>();
  const numberOf = (word: string): number => {
    const known = numbers.get(word) ?? numbers.size;
    numbers.set(word, known);
    return known;
  };
  const old = Uint16Array.from(base, numberOf);
  const fresh = Uint16Array.from(words, numberOf);
  const width = words.length + 1;
  const lengths = new Uint16Array((base.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  // This loop runs millions of times. Each cell needs the cell to its right and two cells below, which always exist.
  for (let i = base.length - 1; i >= 0; i--) {
    const word = old[i];
    let right = 0;
    for (let j = words.length - 1, here = i * width + j; j >= 0; j--, here--) {
      const below = lengths[here + width] as number;
      right = word === fresh[j] ? (lengths[here + width + 1] as number) + 1 : below > right ? below : right;
      lengths[here] = right;
    }
  }
  const kept: (number | undefined)[] = [];
  let i = 0;
  for (let j = 0; j < words.length; ) {
    if (i < base.length && base[i] === words[j]) {
      kept.push(i);
      i++;
      j++;
    } else if (i < base.length && at(i + 1, j) >= at(i, j + 1)) i++;
    else {
      kept.push(undefined);
      j++;
    }
  }
  return kept;
}
