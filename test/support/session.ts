import { nanoid } from "nanoid";
import type { Clock } from "../../src/clock.ts";
import { silentLog } from "../../src/log.ts";
import { Ledger } from "../../src/session/ledger.ts";
import { createSession, type Session } from "../../src/session/session.ts";
import type { TaintRecord } from "../../src/session/taint.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { platformWith } from "./platform.ts";
import { createTaintMemory } from "./taint-memory.ts";

/** A session of its own, in memory. */
export function testSession(
  clock: Clock,
  newId: () => string = nanoid,
  tainted: TaintRecord = createTaintMemory(),
): Session {
  const store = createMemoryStore(clock);
  const ledger = new Ledger(store, silentLog);
  return createSession(platformWith(clock, { newId }), { id: newId(), store, tainted, ledger });
}
