/** Checks every entry of a corpus in one test; what fails says which entry it was. */
export async function forEachEntry<T>(
  corpus: Iterable<T>,
  nameOf: (entry: T) => string,
  check: (entry: T) => unknown,
): Promise<void> {
  for (const entry of corpus)
    try {
      await check(entry);
    } catch (error) {
      throw new Error(`${nameOf(entry)}: ${error instanceof Error ? error.message : error}`, { cause: error });
    }
}
