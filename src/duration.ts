/**
 * Formats a duration in milliseconds as a clock shows it, such as `4:32`, or `24:02:00` from an hour on. The seconds are
 * rounded up, so that a countdown reaches 0:00 at its end and not a second before. Negative durations count as zero. Node 22
 * has no `Intl.DurationFormat`.
 */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const parts = hours > 0 ? [hours, minutes, seconds % 60] : [minutes, seconds % 60];
  return parts.map((part, i) => (i === 0 ? part : String(part).padStart(2, "0"))).join(":");
}

/**
 * Formats a duration in milliseconds for a sentence, in the largest unit that fits, such as `45 s` or `10 min`. Parts of a unit
 * are rounded up.
 */
export function roughDuration(ms: number, lang: "zh" | "en"): string {
  const seconds = ms / 1000;
  const [n, en, zh] =
    seconds < 120
      ? [seconds, "s", "秒"]
      : seconds < 7_200
        ? [seconds / 60, "min", "分钟"]
        : [seconds / 3_600, "h", "小时"];
  return `${Math.ceil(n)} ${lang === "zh" ? zh : en}`;
}
