import { writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { createShownFile, shownPath } from "../../src/home/shown-file.ts";
import { temporaryHome } from "../support/home.ts";

let ids = 0;
const open = async (home: string) => createShownFile(home, () => `id${++ids}`);

it("what was shown is known to every program of the home, for ten minutes", async () => {
  const home = await temporaryHome();
  const [first, second] = [await open(home), await open(home)];
  await first.note("a", 1_000_000);
  await second.note("b", 1_300_000);
  expect(await second.has("a", 1_500_000)).toBe(true);
  expect(await first.has("b", 1_500_000)).toBe(true);
  expect(await first.has("a", 1_600_000)).toBe(false);
  expect(await first.has("c", 1_500_000)).toBe(false);
  expect(await first.has("b", 1_000_000)).toBe(false); // a clock that was set back
});

it("a file that says something else says that nothing was shown", async () => {
  const home = await temporaryHome();
  const shown = await open(home);
  for (const text of ["", "[]", "{", '{"a":"x"}', '{"a":null}', '{"a":1e999}']) {
    await writeFile(shownPath(home), text);
    expect(await shown.has("a", 1_000_000), text).toBe(false);
  }
  await shown.note("a", 1_000_000);
  expect(await shown.has("a", 1_000_001)).toBe(true);
});
