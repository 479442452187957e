import { settingsOf } from "../support/settings.ts";

/** The settings of one program, in memory; `file`: what its file holds. */
export function liveSettingsOf(file: Record<string, unknown>) {
  const listeners = new Set<() => void>();
  return {
    current: settingsOf(file),
    problem: () => undefined,
    onChange(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async save(values: Record<string, unknown>) {
      Object.assign(file, values);
      for (const listener of listeners) listener();
    },
    refresh: () => {},
    watch: () => () => {},
  };
}
