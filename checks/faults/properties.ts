// Every property test with many seeds: `npm run test:all` draws from one. Eleven in a row walk the table of what is said whole.
// Run: node checks/faults.ts properties [--seeds 30] [--first N]. A failure replays with PROPERTY_SEED=N npx vitest run FILE.

import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { counted, type Found, options } from "../harness.ts";

export default async function properties(args: string[]): Promise<Found> {
  const { seeds, first } = options(args, { seeds: 30, first: 1 });
  const files = globSync("test/**/*.test.ts").filter((file) =>
    /fc\.assert|fast-check|property-seed/.test(readFileSync(file, "utf8")),
  );
  const failed: number[] = [];
  for (let i = 0; i < seeds; i += 1) {
    const seed = first + i;
    const env = { ...process.env, PROPERTY_SEED: String(seed) };
    const run = spawnSync("npm", ["exec", "--", "vitest", "run", ...files], { env, encoding: "utf8" });
    const closing = run.stdout.trimEnd().split("\n").at(-1);
    console.log(`seed ${seed}: ${closing}`);
    if (run.status === 0) continue;
    failed.push(seed);
    console.log(run.stdout + run.stderr);
  }
  return {
    ok: failed.length === 0,
    line: `${counted(files.length, "file")}, ${counted(seeds, "seed")}, ${failed.length} failed ${failed.join(" ")}`.trimEnd(),
  };
}
