import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { byCodeUnits } from "../../src/by-code-units.ts";
import { createNames } from "../../src/home/file.ts";
import { temporaryHome } from "../support/home.ts";

it("the names in a folder come from memory once they have settled, and every change is seen at once", async () => {
  const folder = join(await temporaryHome(), "history");
  let now = 0;
  const names = createNames(() => now);
  expect(names(folder)).toEqual([]);
  mkdirSync(folder);
  writeFileSync(join(folder, "a"), "");
  utimesSync(folder, 1, 1); // a change of long ago
  const first = names(folder);
  expect(first).toEqual(["a"]);
  now = 1_000;
  expect(names(folder)).not.toBe(first); // another one may have left the same stamp
  now = 4_000;
  const settled = names(folder);
  now = 5_000;
  expect(names(folder)).toBe(settled);
  writeFileSync(join(folder, "b"), "");
  expect(names(folder)).toEqual(["a", "b"]);
  rmSync(folder, { recursive: true });
  expect(names(folder)).toEqual([]);
});

it("they settle sooner where the file system knows parts of a second", async () => {
  const folder = await temporaryHome();
  let now = 0;
  const names = createNames(() => now);
  writeFileSync(join(folder, "a"), "");
  utimesSync(folder, 1.5, 1.5);
  const first = names(folder);
  now = 50;
  expect(names(folder)).not.toBe(first);
  now = 200;
  const settled = names(folder);
  now = 201;
  expect(names(folder)).toBe(settled);
  writeFileSync(join(folder, "b"), "");
  expect(names(folder).toSorted(byCodeUnits)).toEqual(["a", "b"]);
});
