import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const ROOT = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), "utf8");
const GLOSSARY = read("docs/glossary.md");

const filesIn = (folder: string, ending: RegExp) =>
  readdirSync(new URL(`${folder}/`, ROOT), { recursive: true, encoding: "utf8" })
    .filter((name) => ending.test(name))
    .map((name) => `${folder}/${name}`);

/** Everything that is written for people. */
const PAGES = [...filesIn("src/text", /\.ts$/), ...filesIn("prompts", /\.(md|txt)$/), ...filesIn("docs", /\.md$/)]
  .concat("README.md", "README.zh.md")
  .filter((path) => path !== "docs/glossary.md");

it("each term has one word in each language, and no page uses another", () => {
  const rows = GLOSSARY.split("\n")
    .filter((line) => /^\| [\wA-Z]/.test(line) && !line.startsWith("| English"))
    .map((line) => line.split("|").map((cell) => cell.trim()));
  expect(rows.length).toBeGreaterThan(15);
  for (const column of [1, 2]) {
    const words = rows.map((row) => row[column]);
    expect(new Set(words).size).toBe(words.length);
  }
  const refused = rows.flatMap((row) => (row[4] === "–" ? [] : row[4]!.split(", ")));
  expect(refused.length).toBeGreaterThan(8);
  for (const path of PAGES)
    for (const word of refused) expect([path, read(path).includes(word) && word]).toEqual([path, false]);
});

/** A key or a command is named as it is. */
const proseOf = (path: string) => read(path).replaceAll(/`[^`\n]*`/g, "");

it("plain words: none of those that need a gloss", () => {
  const odd = /\b(?:mend(?:ed|s)?|beforehand|foretold|told|heard|whoever|handed on|all the same)\b/i;
  const pages = [...PAGES, "CHANGELOG.md", "CONTRIBUTING.md"].filter((path) => !path.startsWith("docs/reliability"));
  for (const path of pages) expect([path, odd.exec(proseOf(path))?.[0]]).toEqual([path, undefined]);
});
