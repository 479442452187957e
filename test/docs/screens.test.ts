import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

/** The names that a folder's tests hold files of, whichever folder of files. */
const namesIn = (folder: string): Set<string> => {
  const tests = globSync(join(folder, "*.test.ts")).map((file) => readFileSync(file, "utf8"));
  return new Set(
    tests.flatMap((text) => [
      ...[...text.matchAll(/\bexpectScreens\(\s*"([^"]+)"/g)].flatMap(([, name]) => [
        `screens/${name}.en.txt`,
        `screens/${name}.zh.txt`,
      ]),
      ...[...text.matchAll(/\btoMatchFileSnapshot\("([^"]+)"\)/g)].map(([, path = ""]) => path),
    ]),
  );
};

it("no file of printed screens is obsolete, and each is there in both languages", () => {
  const folders = new Set(globSync("test/**/*.test.ts").map((file) => dirname(file)));
  const named = [...folders].flatMap((folder) => [...namesIn(folder)].map((path) => join(folder, path)));
  const there = globSync("test/**/{screens,snapshots}/*.txt");
  expect(there.sort((a, b) => a.localeCompare(b))).toEqual(named.sort((a, b) => a.localeCompare(b)));
});
