import { randomBytes } from "node:crypto";
import { nanoid } from "nanoid";
import type { Backends, UserBackend, UserParts } from "../../src/app/user.ts";
import type { Clock } from "../../src/clock.ts";
import { silentLog } from "../../src/log.ts";
import { Ledger } from "../../src/session/ledger.ts";
import type { TaintRecord } from "../../src/session/taint.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { platformWith } from "./platform.ts";
import { createTaintMemory } from "./taint-memory.ts";

/** What the sessions of a person keep, in memory. */
export function memoryOf(clock: Clock, tainted: TaintRecord = createTaintMemory()): UserParts["memory"] {
  const store = createMemoryStore(clock);
  return { store, tainted, ledger: new Ledger(store, silentLog) };
}

/** What a server stands on beside its user, in this process. */
export const serverPartsOf = (clock: Clock, newId: () => string = nanoid): UserParts["server"] => ({
  version: "test",
  browser: "here",
  openBrowser: async () => "opened",
  notices: async () => [],
  ...platformWith(clock, { newId }),
  stateKey: randomBytes(32),
  instructions: "",
  prompt: async () => "guide",
  timeOfDay: (at) => new Date(at).toISOString().slice(11, 19),
});

/** Where there is one backend. */
export const oneBackend = (backend: UserBackend): Backends => ({
  originOf: () => backend.origin,
  at: () => backend,
});
