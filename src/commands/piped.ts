import type { Runtime } from "../app/runtime.ts";

/**
 * Await this before a command gives out offers or a plan. At a terminal a person reads them. Anywhere else a model
 * may, so the home is tainted as by a tool's result (agent layer §3).
 */
export async function notePiped({ io, deps, account }: Runtime): Promise<void> {
  if (io.stdout.isTTY !== true) await deps.session.taint.mark(account().origin);
}
