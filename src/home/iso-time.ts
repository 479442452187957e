// The class only converts here: "now" stays a dependency.
/** Milliseconds since the epoch as ISO 8601. */
// biome-ignore lint/style/noRestrictedGlobals: converts a given time, reads no clock
export const toIso = (ms: number): string => new Date(ms).toISOString();

/** The same to the second, for people and results. */
export const toIsoSeconds = (ms: number): string => toIso(ms).replace(/\.\d+Z$/, "Z");

/** ISO 8601 as milliseconds since the epoch; undefined for what is no time. Never throws. */
export function fromIso(text: string | undefined): number | undefined {
  // biome-ignore lint/style/noRestrictedGlobals: converts a given time, reads no clock
  const ms = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}
