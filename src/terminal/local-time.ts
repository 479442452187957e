/** Formats a time in milliseconds since the epoch as a person's local day and time, by default to the minute. */
export const localTime = (ms: number, { seconds = false } = {}): string => {
  // biome-ignore lint/style/noRestrictedGlobals: converts a given time, reads no clock
  const at = new Date(ms);
  const two = (n: number) => String(n).padStart(2, "0");
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}${seconds ? `:${two(at.getSeconds())}` : ""}`;
};
