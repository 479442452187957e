import { join } from "node:path";
import { homeOf } from "../app/home-folder.ts";
import type { Io } from "../app/io.ts";
import { createLog } from "../app/log-file.ts";
import { failureOf } from "../log.ts";

/** Writes a command's defect into the log: its sentence sends who reports it there. */
export function logDefect(error: unknown, io: Io): void {
  const log = createLog({ io, stderrLevel: "silent", dir: join(homeOf(io.env), "logs") });
  log.error("command_failed", { error: failureOf(error) });
}
