import { join } from "node:path";
import { homeOf } from "../app/home-folder.ts";
import type { Io } from "../app/io.ts";
import { createLog } from "../app/log-file.ts";
import { failureOf } from "../log.ts";
import { CRASH, endNow } from "./ending.ts";
import { tellFailure } from "./failure.ts";
import { homeLanguage } from "./home.ts";

/**
 * Ends a program by an error that nothing has caught, as a signal would: what is undecided is withdrawn or handed on first.
 * The error is logged, told on stderr, and the exit status is 1.
 */
export function crash(io: Io, error: unknown, lang?: "zh" | "en"): Promise<void> {
  logDefect(error, io);
  return endNow(io, CRASH, {
    status: 1,
    tell: async () => tellFailure(io, error, lang ?? homeLanguage(io.env)),
  });
}

/** Into the log, to which the error's sentence sends who reports it. */
function logDefect(error: unknown, io: Io): void {
  try {
    const log = createLog({ io, stderrLevel: "silent", dir: join(homeOf(io.env), "logs") });
    log.error("command_failed", { error: failureOf(error) });
  } catch {
    // There is no home to log in, and the end waits for none.
  }
}
