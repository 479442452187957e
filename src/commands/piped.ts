import type { Runtime } from "../app/runtime.ts";

/**
 * To be awaited before a command gives out offers or a plan. At a terminal a person reads them; what goes anywhere else
 * may be read by a model, and taints the home as a tool's result does (agent layer §3).
 */
export async function notePiped({ io, deps, account }: Runtime): Promise<void> {
  if (io.stdout.isTTY !== true) await deps.session.taint.mark(account().origin);
}
