// A Vitest that stays: run by ./vitest.ts, once a copy of the tree.

import { join, relative } from "node:path";
import { BaseSequencer, createVitest, type TestSpecification } from "vitest/node";

let order: readonly string[] = [];
const place = ({ moduleId }: TestSpecification) => order.findIndex((file) => moduleId.endsWith(`/${file}`));

/** The order in which the tests were given: what is quick and near is tried first. */
class AsGiven extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.sort((a, b) => place(a) - place(b));
  }
}

const root = process.cwd();
const vitest = await createVitest("test", {
  root,
  watch: false,
  isolate: false,
  maxWorkers: 1,
  sequence: { sequencer: AsGiven },
  reporters: [{}],
});
// Both tiers name files of their own.
const setupFiles = ["test/support/property-seed.ts", "checks/mutations/reached.ts"].map((file) => join(root, file));
for (const { config } of vitest.projects) config.setupFiles = setupFiles;
await vitest.standalone();

process.on("message", async ({ tests, changed, all }: { tests: string[]; changed: string[]; all: boolean }) => {
  vitest.config.bail = all ? 0 : 1;
  for (const file of changed) vitest.invalidateFile(join(root, file));
  order = tests;
  const run = await vitest.runTestFiles(tests.map((file) => join(root, file)));
  const { unhandledErrors } = run;
  // What failed in an earlier run is still among them.
  const testModules = run.testModules.filter(({ moduleId }) => tests.includes(relative(root, moduleId)));
  const broken = testModules.find((module) => !module.ok());
  const test = broken && [...broken.children.allTests("failed")][0];
  const failed = test?.fullName ?? broken?.errors()[0]?.message ?? (unhandledErrors[0] as Error | undefined)?.message;
  const ok = broken === undefined && unhandledErrors.length === 0 && testModules.length > 0;
  const notOk = testModules.filter((module) => !module.ok()).map(({ moduleId }) => relative(root, moduleId));
  process.send!({ ok, failed, notOk });
});
process.send!("ready");
