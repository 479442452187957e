import { describe, expect, it } from "vitest";
import { PROPERTY_SEED } from "../support/property-seed.ts";
import { MIXES } from "./mixes.ts";
import { run } from "./run.ts";

/** Long runs: `node checks/faults.ts`. A run that fails here replays with `node checks/faults.ts lives --trace --seed N`. */

/** Runs in which something was wrong once, and which nothing smaller shows. */
const FOUND = [
  [900_000_544, "clock jumps, kills, 10 %"],
  [900_000_696, "shutdowns"],
  [900_002_292, "a shorter deadline than ours"],
] as const;

it.each(FOUND)("seed %i of %s, in which something was found", async (seed, name) => {
  const { violations } = await run(seed, MIXES.find((mix) => mix.name === name) as (typeof MIXES)[number]);
  expect(violations).toEqual([]);
});

describe("random faults, kills and people against a model of who saw what", () => {
  for (const [index, mix] of MIXES.entries())
    it(mix.name, async () => {
      const seed = index + PROPERTY_SEED * MIXES.length;
      const { violations } = await run(seed, mix);
      expect(violations, `seed ${seed}`).toEqual([]);
    });
});
