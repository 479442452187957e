import { join } from "node:path";
import { logFile } from "../../app/rotated-file.ts";
import { errnoOf } from "../../home/file.ts";
import { readPlain } from "../../home/plain-file.ts";
import { shellWord } from "../../terminal/shell-word.ts";
import { isFailure } from "../log-table.ts";
import { type DoctorContext, type Finding, moveAside, otherOwner } from "./finding.ts";

/** How many failures are shown, the newest last. */
const SHOWN_FAILURES = 5;

/** Reports where the log is and shows its last failures, because a bug report needs both. */
export async function* checkLog({ home, texts: { log: texts } }: DoctorContext): AsyncGenerator<Finding> {
  const check = "log";
  const path = logFile(join(home, "logs"));
  try {
    const failures = await lastFailures(path);
    if (failures === undefined) yield { check, level: "ok", message: texts.none(path) };
    else if (failures.length === 0) yield { check, level: "ok", message: texts.ok(path) };
    else yield { check, level: "ok", message: texts.failures(path), failures };
  } catch (error) {
    const reason = errnoOf(error) ?? "unknown";
    const fix = reason === "EACCES" ? `chmod 600 ${shellWord(path)}` : moveAside(path, "old");
    const message = texts.unreadable(path, reason);
    yield { check, level: "warning", message, fix: (otherOwner(home) ?? otherOwner(path))?.fix ?? fix };
  }
}

/**
 * Returns the last failures, or undefined if there is no log. The older file is read only if the newer file has too few. Throws
 * the system's error if a log cannot be read.
 */
async function lastFailures(path: string): Promise<readonly string[] | undefined> {
  const newest = await linesOf(path);
  const failures = newest?.filter(isFailure) ?? [];
  if (failures.length < SHOWN_FAILURES) failures.unshift(...((await linesOf(`${path}.1`)) ?? []).filter(isFailure));
  return newest && failures.slice(-SHOWN_FAILURES);
}

async function linesOf(path: string): Promise<string[] | undefined> {
  try {
    return (await readPlain(path)).toString().split("\n").filter(Boolean);
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ENOTDIR") return undefined;
    throw error;
  }
}
