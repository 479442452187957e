import type { ConfigKey } from "../../src/home/schema.ts";
import { type ResolveInput, resolveAll, type Settings, type Source } from "../../src/home/settings.ts";

/** The settings as they resolve. Throws the problem of the first value that has one. */
export function resolveSettings(input: ResolveInput): Settings {
  const values: Record<string, unknown> = {};
  const sources: Partial<Record<ConfigKey, Source>> = {};
  for (const [name, { value, source, problem }] of resolveAll(input)) {
    if (problem) throw problem;
    values[name] = value;
    sources[name] = source;
  }
  return { ...values, sources } as unknown as Settings;
}
