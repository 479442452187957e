import type { Runtime } from "../app/runtime.ts";
import { cliTexts } from "../text/cli.ts";
import { printError } from "./print.ts";

/** A withdrawal that takes longer is spoken of. */
const LONG_MS = 3_000;

/** Ends a command's runtime. What cannot be withdrawn is named, with what to do, and makes the exit status 1. */
export async function closeRuntime(runtime: Runtime, atEnd?: Parameters<Runtime["close"]>[0]): Promise<void> {
  const { io } = runtime;
  const texts = cliTexts(runtime.live.current().lang).ending;
  const cancelTimer = io.clock.after(LONG_MS, () => {
    if (runtime.busyIds().length > 0) void printError(io, `${texts.withdrawing}\n`);
  });
  const undone = await runtime.close(atEnd);
  cancelTimer();
  for (const id of undone) void printError(io, `${texts.notWithdrawn(id)}\n`);
  if (undone.length > 0) io.exitCode = 1;
}
