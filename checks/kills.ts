// Real servers, killed with SIGKILL at random points, on one home after the other; what they leave is checked.
// Run: npm run check:kills -- [--minutes 10] [--seed S] [--workers 2] [--only N] [--deadline 7] [--to-the-end]
//      [--mixed <dist/cli.js of an older version>]
//      or --keepers 360 [--deadlines 20,30,60,100,300] [--workers 25]: so many pauses whose program dies, stops or hangs
//      or --left 120 [--deadlines 12,16,20] [--workers 8]: so many pauses whose program leaves them to another

import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Bench } from "./kills/bench.ts";
import { Builds } from "./kills/builds.ts";
import { type KeeperBench, KeeperFigures, keeperDies } from "./kills/keepers.ts";
import { leftToAnother } from "./kills/left.ts";
import { one } from "./kills/life.ts";
import { Report } from "./kills/report.ts";
import { Stalls } from "./kills/stalls.ts";
import { twoDecide } from "./kills/two-decide.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
    workers: { type: "string", default: "2" },
    only: { type: "string" },
    /** Every run waits for the deadline, and not one in seven. */
    "to-the-end": { type: "boolean", default: false },
    /** Seconds until the backend confirms by itself. The guard acts a quarter earlier: on a busy machine give it more. */
    deadline: { type: "string", default: "7" },
    /** The built package; a copy is run, so that a rebuild does not matter. */
    root: { type: "string", default: new URL("..", import.meta.url).pathname },
    /** The built `cli.js` of an older version: some of the servers of each home are that one. */
    mixed: { type: "string" },
    keepers: { type: "string" },
    left: { type: "string" },
    deadlines: { type: "string" },
  },
});

/** With two versions, one run in so many is one in which both decide. */
const TWO_DECIDE_EVERY = 5;

const bench: Bench = {
  builds: new Builds(values.root, values.mixed && resolve(values.mixed)),
  report: new Report({ isLoud: (values.only ?? values.keepers ?? values.left) !== undefined }),
  stalls: new Stalls(),
  deadlineS: Number(values.deadline),
  toTheEnd: values["to-the-end"],
};
let next = Number(values.only ?? values.seed);
if (values.keepers !== undefined) await pauses(Number(values.keepers), keeperDies, "20,30,60,100,300");
if (values.left !== undefined) await pauses(Number(values.left), leftToAnother, "12,16,20");
const stopAt = Date.now() + Number(values.minutes) * 60_000;
const worker = async () => {
  while (Date.now() < stopAt) {
    const seed = next++;
    const { old } = bench.builds;
    if (old !== undefined && seed % TWO_DECIDE_EVERY === 0) await twoDecide(seed, bench, old);
    else await one(seed, bench);
    if (values.only) return;
  }
};
await Promise.all(Array.from({ length: values.only ? 1 : Number(values.workers) }, worker));
bench.builds.remove();
bench.report.print(next - 1);
process.exit(bench.report.hasViolations ? 1 : 0);

/** They mostly wait, so many run at once; each begins a moment after the other. */
async function pauses(
  runs: number,
  live: (seed: number, bench: KeeperBench) => Promise<void>,
  usual: string,
): Promise<never> {
  const { report, builds, stalls } = bench;
  const figures = new KeeperFigures();
  let done = 0;
  const deadlines = (values.deadlines ?? usual).split(",").map(Number);
  const last = next + (values.only ? 1 : runs);
  const keeperWorker = async () => {
    while (next < last) {
      await live(next++, { root: builds.current, report, stalls, figures, deadlines });
      process.stderr.write(`${++done} of ${runs}\r`);
    }
  };
  await Promise.all(Array.from({ length: values.only ? 1 : Number(values.workers) }, keeperWorker));
  builds.remove();
  figures.print();
  report.print(next - 1);
  process.exit(report.hasViolations ? 1 : 0);
}
