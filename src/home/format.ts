import { Failure } from "../errors.ts";

/** The format of the files that this version writes. A file without a `format` has the first format. */
const KNOWN_FORMAT = 1;

/**
 * Returns the refusal of a file that a newer version has written, or undefined for every file that this version
 * understands. Such a file may mean something unknown, so it is neither used nor changed. Unknown fields alone are no
 * reason to refuse.
 */
export function newerVersion(file: string, content: { readonly format?: unknown }): Failure | undefined {
  const { format } = content;
  if (format === undefined || format === null || format === KNOWN_FORMAT) return undefined;
  const written = typeof format === "number" || typeof format === "string" ? format : "?";
  return new Failure("tool.config.invalid.newer_version", { file, format: written, known: KNOWN_FORMAT });
}
