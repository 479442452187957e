// Every code point in the browser that ships (chromium): whether it leaves ink with this machine's ordinary fonts. What
// leaves none must be escaped in questions, or be an ordinary blank.
// Run: node checks/ink.ts
import { chromium } from "playwright-core";
import { escapeInvisible } from "../src/safety/invisible.ts";
import { CHROMIUM } from "../test/support/chromium.ts";
import { counted, only } from "./harness.ts";

const LAST = 0x10ffff;
const AT_ONCE = 16_384;
/** What it comes to in a page of ours where no other font is installed. */
const FONT = "14px sans-serif";
/** Blanks as people write them: a long run of them is written out as a number. */
const BLANK = /^[\n\t\r\p{Zs}]$/u;

const isKnown = (character: string): boolean =>
  BLANK.test(character) || escapeInvisible(`a${character}b`) !== `a${character}b`;

/** In the page: those of so many code points that leave no pixel each drawn in a cell of its own. */
function withoutInk({
  from,
  count,
  last,
  font,
}: {
  from: number;
  count: number;
  last: number;
  font: string;
}): number[] {
  const cell = 24;
  const columns = 128;
  const rows = Math.ceil(count / columns);
  const canvas = new OffscreenCanvas(columns * cell, rows * cell);
  const ctx = canvas.getContext("2d", { willReadFrequently: true })!;
  ctx.textBaseline = "middle";
  ctx.textAlign = "center";
  const isDrawn = (at: number) => {
    const code = from + at;
    return code <= last && !(code >= 0xd800 && code <= 0xdfff);
  };
  ctx.font = font;
  for (let at = 0; at < count; at++) {
    if (!isDrawn(at)) continue;
    const [x, y] = [(at % columns) * cell, Math.floor(at / columns) * cell];
    ctx.save();
    ctx.beginPath();
    ctx.rect(x, y, cell, cell);
    ctx.clip();
    ctx.fillText(String.fromCodePoint(from + at), x + cell / 2, y + cell / 2);
    ctx.restore();
  }
  const { data } = ctx.getImageData(0, 0, canvas.width, canvas.height);
  const hasInk = (at: number) => {
    const [left, top] = [(at % columns) * cell, Math.floor(at / columns) * cell];
    for (let y = top; y < top + cell; y++)
      for (let x = left; x < left + cell; x++) if (data[(y * canvas.width + x) * 4 + 3] !== 0) return true;
    return false;
  };
  return Array.from({ length: count }, (_, at) => at)
    .filter((at) => isDrawn(at) && !hasInk(at))
    .map((at) => from + at);
}

/** `61C, 180B-180F`. */
function rangesOf(codes: readonly number[]): string {
  const ranges: [from: number, to: number][] = [];
  for (const code of codes) {
    const open = ranges.at(-1);
    if (open !== undefined && open[1] === code - 1) open[1] = code;
    else ranges.push([code, code]);
  }
  const hex = (code: number) => code.toString(16).toUpperCase();
  return ranges.map(([from, to]) => (from === to ? hex(from) : `${hex(from)}-${hex(to)}`)).join(", ");
}

await only(async () => {
  const executablePath = CHROMIUM ?? "chromium";
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const page = await browser.newPage();
    const inkless: number[] = [];
    for (let from = 0; from <= LAST; from += AT_ONCE)
      inkless.push(...(await page.evaluate(withoutInk, { from, count: AT_ONCE, last: LAST, font: FONT })));
    const unseen = inkless.filter((code) => !isKnown(String.fromCodePoint(code)));
    return {
      ok: unseen.length === 0,
      line: `${counted(inkless.length, "code point")} without ink, ${unseen.length} of them not escaped${unseen.length === 0 ? "" : `: ${rangesOf(unseen)}`}`,
    };
  } finally {
    await browser.close();
  }
});
