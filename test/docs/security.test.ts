import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const ROOT = new URL("../../", import.meta.url);
const page = readFileSync(new URL("docs/security.md", ROOT), "utf8");
/** Of each attacker: the heading, and what stands below it. */
const sections = page.split(/^### /m).slice(1);

const isTest = (name: string): boolean =>
  [`test/${name}.test.ts`, `test/${name}.full.test.ts`, `test/${name}/`].some((path) =>
    existsSync(new URL(path, ROOT)),
  );

const fuzzed = readdirSync(new URL("test/fuzz/", ROOT), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => readFileSync(new URL(`test/fuzz/${file}`, ROOT), "utf8"))
  .join("\n");

it("every attacker has an answer, and tests that hold it are there", () => {
  expect(sections.length).toBeGreaterThan(15);
  for (const section of sections) {
    const [who = ""] = section.split("\n");
    expect(section, who).toMatch(/\*\*How we stop (it|them)\.\*\*/);
    const [, named = ""] = /^Tests: (.*)$/m.exec(section) ?? [];
    const names = [...named.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
    expect(names, who).not.toEqual([]);
    for (const name of names) expect([name, isTest(name) || fuzzed.includes(`"${name}"`)]).toEqual([name, true]);
  }
});
