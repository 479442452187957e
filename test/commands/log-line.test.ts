import { stripVTControlCharacters } from "node:util";
import { expect, it } from "vitest";
import { logLine } from "../../src/commands/log-table.ts";
import { paintWith } from "../../src/terminal/paint.ts";
import { cliTexts } from "../../src/text/cli.ts";

it("a log line by itself, for an operator at a terminal: words instead of JSON, and a cut line too", () => {
  const plain = { paint: paintWith(false), width: 120 };
  const texts = cliTexts("en").logs;
  const line = JSON.stringify({
    level: 30,
    time: 1_795_349_592_569,
    pid: 7,
    event: "serving",
    port: 8765,
    replica: "a",
  });
  expect(logLine(line, texts, plain)).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}serving {10,}port=8765 replica=a$/);
  const failed = JSON.stringify({ level: 50, time: 1, event: "store_failed", duration_ms: 12.4 });
  expect(logLine(failed, texts, plain)).toMatch(/store_failed +error +12 ms$/);
  // What a narrower window does not hold stands below, in words.
  const narrow = logLine(line, texts, { ...plain, width: 60 }).split("\n");
  expect(narrow).toEqual([expect.stringMatching(/^[\d :-]{19} {2}serving$/), `${" ".repeat(21)}port=8765 replica=a`]);
  // A window of a phone: in words, with no blank line between, and styled too.
  for (const colour of [false, true])
    for (let width = 40; width <= 120; width += 1)
      for (const one of [line, failed, JSON.stringify({ level: 30, time: 1, event: "drained" })])
        for (const shown of stripVTControlCharacters(logLine(one, texts, { paint: paintWith(colour), width })).split(
          "\n",
        )) {
          expect(shown.trim()).not.toBe("");
          expect(shown.length).toBeLessThanOrEqual(width);
          expect(shown).toBe(shown.trimEnd());
        }
  expect(logLine(line, texts, { ...plain, width: 40 }).split("\n")).toEqual([
    expect.stringMatching(/^[\d :-]{19}$/),
    "  serving · port=8765 replica=a",
  ]);
  expect(logLine('{"level":30,"ti', texts, plain)).toContain("(not a log line)");
});
