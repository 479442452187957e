import type { LiveSettings } from "../../src/home/live-settings.ts";
import type { Settings } from "../../src/home/settings.ts";
import { resolveSettings } from "./resolve-settings.ts";

/** The settings of a file that tests change as they like: worked out anew only once it has changed. */
export function settingsOf(file: Record<string, unknown>, flags: Record<string, unknown> = {}): () => Settings {
  let known: { json: string; settings: Settings } | undefined;
  return () => {
    const json = JSON.stringify(file);
    if (known?.json !== json) known = { json, settings: resolveSettings({ file, flags, locale: "en_US" }) };
    return known.settings;
  };
}

/** The same as a running program has them, in memory; what is saved goes into `file`. */
export function liveSettingsOf(file: Record<string, unknown>, flags: Record<string, unknown> = {}): LiveSettings {
  const listeners = new Set<() => void>();
  const live: LiveSettings = {
    current: settingsOf(file, flags),
    problem: () => undefined,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async save(values) {
      Object.assign(file, values);
      for (const listener of [...listeners]) listener();
    },
    saveLastIds: (_, values) => live.save(values),
    refresh: () => {},
    watch: () => () => {},
  };
  return live;
}
