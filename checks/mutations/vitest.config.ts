import { defineConfig, mergeConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import project from "../../vitest.config.ts";

const order = (process.env.MUTATIONS_TESTS ?? "").split(",");
const place = ({ moduleId }: TestSpecification) => order.findIndex((file) => moduleId.endsWith(`/${file}`));

/** The order in which the tests were given: what is quick and near is tried first. */
class AsGiven extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.sort((a, b) => place(a) - place(b));
  }
}

export default mergeConfig(
  project,
  defineConfig({ test: { isolate: false, maxWorkers: 1, sequence: { sequencer: AsGiven }, reporters: ["json"] } }),
);
