import { TowowError } from "../errors.ts";
import { toToolError } from "../result/tool-error.ts";
import { textsForPerson } from "../text/for-person.ts";
import { printError } from "./print.ts";

/** A command's failure in two lines; a defect is thrown on, so that it keeps its stack. */
export function tellFailure(error: unknown, lang: "zh" | "en"): void {
  if (!(error instanceof TowowError)) throw error;
  const { code, message, recovery_suggestion } = toToolError(error, {
    texts: textsForPerson(lang),
    idempotent: false,
    callable: () => false,
  });
  const space = lang === "zh" ? "" : " ";
  printError(`${message}${space}${recovery_suggestion}\n(${code})\n`);
  process.exitCode = 1;
}

/** What happened, in one sentence, without what to do about it. */
export const failureSentence = (error: TowowError, lang: "zh" | "en"): string =>
  toToolError(error, { texts: textsForPerson(lang), idempotent: true, callable: () => false }).message;
