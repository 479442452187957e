/** How long somebody is to wait, in the largest unit that says it well. Rounded up. */
export function waitText(seconds: number, lang: "zh" | "en"): string {
  const [n, en, zh] =
    seconds < 120
      ? [seconds, "s", "秒"]
      : seconds < 7_200
        ? [seconds / 60, "min", "分钟"]
        : [seconds / 3_600, "h", "小时"];
  return `${Math.ceil(n)} ${lang === "zh" ? zh : en}`;
}
