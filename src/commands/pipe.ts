import { fstatSync } from "node:fs";
import type { Io } from "../app/io.ts";
import { errnoOf } from "../home/file.ts";
import { helpTexts } from "../text/help.ts";
import { endNow } from "./ending.ts";
import { printError } from "./print.ts";

/** Of each command that runs: whether it has more to do than to print, and its language. */
interface Reading {
  goesOn: boolean;
  lang: "zh" | "en";
  said?: Promise<boolean>;
}

const readings = new WeakMap<Io, Reading>();

/**
 * What becomes of a command whose output nobody takes. `towow-mcp list | head`: when the reader has seen enough, that is
 * the end and not an error. A full disk is one.
 */
export function stopWithoutReader(io: Io, lang: "zh" | "en"): void {
  const reading: Reading = { goesOn: false, lang };
  readings.set(io, reading);
  io.stdout.on("error", (error) => {
    if (errnoOf(error) !== "EPIPE")
      void tell(io, reading, error).then(() => {
        if (!reading.goesOn) return endNow(io, "stdout_error", { status: 1 });
      });
    else if (!reading.goesOn) void endNow(io, "stdout_error", { status: Number(io.exitCode ?? 0) });
  });
  io.stderr.on("error", () => {}); // what cannot be said there is said nowhere, and ends nothing
  // A program that ends with its last word, as help does, gets no error event.
  io.on("exit", () => {
    const { errored } = io.stdout;
    if (errored != null && errnoOf(errored) !== "EPIPE") void tell(io, reading, errored);
  });
}

/** For a command that has more to do than to print: it goes on to its end, and a full disk is an error there too. */
export function goOnWithoutReader(io: Io): void {
  const reading = readings.get(io);
  if (reading !== undefined) reading.goesOn = true;
}

/** Whether stdout and stderr lead to the same file or terminal: what stands in one need not stand in the other. */
export function isOnePlace({ stdout, stderr }: Io): boolean {
  const [out, err] = [stdout, stderr].map(({ fd }) => fstatSync(fd, { bigint: true }));
  return out!.ino !== 0n && out!.dev === err!.dev && out!.ino === err!.ino;
}

function tell(io: Io, reading: Reading, error: Error): Promise<boolean> {
  io.exitCode = 1;
  reading.said ??= printError(io, `${helpTexts(reading.lang).problem.unwritten(errnoOf(error) ?? error.name)}\n`);
  return reading.said;
}
