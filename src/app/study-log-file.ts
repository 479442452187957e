import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { secureFolder } from "../home/file.ts";
import { failureOf, type Log } from "../log.ts";

/** Of one session: an agent that says very much fills no disk. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Where the sessions of outside agents are written: one file each, in the home, for its owner alone. `name` is the file
 * as seen from the home. A line that cannot be written is missed in the program's log, and ends nothing.
 */
export const createStudyLogs = (home: string, log: Log) => (sessionId: string) => {
  const name = `logs/study/${sessionId}.jsonl`;
  let left = MAX_BYTES;
  return {
    name,
    append(line: string): void {
      if (left <= 0) return;
      left -= Buffer.byteLength(line) + 1;
      if (left <= 0) log.warn("study_log_full", { max_bytes: MAX_BYTES });
      try {
        secureFolder(join(home, "logs/study"));
        appendFileSync(join(home, name), `${line}\n`, { mode: 0o600 });
      } catch (error) {
        log.warn("study_log_unwritten", { error: failureOf(error) });
      }
    },
  };
};
