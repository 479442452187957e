import { statSync } from "node:fs";
import { join } from "node:path";
import { isAbsent, isObject } from "./file.ts";
import { createJsonFiles } from "./json-files.ts";
import { readPlainSync } from "./plain-file.ts";

const TAINT_FILE = "tainted.json";

export const taintPath = (home: string): string => join(home, TAINT_FILE);

/**
 * Records until when this home counts as tainted because others' text was read, for all its programs (agent layer §3). A file
 * that cannot be read, or has another content, counts as an endless taint. @throws HomeUnwritable on writing
 */
export function createTaintFile(home: string, newId: () => string) {
  const path = taintPath(home);
  const files = createJsonFiles(home, newId);
  return {
    async until(): Promise<number | undefined> {
      try {
        // Every call looks and mostly finds nothing, so the look is synchronous, which is faster than on another thread.
        if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
        const value: unknown = JSON.parse(readPlainSync(path).toString("utf8"));
        return isObject(value) && typeof value.until === "number" ? value.until : Number.POSITIVE_INFINITY;
      } catch (error) {
        return isAbsent(error) ? undefined : Number.POSITIVE_INFINITY;
      }
    },
    keep: (untilMs: number): Promise<void> => files.replace(path, { until: untilMs }),
  };
}
