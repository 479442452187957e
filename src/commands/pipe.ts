import { fstatSync } from "node:fs";
import { errnoOf } from "../home/file.ts";
import { helpTexts } from "../text/help.ts";
import { printError } from "./print.ts";

/** Of the command that runs: whether it has more to do than to print, and its language. */
let goesOn = false;
let language: "zh" | "en" = "en";
let said: Promise<boolean> | undefined;

/**
 * What becomes of a command whose output nobody takes. `towow-mcp logs | head`: when the reader has seen enough, that is
 * the end and not an error. A full disk is one.
 */
export function stopWithoutReader(lang: "zh" | "en"): void {
  goesOn = false;
  language = lang;
  said = undefined;
  process.stdout.on("error", (error) => {
    if (errnoOf(error) !== "EPIPE") void tell(error).then(() => goesOn || process.exit(1));
    else if (!goesOn) process.exit(process.exitCode ?? 0);
  });
  process.removeListener("exit", tellAtExit).on("exit", tellAtExit);
}

/** For a command that has more to do than to print: it goes on to its end, and a full disk is an error there too. */
export function goOnWithoutReader(): void {
  goesOn = true;
}

/** Whether stdout and stderr lead to the same file or terminal: what stands in one need not stand in the other. */
export function isOnePlace(): boolean {
  const [out, err] = [process.stdout.fd, process.stderr.fd].map((fd) => fstatSync(fd, { bigint: true }));
  return out!.ino !== 0n && out!.dev === err!.dev && out!.ino === err!.ino;
}

function tell(error: Error): Promise<boolean> {
  process.exitCode = 1;
  said ??= printError(`${helpTexts(language).problem.unwritten(errnoOf(error) ?? error.name)}\n`);
  return said;
}

/** A program that ends with its last word, as help does, gets no error event. */
function tellAtExit(): void {
  const { errored } = process.stdout;
  if (errored != null && errnoOf(errored) !== "EPIPE") void tell(errored);
}
