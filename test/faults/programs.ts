import type { FaultProcess, Form } from "./home.ts";
import type { Model, Real } from "./model.ts";

const LONG = ` wants somebody who knows hospital software.${" And queues.".repeat(60)}`;
const SHORT = " wants a designer for a hospital queue pilot.";
export const textOf = (token: string): string =>
  `${token}${Number(token.slice(1).split(".")[0]) % 3 === 2 ? LONG : SHORT}`;

export interface ProgramOptions {
  forms: boolean;
  mode: "normal" | "developer";
}

/** Starts a program; what it asks in forms waits for its answer in `real.forms`. */
export async function startProgram(model: Model, real: Real, { forms, mode }: ProgramOptions): Promise<void> {
  const { home, witness, forms: open } = real;
  const answer = (process: FaultProcess, form: Form) =>
    new Promise<never>((resolve) => open.push({ process, form, reply: resolve as never }));
  witness.processes.push(await home.start({ onUnconfirmed: "cancel", mode, ...(forms && { answer }) }));
  model.alive.push(true);
}
