import { fstatSync } from "node:fs";
import type { Io } from "../app/io.ts";
import { errnoOf } from "../home/file.ts";
import { helpTexts } from "../text/help.ts";
import { endNow } from "./ending.ts";
import { printError } from "./print.ts";

/** How a command reacts to an output that fails. `goesOn` is true if the command has more to do than print. */
interface Reading {
  goesOn: boolean;
  lang: "zh" | "en";
  said?: Promise<boolean>;
}

const readings = new WeakMap<Io, Reading>();

/**
 * Handles an output that nobody reads. In `towow-mcp list | head` the reader has seen enough, which ends the command
 * and is not an error. A full disk is an error.
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
  io.stderr.on("error", () => {}); // What cannot be written to stderr is lost, and ends nothing.
  // A program that ends right after its last write, as help does, gets no error event.
  io.on("exit", () => {
    const { errored } = io.stdout;
    if (errored != null && errnoOf(errored) !== "EPIPE") void tell(io, reading, errored);
  });
}

/**
 * Lets a command that has more to do than print go on to its end, even if nobody reads its output. A full disk remains an
 * error.
 */
export function goOnWithoutReader(io: Io): void {
  const reading = readings.get(io);
  if (reading !== undefined) reading.goesOn = true;
}

/** Returns whether stdout and stderr lead to the same file or terminal, so that nothing has to be printed to both. */
export function isOnePlace({ stdout, stderr }: Io): boolean {
  const [out, err] = [stdout, stderr].map(({ fd }) => fstatSync(fd, { bigint: true }));
  return out!.ino !== 0n && out!.dev === err!.dev && out!.ino === err!.ino;
}

function tell(io: Io, reading: Reading, error: Error): Promise<boolean> {
  io.exitCode = 1;
  reading.said ??= printError(io, `${helpTexts(reading.lang).problem.unwritten(errnoOf(error) ?? error.name)}\n`);
  return reading.said;
}
