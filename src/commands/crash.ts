import { join } from "node:path";
import { homeOf } from "../app/home-folder.ts";
import type { Io } from "../app/io.ts";
import { createLog } from "../app/log-file.ts";
import { failureOf } from "../log.ts";
import { CRASH, endNow } from "./ending.ts";
import { tellFailure } from "./failure.ts";
import { homeLanguage } from "./home.ts";

/**
 * Ends a program after an uncaught error, as a signal would. Undecided demands are first withdrawn or handed to another
 * program. The error is logged and reported on stderr, and the exit status is 1.
 */
export function crash(io: Io, error: unknown, lang?: "zh" | "en"): Promise<void> {
  logDefect(error, io);
  return endNow(io, CRASH, {
    status: 1,
    tell: async () => tellFailure(io, error, lang ?? homeLanguage(io.env)),
  });
}

/** Logs the error, because people who report it are asked for the output of `doctor`, which shows the log. */
function logDefect(error: unknown, io: Io): void {
  try {
    const log = createLog({ io, stderrLevel: "silent", dir: join(homeOf(io.env), "logs") });
    log.error("command_failed", { error: failureOf(error) });
  } catch {
    // Without a home there is no log, and a program that ends does not wait for one.
  }
}
