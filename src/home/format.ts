import { Failure } from "../errors.ts";

/** This version writes files of this format. A file without a `format` has the first one. */
const KNOWN_FORMAT = 1;

/**
 * Returns the refusal of a file that a newer version has written: its meaning is unknown here, so it is neither used
 * nor changed. Returns undefined for every file that this version understands. Unknown fields are no reason to refuse.
 */
export function newerVersion(file: string, content: { readonly format?: unknown }): Failure | undefined {
  const { format } = content;
  if (format === undefined || format === null || format === KNOWN_FORMAT) return undefined;
  const written = typeof format === "number" || typeof format === "string" ? format : "?";
  return new Failure("tool.config.invalid.newer_version", { file, format: written, known: KNOWN_FORMAT });
}
