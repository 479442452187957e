const written = new WeakMap<object, string>();

/**
 * Returns a value as JSON and serialises each object only once. That is safe because a room never changes an object
 * that it shows.
 */
export function writtenOnce(value: object): string {
  const known = written.get(value) ?? JSON.stringify(value);
  written.set(value, known);
  return known;
}
