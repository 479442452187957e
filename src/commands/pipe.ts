import { errnoOf } from "../home/file.ts";
import { helpTexts } from "../text/help.ts";
import { printError } from "./print.ts";

/**
 * What becomes of a command whose output nobody takes. `towow-mcp logs | head`: when the reader has seen enough, that is
 * the end and not an error. A full disk is one.
 */
export function stopWithoutReader(lang: "zh" | "en"): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(process.exitCode ?? 0);
    void printError(`${helpTexts(lang).problem.unwritten(errnoOf(error) ?? error.name)}\n`).then(() => process.exit(1));
  });
}

/** For a command that has more to do than to print. */
export function goOnWithoutReader(): void {
  process.stdout.removeAllListeners("error").on("error", () => {});
}
