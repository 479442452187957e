const written = new WeakMap<object, string>();

/** Returns a value as JSON, serialised only once. That is safe because a room replaces what it shows and never changes it. */
export function writtenOnce(value: object): string {
  const known = written.get(value) ?? JSON.stringify(value);
  written.set(value, known);
  return known;
}
