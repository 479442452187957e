import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/** Without this flag, opening a pipe waits until something opens its other end. */
const AT_ONCE = constants.O_NONBLOCK ?? 0;

/** Throws unless this is a plain file: `EISDIR` for a folder, and `EINVAL` for a pipe, a socket or a device. */
function requireFile(stat: Stats): void {
  if (stat.isFile()) return;
  throw Object.assign(new Error("not a file"), { code: stat.isDirectory() ? "EISDIR" : "EINVAL" });
}

/**
 * Opens a plain file, and nothing else that has its name. `flags` are those of `open`, by default for reading. Throws
 * the system's error.
 */
export function openPlain(path: string, flags = constants.O_RDONLY, mode?: number): number {
  const fd = openSync(path, flags | AT_ONCE, mode);
  try {
    requireFile(fstatSync(fd));
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Reads all of a plain file, and nothing else that has its name. Throws the system's error. */
export function readPlainSync(path: string): Buffer {
  const fd = openPlain(path);
  try {
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Reads all of a plain file as {@link readPlainSync} does, but on another thread. */
export const readPlain = (path: string): Promise<Buffer> => withPlain(path, (file) => file.readFile());

/**
 * Returns when a file was last written, in milliseconds since the epoch. The file is opened for this, because a network
 * folder may show an old time.
 */
export const writtenAt = (path: string): Promise<number> =>
  withPlain(path, async (file) => (await file.stat()).mtimeMs);

async function withPlain<T>(path: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, constants.O_RDONLY | AT_ONCE);
  try {
    requireFile(await file.stat());
    return await work(file);
  } finally {
    await file.close();
  }
}
