import * as z from "zod";
import { failureOf, type Log } from "../log.ts";
import { changeIn, type Store } from "../store/store.ts";
import { LAST_KEYS } from "./last-ids.ts";
import type { SettingsSource } from "./live-settings.ts";

/** How long a user's last scene and mode are remembered, in milliseconds. */
const KEPT_MS = 90 * 24 * 3_600_000;
const KEY = "settings";
const CHANGED = "settings-changed";
/** The keys that a user may choose. Everything else in the store is ignored. */
const CHOICES: readonly string[] = ["user_id", "mode", ...LAST_KEYS];

const values = z.record(z.string(), z.unknown());

export interface UserConfig extends SettingsSource {
  /** Reads what another replica may have written. */
  refresh(): Promise<void>;
  close(): void;
}

/**
 * Keeps what one user of a shared endpoint has chosen, which is the mode, and the last scene and negotiation, but never a
 * token. The operator's `defaults` apply to everything that the user has not chosen.
 */
export function createUserConfig(store: Store, defaults: Readonly<Record<string, unknown>>, log: Log): UserConfig {
  let own: Record<string, unknown> = {};
  const listeners = new Set<(read: { values: Readonly<Record<string, unknown>> }) => void>();

  async function refresh(): Promise<void> {
    const found = (await store.get(KEY, values)) ?? {};
    if (JSON.stringify(found) === JSON.stringify(own)) return;
    own = found;
    tell();
  }
  const read = () => ({ values: { ...defaults, ...chosenIn(own) } });
  const tell = () => {
    for (const listener of [...listeners]) listener(read());
  };
  const leave = store.subscribe(CHANGED, () => {
    refresh().catch((error) => log.debug("settings_unread", { error: failureOf(error) }));
  });

  return {
    refresh,
    read,
    async update(change) {
      const { to } = await changeIn(store, KEY, { shape: values, ttlMs: KEPT_MS }, (current) => change(current ?? {}));
      own = to;
      tell();
      await store.publish(CHANGED, {});
      return read().values;
    },
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: leave,
  };
}

const chosenIn = (own: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(own).filter(([key]) => CHOICES.includes(key)));
