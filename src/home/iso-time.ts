// `Date` only converts here. The current time is still handed in as a Clock.
/** Converts milliseconds since the epoch to ISO 8601. */
// biome-ignore lint/style/noRestrictedGlobals: converts a given time, reads no clock
export const toIso = (ms: number): string => new Date(ms).toISOString();

/** The last text, kept because consecutive results name the same deadline. */
let written: { second: number; text: string } | undefined;

/** Converts milliseconds since the epoch to ISO 8601 in whole seconds, for people and results. */
export function toIsoSeconds(ms: number): string {
  const second = Math.floor(ms / 1_000);
  if (written?.second !== second) written = { second, text: toIso(second * 1_000).replace(".000Z", "Z") };
  return written.text;
}

/** Converts ISO 8601 to milliseconds since the epoch. Returns undefined for a text that is no time. Never throws. */
export function fromIso(text: string | undefined): number | undefined {
  // biome-ignore lint/style/noRestrictedGlobals: converts a given time, reads no clock
  const ms = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}
