// Real servers, killed with SIGKILL at random points, on one home after the other; what they leave is checked.
// Run: node checks/machines.ts kills [--minutes 10] [--seed S] [--workers 2] [--only N] [--deadline 7] [--to-the-end]

import { rmSync } from "node:fs";
import { counted, type Found, options, ROOT } from "../harness.ts";
import type { Bench } from "./kills/bench.ts";
import { copyOf } from "./kills/copy.ts";
import { one } from "./kills/life.ts";
import { Report } from "./kills/report.ts";
import { Stalls } from "./kills/stalls.ts";

const DEFAULTS = {
  minutes: 10,
  seed: 1,
  workers: 2,
  only: 0,
  /** Every run waits for the deadline, and not one in seven. */
  "to-the-end": false,
  /** Seconds until the backend confirms by itself. The guard acts a quarter earlier: on a busy machine give it more. */
  deadline: 7,
  /** The built package; a copy is run, so that a rebuild does not matter. */
  root: ROOT,
};

export default async function kills(args: string[]): Promise<Found> {
  const given = options(args, DEFAULTS);
  const bench: Bench = {
    root: copyOf(given.root),
    report: new Report({ isLoud: given.only > 0 }),
    stalls: new Stalls(),
    deadlineS: given.deadline,
    toTheEnd: given["to-the-end"],
  };
  const seeds = { next: given.only || given.seed };
  const workers = given.only ? 1 : given.workers;
  const until = Date.now() + given.minutes * 60_000;
  const worker = async () => {
    while (Date.now() < until) {
      await one(seeds.next++, bench);
      if (given.only) return;
    }
  };
  await Promise.all(Array.from({ length: workers }, worker));
  rmSync(bench.root, { recursive: true });
  bench.report.print(seeds.next - 1);
  const { kills, violations } = bench.report.totals;
  return { ok: violations === 0, line: `${counted(kills, "kill")}, ${counted(violations, "violation")}` };
}
