import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { between } from "../../docs/generate/markdown.ts";
import { generated, stale } from "../../docs/generate.ts";
import { CONFIG_KEYS } from "../../src/home/schema.ts";
import { ERROR_CODES } from "../../src/result/tool-error.ts";
import { TOOLS } from "../../src/tools/index.ts";

it("the pages and tables that follow from the code are up to date", () => {
  expect(stale()).toEqual([]);
});

it("nothing of the code is left out", () => {
  const headings = (page: string | undefined) => [...(page ?? "").matchAll(/^## `(.+)`$/gm)].map(([, name]) => name);
  const pages = generated();
  expect(headings(pages.get("docs/errors.md"))).toEqual(Object.keys(ERROR_CODES));
  expect(headings(pages.get("docs/tools.md"))).toEqual(TOOLS.map((tool) => tool.name));
});

it("the page of the tools holds every tool, the page of the settings every key", async () => {
  const page = (name: string) => readFile(new URL(`../../docs/${name}.md`, import.meta.url), "utf8");
  for (const { name } of TOOLS) expect(await page("tools")).toContain(`| \`${name}\` |`);
  for (const key of CONFIG_KEYS) expect(await page("configuration")).toContain(`| \`${key}\` |`);
});

it("only what stands between the markers is replaced", () => {
  const text = "before\n<!-- tools:start -->\nold\n<!-- tools:end -->\nafter\n";
  expect(between(text, "tools", "new")).toBe("before\n<!-- tools:start -->\nnew\n<!-- tools:end -->\nafter\n");
  expect(between(between(text, "tools", "new"), "tools", "new")).toBe(between(text, "tools", "new"));
  for (const broken of ["", "<!-- tools:start -->", "<!-- tools:end --><!-- tools:start -->", text + text])
    expect(() => between(broken, "tools", "new")).toThrow("once each");
});
