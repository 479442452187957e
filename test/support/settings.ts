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
