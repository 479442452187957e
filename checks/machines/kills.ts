// Real servers, killed with SIGKILL at random points, on one home after the other; what they leave is checked.
// Run: node checks/machines.ts kills [--minutes 10] [--seed S] [--workers 2] [--only N] [--deadline 7] [--to-the-end]
//      or --keepers 360 [--deadlines 20,30,60,100,300] [--workers 25]: so many pauses whose program dies, stops or hangs
//      or --left 120 [--deadlines 12,16,20] [--workers 8]: so many pauses whose program leaves them to another

import { rmSync } from "node:fs";
import { counted, type Found, options, ROOT } from "../harness.ts";
import type { Bench } from "./kills/bench.ts";
import { copyOf } from "./kills/copy.ts";
import { type KeeperBench, KeeperFigures, keeperDies } from "./kills/keepers.ts";
import { leftToAnother } from "./kills/left.ts";
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
  keepers: 0,
  left: 0,
  deadlines: "",
};

export default async function kills(args: string[]): Promise<Found> {
  const given = options(args, DEFAULTS);
  const bench: Bench = {
    root: copyOf(given.root),
    report: new Report({ isLoud: given.only + given.keepers + given.left > 0 }),
    stalls: new Stalls(),
    deadlineS: given.deadline,
    toTheEnd: given["to-the-end"],
  };
  const seeds = { next: given.only || given.seed };
  const workers = given.only ? 1 : given.workers;
  if (given.keepers > 0)
    await pauses(given.only ? 1 : given.keepers, keeperDies, given.deadlines || "20,30,60,100,300");
  else if (given.left > 0) await pauses(given.only ? 1 : given.left, leftToAnother, given.deadlines || "12,16,20");
  else await lives(Date.now() + given.minutes * 60_000);
  rmSync(bench.root, { recursive: true });
  bench.report.print(seeds.next - 1);
  const { kills, violations } = bench.report.totals;
  return { ok: violations === 0, line: `${counted(kills, "kill")}, ${counted(violations, "violation")}` };

  async function lives(until: number): Promise<void> {
    const worker = async () => {
      while (Date.now() < until) {
        await one(seeds.next++, bench);
        if (given.only) return;
      }
    };
    await Promise.all(Array.from({ length: workers }, worker));
  }

  /** They mostly wait, so many run at once; each begins a moment after the other. */
  async function pauses(
    runs: number,
    live: (seed: number, bench: KeeperBench) => Promise<void>,
    deadlinesS: string,
  ): Promise<void> {
    const { root, report, stalls } = bench;
    const figures = new KeeperFigures();
    const deadlines = deadlinesS.split(",").map(Number);
    const last = seeds.next + runs;
    let done = 0;
    const worker = async () => {
      while (seeds.next < last) {
        await live(seeds.next++, { root, report, stalls, figures, deadlines });
        process.stderr.write(`${++done} of ${runs}\r`);
      }
    };
    await Promise.all(Array.from({ length: workers }, worker));
    figures.print();
  }
}
