const written = new WeakMap<object, string>();

/** A value as JSON, written once however often it is sent: what a room shows is replaced and never changed. */
export function writtenOnce(value: object): string {
  const known = written.get(value) ?? JSON.stringify(value);
  written.set(value, known);
  return known;
}
