import type { StartFigures } from "../start/starts.ts";
import { least, median } from "./figures.ts";

const ROW = 30;
const LEFT = 330;
const WIDTH = 820;

const escaped = (text: string) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Bars from the start of each server to its list of tools: the median, and the minimum within it. */
export function startsChart(figures: readonly StartFigures[]): string {
  const rows = figures
    .map(({ label, starts }) => ({
      label,
      ms: median(starts.map((it) => it.listedMs)),
      min: least(starts.map((it) => it.listedMs)),
    }))
    .toSorted((a, b) => a.ms - b.ms);
  const longest = Math.max(...rows.map(({ ms }) => ms));
  const scale = (ms: number) => (ms / longest) * (WIDTH - LEFT - 80);
  const height = rows.length * ROW + 50;
  const bars = rows.map(({ label, ms, min }, row) => {
    const y = 36 + row * ROW;
    const mine = label.startsWith("towow") ? "own" : "other";
    return `<text x="${LEFT - 10}" y="${y + 15}" text-anchor="end">${escaped(label)}</text>
<rect class="${mine} light" x="${LEFT}" y="${y}" width="${scale(ms).toFixed(1)}" height="20" rx="3"/>
<rect class="${mine}" x="${LEFT}" y="${y}" width="${scale(min).toFixed(1)}" height="20" rx="3"/>
<text x="${(LEFT + scale(ms) + 8).toFixed(1)}" y="${y + 15}">${ms.toFixed(0)} ms</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="Milliseconds from the start of each server to its list of tools">
<style>text{font:14px system-ui,sans-serif;fill:#333}.own{fill:#2f6f5e}.other{fill:#8a8f98}.light{opacity:.45}@media(prefers-color-scheme:dark){text{fill:#ddd}.own{fill:#6cc3a8}}</style>
<text x="${LEFT}" y="20">start → tools/list answered: median, and the minimum in full colour</text>
${bars.join("\n")}
</svg>
`;
}
