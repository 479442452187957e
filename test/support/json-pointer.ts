/** What stands at a JSON pointer (RFC 6901). @throws where nothing does */
export function at(document: unknown, pointer: string): unknown {
  let value = document;
  for (const part of pointer.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (value === null || typeof value !== "object" || !Object.hasOwn(value, key))
      throw new Error(`nothing at ${pointer}`);
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
