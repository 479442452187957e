// Loaded before the simulated clock goes: the first request would wait for it on the real one.
import "ky";
import { createMockBackend, type MockBackend } from "../../mock-backend/main.ts";
import { Machine } from "./machine.ts";
import { type Program, type ProgramOptions, programsOf, type Steps } from "./program.ts";
import type { Dice, SimClock } from "./sim.ts";

export interface FaultHome {
  clock: SimClock;
  machine: Machine;
  mock: MockBackend;
  sceneId: string;
  start(options: ProgramOptions): Promise<Program>;
}

export interface HomeOptions {
  /** With it the backend wants tokens, which live that long. */
  tokenLifetimeMs?: number | undefined;
  /** After which the backend confirms by itself; programs think that it is 300 s. */
  confirmTimeoutMs?: number | undefined;
}

/** A machine with one home and a backend, all on the simulated clock. */
export function createFaultHome(
  clock: SimClock,
  dice: Dice,
  steps: Steps,
  { tokenLifetimeMs, confirmTimeoutMs }: HomeOptions = {},
): FaultHome {
  const auth = tokenLifetimeMs !== undefined;
  const mock = createMockBackend({
    clock,
    seed: dice.int(1, 1e9),
    stepMs: 150,
    auth,
    ...(auth && { tokenLifetimeMs }),
    ...(confirmTimeoutMs !== undefined && { confirmTimeoutMs }),
  });
  const machine = new Machine(clock);
  const sceneId = mock.scenes()[0]?.scene_id ?? "";
  const start = programsOf({ world: clock, machine, mock, steps, auth, sceneId });
  return { clock, machine, mock, sceneId, start };
}
