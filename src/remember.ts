import { LRUCache } from "lru-cache";

/**
 * Wraps a function of a text so that it remembers its values for the last `most` texts of at most `longest` UTF-16
 * units, because the same names, ids and demands come with every read.
 */
export function remembering<T>(work: (text: string) => T, most: number, longest: number): (text: string) => T {
  const given = new LRUCache<string, { value: T }>({ max: most });
  return (text) => {
    const known = given.get(text);
    if (known !== undefined) return known.value;
    const value = work(text);
    if (text.length > longest) return value;
    given.set(text, { value });
    return value;
  };
}
