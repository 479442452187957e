import type { Io } from "../app/io.ts";
import { TowowError } from "../errors.ts";
import { failureOf } from "../log.ts";
import { messageOf, toToolError } from "../result/tool-error.ts";
import { aside } from "../terminal/aside.ts";
import { textsForPerson } from "../text/index.ts";
import { TerminalNeeded } from "./errors.ts";
import { printError, widthOf } from "./print.ts";

/**
 * Prints a command's failure in two lines. The code of a defect is followed by its class and place, which a bug report needs.
 * The exit status becomes 1, or 2 if only a terminal was missing. `named` adds to the message what failed, if several things
 * may fail.
 */
export function tellFailure(
  io: Io,
  error: unknown,
  lang: "zh" | "en",
  named = (message: string): string => message,
): Promise<boolean> {
  const { code, message, recovery_suggestion } = toToolError(error, {
    texts: textsForPerson(lang),
    idempotent: true, // Repeating a command is safe, because the command asks again before it sends.
    callable: () => false,
  });
  const space = lang === "zh" ? "" : " ";
  const cause = error instanceof TowowError ? code : `${code}: ${failureOf(error)}`;
  const { stderr } = io;
  io.exitCode = error instanceof TerminalNeeded ? 2 : 1;
  return printError(
    io,
    `${named(message)}${space}${recovery_suggestion}\n${aside(cause, stderr.isTTY ? widthOf(stderr) : Number.POSITIVE_INFINITY)}\n`,
  );
}

/** Returns one sentence that says what happened, without the remedy. */
export const failureSentence = (error: TowowError, lang: "zh" | "en"): string => messageOf(error, textsForPerson(lang));
