// The chart of docs/cost.md, drawn from its table.
import { readFileSync } from "node:fs";

interface Bar {
  label: string;
  /** What the bar's length stands for. */
  size: number;
  /** Drawn behind it, paler. */
  before?: number | undefined;
  /** Stands at its end. */
  said: string;
}

const ROW = 26;
const LEFT = 350;
const WIDTH = 860;
const ROOM_FOR_WORDS = 190;

const read = (page: string): string => readFileSync(new URL(page, import.meta.url), "utf8");
const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
/** The first number of a cell; undefined where it holds none. */
const numberIn = (text: string): number | undefined => {
  const [digits] = /\d[\d,]*/.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits.replaceAll(",", ""));
};
const number = (text: string): number => {
  const value = numberIn(text);
  if (value === undefined) throw new Error(`no number in "${text}"`);
  return value;
};

/** The rows of the first table below a line that holds `head`, as their cells. */
function tableBelow(page: string, head: string): string[][] {
  const lines = page.slice(page.indexOf(head)).split("\n");
  const begin = lines.findIndex((line) => line.startsWith("| --") || line.startsWith("|--")) + 1;
  const end = lines.findIndex((line, i) => i >= begin && !line.startsWith("|"));
  return lines.slice(begin, end === -1 ? undefined : end).map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim().replaceAll("`", "")),
  );
}

/** Bytes that a client takes in: now, and behind it at the first revision. */
export function costChart(): string {
  const bars = tableBelow(read("cost.md"), "# What it costs").map(([label = "", was = "", now = "", change = ""]) => ({
    label,
    size: number(now),
    before: numberIn(was),
    said: `${now.split(" / ")[0]} (${change})`,
  }));
  return drawn("Bytes that a client takes in: now, and in grey at the first revision", bars);
}

function drawn(title: string, bars: readonly Bar[]): string {
  const most = Math.max(...bars.flatMap(({ size, before = size }) => [size, before]));
  const scale = (size: number) => ((size / most) * (WIDTH - LEFT - ROOM_FOR_WORDS)).toFixed(1);
  const short = (text: string) => (text.length > 48 ? `${text.slice(0, 47)}…` : text);
  const rows = bars.map(({ label, size, before, said }, i) => {
    const y = 34 + i * ROW;
    const behind =
      before === undefined
        ? ""
        : `<rect class="was" x="${LEFT}" y="${y}" width="${scale(before)}" height="18" rx="3"/>\n`;
    const end = (LEFT + Number(scale(Math.max(size, before ?? 0))) + 8).toFixed(1);
    return `<text x="${LEFT - 10}" y="${y + 14}" text-anchor="end">${escaped(short(label))}</text>
${behind}<rect class="now" x="${LEFT}" y="${y}" width="${scale(size)}" height="18" rx="3"/>
<text x="${end}" y="${y + 14}">${escaped(said)}</text>`;
  });
  const height = bars.length * ROW + 46;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escaped(title)}">
<style>text{font:13px system-ui,sans-serif;fill:#333}.now{fill:#2f6f5e;opacity:.85}.was{fill:#8a8f98;opacity:.4}@media(prefers-color-scheme:dark){text{fill:#ddd}.now{fill:#6cc3a8}}</style>
<text x="${LEFT}" y="20">${escaped(title)}</text>
${rows.join("\n")}
</svg>
`;
}
