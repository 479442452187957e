import type { Runtime } from "../app/runtime.ts";

/**
 * Marks the home as tainted if stdout is no terminal. Await this before a command prints offers or a plan: at a
 * terminal a person reads them, but anywhere else a model may, as with a tool's result (agent layer §3).
 */
export async function notePiped({ io, deps, account }: Runtime): Promise<void> {
  if (io.stdout.isTTY !== true) await deps.session.taint.mark(account().origin);
}
