import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const ROOT = new URL("../../", import.meta.url);
const page = readFileSync(new URL("docs/security.md", ROOT), "utf8");
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| who |"))
  .map((line) => line.split(" | ").map((cell) => cell.replaceAll(/^\| | \|$/g, "")));

const isTest = (name: string): boolean =>
  [`test/${name}.test.ts`, `test/${name}/`].some((path) => existsSync(new URL(path, ROOT)));

const fuzzed = readdirSync(new URL("test/fuzz/", ROOT), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => readFileSync(new URL(`test/fuzz/${file}`, ROOT), "utf8"))
  .join("\n");

it.each(rows)("%s: each test that the row ends with is there", (_who, _can, stops = "") => {
  const named = /\(([^()]*`[^()]*)\)$/.exec(stops.trim())?.[1] ?? "";
  const names = [...named.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
  expect(names).not.toEqual([]);
  for (const name of names) expect([name, isTest(name) || fuzzed.includes(`"${name}"`)]).toEqual([name, true]);
});

it("every row says what does not stop them, and the whole is one page", () => {
  expect(rows.length).toBeGreaterThan(15);
  for (const cells of rows) expect([cells[0], cells.length]).toEqual([cells[0], 4]);
  expect(page.split("\n").length).toBeLessThan(45);
});
