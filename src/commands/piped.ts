import type { Runtime } from "../app/runtime.ts";

/**
 * Records that others' text may have reached a model, if stdout is no terminal (agent layer §3). Await this before a command
 * prints offers or a plan, because only at a terminal is it certain that a person reads them.
 */
export async function notePiped({ io, deps, account }: Runtime): Promise<void> {
  if (io.stdout.isTTY !== true) await deps.session.taint.mark(account().origin);
}
