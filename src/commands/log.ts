import { createRequire } from "node:module";
import type { Logger } from "pino";
import type { Log } from "../log.ts";

const LEVELS = ["debug", "info", "warn", "error", "silent"];

/** JSON lines on stderr, never stdout: that is the protocol channel. pino is loaded with the first line written. */
export function createLog(level: string | undefined): Log {
  const threshold = LEVELS.includes(level ?? "") ? (level as string) : "error";
  let logger: Logger | undefined;
  const write = (at: "debug" | "info" | "warn" | "error") => (event: string, fields?: Record<string, unknown>) => {
    if (LEVELS.indexOf(at) < LEVELS.indexOf(threshold)) return;
    logger ??= openLogger(threshold);
    logger[at]({ event, ...fields });
  };
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

function openLogger(level: string): Logger {
  const pino = createRequire(import.meta.url)("pino") as typeof import("pino");
  return pino.pino({ level, base: null }, pino.destination({ fd: 2, sync: true }));
}
