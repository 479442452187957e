import * as z from "zod";
import type { Clock } from "../clock.ts";
import { failureOf, type Log } from "../log.ts";
import type { Store } from "./store.ts";

/** Which replicas are there: each says so again and again, and is taken for gone when it has been silent for long. */
export interface Presence {
  isAlive(instance: string): Promise<boolean>;
  /** At the end: the others may take over at once. */
  leave(): Promise<void>;
}

export interface PresenceDeps {
  store: Store;
  /** This running program. */
  instance: string;
  clock: Clock;
  log: Log;
}

const TRUE = z.literal(true);
/** Another replica takes this one for gone when it has been silent for this long. */
const ALIVE_MS = 15_000;
const BEAT_MS = 5_000;

/**
 * A store that was away, or has come back empty, knows of nobody for a while: then nobody is taken for gone until
 * everybody has had the time to say that they are there. Wrongly gone would mean a decision carried out twice.
 */
export function createPresence({ store, instance, clock, log }: PresenceDeps): Presence {
  const keyOf = (name: string) => `replica:${name}`;
  let cancel = () => {};
  let ended = false;
  let known = false;
  let trustedFrom = 0;

  const doubt = () => {
    trustedFrom = clock.monotonic() + ALIVE_MS;
  };
  const beat = async () => {
    try {
      if (known && (await store.get(keyOf(instance), TRUE, true)) === undefined) doubt();
      if (!ended) await store.put(keyOf(instance), true, ALIVE_MS);
      known = true;
    } catch (error) {
      doubt();
      log.warn("heartbeat_lost", { error: failureOf(error) });
    }
    if (!ended) cancel = clock.after(BEAT_MS, () => void beat());
  };
  void beat();

  return {
    async isAlive(other) {
      if (clock.monotonic() < trustedFrom || (await store.get(keyOf(other), TRUE, true)) !== undefined) return true;
      if (!known || (await store.get(keyOf(instance), TRUE, true)) !== undefined) return false;
      doubt();
      return true;
    },
    async leave() {
      ended = true;
      cancel();
      await store.delete(keyOf(instance)).catch(() => {});
    },
  };
}
