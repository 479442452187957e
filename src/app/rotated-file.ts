import { constants, fchmodSync, fstatSync, lstatSync, openSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { pino as Pino } from "pino";
import { secureFolder } from "../home/file.ts";

/** One older file is kept: about 10 MB in all. */
const MAX_FILE_BYTES = 5 * 1024 * 1024;
/** How much a program writes before it looks at the size again, to which others add. UTF-16 units. */
const LOOK_AFTER = 64 * 1024;

const MAX_UNWRITTEN_BYTES = 256 * 1024;

export const logFile = (dir: string): string => join(dir, "towow.log");

/** Where lines go. A write never throws. */
export interface Lines {
  write(text: string): unknown;
}

/**
 * The log file of a folder, which several programs write: whoever finds that it has grown renames it, and the others go
 * on in the new one once the old one is as large. Undefined where it cannot be written.
 */
export function rotatedFile(pino: typeof Pino, dir: string): Lines | undefined {
  const first = openFile(dir);
  if (first === undefined) return undefined;
  let fd = first;
  let stream = streamTo(pino, fd);
  let unlooked = 0;
  return {
    write(text) {
      unlooked += text.length;
      if (unlooked > LOOK_AFTER) {
        unlooked = 0;
        const next = fstatSync(fd).size > MAX_FILE_BYTES ? openFile(dir) : undefined;
        if (next !== undefined) {
          stream.end();
          fd = next;
          stream = streamTo(pino, fd);
        }
      }
      stream.write(text);
    },
  };
}

/** An unwritable home costs the file, not the program. A link is not followed. */
function openFile(dir: string): number | undefined {
  try {
    secureFolder(dir);
    const path = logFile(dir);
    const size = lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (size > MAX_FILE_BYTES) renameSync(path, `${path}.1`);
    const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0 } = constants;
    const fd = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
    fchmodSync(fd, 0o600);
    return fd;
  } catch {
    return undefined;
  }
}

/** On a full disk lines are kept while there is room, then lost: a log never ends the program that it is about. */
export function streamTo(pino: typeof Pino, fd: number) {
  const stream = pino.destination({ fd, sync: true, maxLength: MAX_UNWRITTEN_BYTES });
  stream.on("error", () => {});
  return stream;
}
