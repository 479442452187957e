import { Failure } from "../errors.ts";

/** What the files of this version look like. A file without a `format` is of the first one. */
const KNOWN_FORMAT = 1;

/**
 * The refusal of a file that a newer version has written: what it means is not known here, so it is neither used nor
 * changed. Undefined for every file that this version understands; fields that it does not know are no reason.
 */
export function newerVersion(file: string, content: { readonly format?: unknown }): Failure | undefined {
  const { format } = content;
  if (format === undefined || format === null || format === KNOWN_FORMAT) return undefined;
  const written = typeof format === "number" || typeof format === "string" ? format : "?";
  return new Failure("tool.config.invalid.newer_version", { file, format: written, known: KNOWN_FORMAT });
}
