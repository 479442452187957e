import { appendFileSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";

/**
 * Closes a run with one plain line of counts that any CI can read. Where a run is one of several, `TEST_COUNTS` names the
 * file that gathers their lines, and who started them writes the sum.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const count = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      const before = count.failed;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state !== "pending") count[state] += 1;
      }
      // One that cannot be loaded has no tests.
      if (!module.ok() && count.failed === before) count.failed += 1;
    }
    const line = `${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`;
    const { TEST_COUNTS: gathered } = process.env;
    if (gathered === undefined) process.stdout.write(`\n${line}`);
    else appendFileSync(gathered, line);
  }
}
