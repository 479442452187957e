import { join } from "node:path";
import { homeOf } from "../app/home-folder.ts";
import { createLog } from "../app/log-file.ts";
import { failureOf } from "../log.ts";

/** Writes a command's defect into the log: its sentence sends who reports it there. */
export function logDefect(error: unknown, env: NodeJS.ProcessEnv): void {
  const log = createLog({ stderrLevel: "silent", dir: join(homeOf(env), "logs") });
  log.error("command_failed", { error: failureOf(error) });
}
