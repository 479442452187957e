import { closeSync, constants, lstatSync, readdirSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { errnoOf, secureFolder } from "../home/file.ts";
import { openPlain } from "../home/plain-file.ts";
import { failureOf, type Log } from "../log.ts";
import { linesTo } from "./lines.ts";

const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0 } = constants;
/** The largest size of one session's file, so that a talkative agent cannot fill the disk. */
const MAX_BYTES = 64 * 1024 * 1024;
/** The limits of all sessions together, because an agent could begin one after the other. The oldest make way. */
const MAX_FILES = 500;
const MAX_TOTAL_BYTES = 512 * 1024 * 1024;

/** Returns whether a file in the folder records a session. */
export const isStudyLog = (name: string): boolean => /^s-.+\.jsonl$/.test(name);

/**
 * Writes the sessions of outside agents into the home, one file each, which only the owner can read. `name` is the
 * file's path within the home. A failed write is reported in the program's log and ends nothing. Its line is written
 * with the next one, so no line is written in part. A file that was removed is not made again, because its person wants
 * it gone.
 */
export const createStudyLogs = (home: string, log: Log) => (sessionId: string) => {
  const name = `logs/study/${sessionId}.jsonl`;
  const folder = join(home, "logs/study");
  let left = MAX_BYTES;
  let create = O_CREAT;
  const lines = linesTo((bytes) => {
    try {
      if (create !== 0) {
        secureFolder(folder);
        makeRoom(folder);
      }
      const fd = openPlain(join(home, name), O_WRONLY | O_APPEND | O_NOFOLLOW | create, 0o600);
      create = 0;
      try {
        return writeSync(fd, bytes);
      } finally {
        closeSync(fd);
      }
    } catch (error) {
      if (create === 0 && errnoOf(error) === "ENOENT") return bytes.length;
      log.warn("study_log_unwritten", { error: failureOf(error) });
      return 0;
    }
  });
  return {
    name,
    append(line: string): void {
      if (left <= 0) return;
      left -= Buffer.byteLength(line) + 1;
      if (left <= 0) log.warn("study_log_full", { max_bytes: MAX_BYTES });
      lines.write(`${line}\n`);
    },
  };
};

/** Removes the oldest files until one more session fits. */
function makeRoom(folder: string): void {
  const files = readdirSync(folder)
    .filter(isStudyLog)
    .flatMap((name) => {
      const path = join(folder, name);
      const stat = lstatSync(path, { throwIfNoEntry: false }); // Another program may have removed the file already.
      return stat?.isFile() ? [{ path, at: stat.mtimeMs, size: stat.size }] : [];
    })
    .sort((a, b) => b.at - a.at);
  let bytes = MAX_BYTES;
  for (const [newer, { path, size }] of files.entries()) {
    bytes += size;
    if (newer + 1 >= MAX_FILES || bytes > MAX_TOTAL_BYTES) rmSync(path, { force: true });
  }
}
