/**
 * A duration in ms as a clock shows it: `4:32`, from an hour on `24:02:00`. It is rounded up, so that a countdown ends
 * with 0:00 and not a second before; nothing is below zero. Node 22 has no `Intl.DurationFormat`.
 */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const parts = hours > 0 ? [hours, minutes, seconds % 60] : [minutes, seconds % 60];
  return parts.map((part, i) => (i === 0 ? part : String(part).padStart(2, "0"))).join(":");
}

/** A duration in ms for a sentence, in the largest unit that says it well: `45 s`, `10 min`. Rounded up. */
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
