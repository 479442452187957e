import { byCodeUnits } from "../../../src/by-code-units.ts";
export const POINTS = [
  "start",
  "submit in flight",
  "formulation",
  "pause",
  "form open",
  "accept",
  "edit",
  "reject",
  "accept in flight",
  "edit in flight",
  "reject in flight",
  "shutdown",
] as const;
export type Point = (typeof POINTS)[number];

const EXAMPLES = 6;

/** What was counted and found, over all runs. */
export class Report {
  readonly #tally = new Map<Point, { kills: number; violations: number }>();
  readonly #counts = new Map<string, number>();
  readonly #found = new Map<string, { count: number; seeds: number[]; example: string }>();
  /** Whether each violation is printed when it is found. */
  readonly #isLoud: boolean;

  constructor({ isLoud }: { isLoud: boolean }) {
    this.#isLoud = isLoud;
  }

  get totals(): { kills: number; violations: number } {
    const all = [...this.#tally.values()];
    const sum = (of: "kills" | "violations") => all.reduce((total, point) => total + point[of], 0);
    return { kills: sum("kills"), violations: sum("violations") };
  }

  readonly count = (what: string): void => {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  };

  killed(point: Point): void {
    this.#at(point).kills += 1;
  }

  violate(kind: string, point: Point, seed: number, detail: string): void {
    this.#at(point).violations += 1;
    const key = `${kind} [${point}]`;
    const entry = this.#found.get(key) ?? { count: 0, seeds: [], example: detail };
    entry.count += 1;
    if (entry.seeds.length < EXAMPLES) entry.seeds.push(seed);
    this.#found.set(key, entry);
    if (this.#isLoud) console.log(`VIOLATION ${key}: ${detail}`);
  }

  print(lastSeed: number): void {
    console.table([...this.#tally].map(([point, t]) => ({ "killed at": point, ...t })));
    console.log("last seed:", lastSeed);
    for (const [kind, { count: times, seeds, example }] of this.#found)
      console.log(`${kind}: ${times}, seeds ${seeds.join(" ")}\n    ${example}`);
    console.log("counted:", Object.fromEntries([...this.#counts].sort(([one], [other]) => byCodeUnits(one, other))));
  }

  #at(point: Point) {
    const standing = this.#tally.get(point) ?? { kills: 0, violations: 0 };
    this.#tally.set(point, standing);
    return standing;
  }
}
