import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds on a page, each as its rule and where, and whether the page has to be scrolled sideways. */
export async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate("globalThis.axe !== undefined"))) await page.evaluate(AXE);
  const { violations } = await page.evaluate<AxeResults>("axe.run(document, { resultTypes: ['violations'] })");
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
  const isWide = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
  return isWide ? [...found, "wider than the window"] : found;
}
