// Real servers, killed with SIGKILL at random points, on one home after the other; what they leave is checked.
// Run: node checks/machines.ts kills [--minutes 10] [--seed S] [--workers 2] [--only N] [--deadline 7] [--to-the-end]
//      [--mixed <dist/cli.js of an older version>]
//      or --keepers 360 [--deadlines 20,30,60,100,300] [--workers 25]: so many pauses whose program dies, stops or hangs
//      or --left 120 [--deadlines 12,16,20] [--workers 8]: so many pauses whose program leaves them to another

import { resolve } from "node:path";
import { counted, type Found, options, ROOT } from "../harness.ts";
import type { Bench } from "./kills/bench.ts";
import { Builds } from "./kills/builds.ts";
import { type KeeperBench, KeeperFigures, keeperDies } from "./kills/keepers.ts";
import { leftToAnother } from "./kills/left.ts";
import { one } from "./kills/life.ts";
import { Report } from "./kills/report.ts";
import { Stalls } from "./kills/stalls.ts";
import { twoDecide } from "./kills/two-decide.ts";

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
  /** The built `cli.js` of an older version: some of the servers of each home are that one. */
  mixed: "",
  keepers: 0,
  left: 0,
  deadlines: "",
};

/** With two versions, one run in so many is one in which both decide. */
const TWO_DECIDE_EVERY = 5;

export default async function kills(args: string[]): Promise<Found> {
  const given = options(args, DEFAULTS);
  const bench: Bench = {
    builds: new Builds(given.root, given.mixed === "" ? undefined : resolve(given.mixed)),
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
  bench.builds.remove();
  bench.report.print(seeds.next - 1);
  const { kills, violations } = bench.report.totals;
  return { ok: violations === 0, line: `${counted(kills, "kill")}, ${counted(violations, "violation")}` };

  async function lives(until: number): Promise<void> {
    const { old } = bench.builds;
    const worker = async () => {
      while (Date.now() < until) {
        const seed = seeds.next++;
        if (old !== undefined && seed % TWO_DECIDE_EVERY === 0) await twoDecide(seed, bench, old);
        else await one(seed, bench);
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
    const { report, builds, stalls } = bench;
    const figures = new KeeperFigures();
    const deadlines = deadlinesS.split(",").map(Number);
    const last = seeds.next + runs;
    let done = 0;
    const worker = async () => {
      while (seeds.next < last) {
        await live(seeds.next++, { root: builds.current, report, stalls, figures, deadlines });
        process.stderr.write(`${++done} of ${runs}\r`);
      }
    };
    await Promise.all(Array.from({ length: workers }, worker));
    figures.print();
  }
}
