// A setup file of Vitest: when a test file is done, which probes it has touched becomes one line.

import { appendFileSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, expect } from "vitest";

const root = process.cwd();
const folder = join(root, "mutations-reached");
const began = performance.now();
(globalThis as { __reached?: object }).__reached = {};
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);

afterAll(() => {
  const names = readdirSync(folder).map((name) => name.split("-"));
  const of = (where: string) => names.filter(([it]) => it === where).map(([, n]) => Number(n));
  const test = relative(root, expect.getState().testPath!);
  const line = { test, ms: Math.round(performance.now() - began), here: of("here"), started: of("started") };
  appendFileSync(join(root, "mutations-reached.jsonl"), `${JSON.stringify(line)}\n`);
});
