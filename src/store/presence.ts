import * as z from "zod";
import { failureOf } from "../log.ts";
import type { Platform } from "../platform.ts";
import type { Store } from "./store.ts";

/** Knows which replicas are running. Each announces itself again and again, and counts as gone after a long silence. */
export interface Presence {
  isAlive(instance: string): Promise<boolean>;
  /** Announces the end of this replica, so that the others may take over at once. */
  leave(): Promise<void>;
}

const TRUE = z.literal(true);
/** How long a replica must be silent before the others count it as gone, in milliseconds. */
const ALIVE_MS = 15_000;
const BEAT_MS = 5_000;

/**
 * Creates the presence of this replica, whose running program is `instance`. A store that was away or came back empty knows of no replica, so none counts as gone
 * until all have had time to announce themselves. A wrong guess would let two replicas carry out one decision.
 */
export function createPresence({ clock, log }: Platform, store: Store, instance: string): Presence {
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
