import { createRuntime, type Runtime, type RuntimeOptions } from "../app/runtime.ts";
import type { AtEnd } from "../negotiation/registry.ts";
import { once } from "../once.ts";
import { cliTexts } from "../text/cli.ts";
import { type Ending, onEnd } from "./ending.ts";
import { tellFailure } from "./failure.ts";
import { printError } from "./print.ts";

/** A withdrawal that takes longer than this is reported. */
const LONG_MS = 3_000;

/**
 * Runs a command's work with a runtime. The runtime ends with the work, and in any case with the program. `atEnd`, or
 * else the policy, decides what happens to undecided demands. `work` returns the exit status.
 */
export async function withRuntime(
  options: RuntimeOptions,
  work: (runtime: Runtime) => Promise<number>,
  atEnd?: AtEnd,
): Promise<void> {
  const runtime = await createRuntime(options);
  const close = once(() => closeRuntime(runtime, atEnd));
  onEnd(runtime.io, endingOf(runtime, close));
  try {
    runtime.io.exitCode = await work(runtime);
  } catch (error) {
    if (!runtime.carriesNo()) throw error;
    // The command goes on, and at its end it reports what has become of the no.
    await tellFailure(runtime.io, error, runtime.live.current().lang);
  } finally {
    await close();
  }
}

/** Returns how a program that works with this runtime ends. `close` closes the runtime. */
export const endingOf = (runtime: Runtime, close: () => Promise<unknown>): Ending => ({
  end: close,
  mustStay: runtime.carriesNo,
  leave: () => tellUndone(runtime, runtime.unwithdrawn()),
});

/** Ends a command's runtime. A demand that cannot be withdrawn is named with the remedy, and makes the exit status 1. */
export async function closeRuntime(runtime: Runtime, atEnd?: AtEnd): Promise<void> {
  const { io } = runtime;
  const texts = cliTexts(runtime.live.current().lang).ending;
  const cancelTimer = io.clock.after(LONG_MS, () => {
    if (runtime.unwithdrawn().length > 0) void printError(io, `${texts.withdrawing}\n`);
  });
  const carriesNo = runtime.carriesNo();
  const undone = await runtime.close(atEnd);
  cancelTimer();
  if (carriesNo && undone.length === 0) {
    void printError(io, `${texts.arrived}\n`);
    io.exitCode = 0;
  }
  tellUndone(runtime, undone);
}

function tellUndone({ io, live }: Runtime, ids: readonly string[]): void {
  const { notWithdrawn } = cliTexts(live.current().lang).ending;
  for (const id of ids) void printError(io, `${notWithdrawn(id)}\n`);
  if (ids.length > 0) io.exitCode = 1;
}
