import { availableParallelism } from "node:os";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { cssInTests } from "./build/css.ts";

/** What a file needs decides its tier, and stands in its name: these start browsers and programs, or wait by the real clock. */
const FULL = "test/**/*.full.test.ts";

const SETUP = ["./test/support/property-seed.ts", "./test/support/after-each-file.ts"];
const SHARED: TestProjectInlineConfiguration["test"] = {
  // Whatever the machine's are: a test that needs another zone or language names it.
  env: { TZ: "UTC", LANG: "en_US.UTF-8", LC_ALL: "", LANGUAGE: "" },
  // The program is loaded once a worker, not once a file: that was a third of the time. Files share no state but that.
  isolate: false,
  // For what hangs, not for what is slow: a wait ends with what it waits for, and on a busy machine that takes ten times as long.
  testTimeout: 300_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
};

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [cssInTests],
        test: {
          ...SHARED,
          name: "fast",
          include: ["test/**/*.test.ts"],
          exclude: [FULL],
          setupFiles: ["./test/support/no-processes.ts", ...SETUP],
          // These wait for nothing but themselves: each core has one.
          maxWorkers: Math.max(2, availableParallelism()),
        },
      },
      {
        plugins: [cssInTests],
        test: {
          ...SHARED,
          name: "full",
          include: [FULL],
          setupFiles: SETUP,
          sequence: { groupOrder: 1 },
          // Browsers and programs of their own are what keeps the cores busy: with three workers a core, keys came too late.
          maxWorkers: Math.max(2, availableParallelism()),
        },
      },
    ],
    // A printed file that is missing fails as one that differs does; `npm run screens` writes them.
    update: "none",
    globalSetup: ["./test/support/clean-run.ts", "./test/support/one-chromium.ts"],
    reporters: ["default", "./test/support/closing-line.ts"],
    coverage: { include: ["src/**/*.ts", "mock-backend/**/*.ts"], reporter: ["text-summary"] },
  },
});
