import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  linkSync,
  lstatSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { secureFolder } from "../home/file.ts";
import { openPlain } from "../home/plain-file.ts";
import { type Lines, linesTo } from "./lines.ts";

/** One older file is kept, so the logs take about 10 MB in all. */
const MAX_FILE_BYTES = 5 * 1024 * 1024;

export const logFile = (dir: string): string => join(dir, "towow.log");

interface LogFile {
  fd: number;
  ino: number;
}

/**
 * Opens the log file of a folder, to which several programs write. A program that finds the file too long renames it,
 * and the others continue in the new file. On a full disk lines are kept while there is room in memory, and then lost
 * until the disk has space again. Returns undefined if the file cannot be written.
 */
export function rotatedFile(dir: string): Lines | undefined {
  const path = logFile(dir);
  const first = openFile(dir);
  if (first === undefined) return undefined;
  let file = first;
  const lines = linesTo((bytes) => writeSync(file.fd, bytes));
  return {
    write(text) {
      const next = isElsewhere(path, file.ino) ? openFile(dir) : undefined;
      if (next !== undefined) closeSync(file.fd);
      file = next ?? file;
      lines.write(text);
    },
  };
}

/**
 * Returns whether the next lines go into another file. A file that was removed is not made again, because its person
 * wants it gone.
 */
function isElsewhere(path: string, ino: number): boolean {
  try {
    const now = lstatSync(path, { throwIfNoEntry: false });
    return now !== undefined && (now.ino !== ino || now.size > MAX_FILE_BYTES);
  } catch {
    return false;
  }
}

/**
 * Opens the file. If the home cannot be written, the program goes on without the file. Links are not followed, and a
 * pipe never blocks.
 */
function openFile(dir: string): LogFile | undefined {
  try {
    secureFolder(dir);
    const path = logFile(dir);
    const before = lstatSync(path, { throwIfNoEntry: false });
    if (before !== undefined && before.size > MAX_FILE_BYTES) rotate(path, before.ino);
    const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0 } = constants;
    const fd = openPlain(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
    fchmodSync(fd, 0o600);
    return { fd, ino: fstatSync(fd).ino };
  } catch {
    return undefined;
  }
}

/**
 * Renames a file that is too long. If another program was faster, the renamed file is already the new one and is put
 * back.
 */
function rotate(path: string, ino: number): void {
  const aside = `${path}.${process.pid}`;
  renameSync(path, aside);
  const isOld = lstatSync(aside).ino === ino;
  if (!isOld && !existsSync(path)) linkSync(aside, path);
  if (isOld) renameSync(aside, `${path}.1`);
  else rmSync(aside);
}
