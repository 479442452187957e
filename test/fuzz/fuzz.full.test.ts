import { describe, expect, it } from "vitest";
import { excessOf } from "../../src/json.ts";
import { type FuzzTarget, fuzzBatch } from "./target.ts";
import { TARGETS } from "./targets.ts";

/** A short look at every target, always the same. Long runs: `node checks/faults.ts fuzz`; a failing seed replays there. */
const SEED = 20_261_121;
/** Five seconds in all: those that start programs or write files get fewer. */
const INPUTS: Record<string, number> = {
  stdio: 25,
  "HTTP endpoint": 15,
  "tool arguments": 80,
  "command line": 5,
  "config file": 20,
  "history files": 15,
  "approval page": 20,
  "backend bodies": 25,
  "mock backend and its WebSocket feed": 20,
};

/** The file is written with indents: of a thousand levels it has a million bytes, of four thousand enough for a minute. */
const LEVELS = 400;
const isShallow = (input: unknown): boolean =>
  excessOf(String(input), { depth: LEVELS, values: Number.POSITIVE_INFINITY }) === undefined;
const short = (target: FuzzTarget<unknown>): FuzzTarget<unknown> =>
  target.name === "config file" ? { ...target, input: target.input.filter(isShallow) } : target;

describe("any input: no crash, no hang", () => {
  for (const target of TARGETS)
    it(target.name, async () => {
      const { tried, finding } = await fuzzBatch(short(target), SEED, { inputs: INPUTS[target.name] ?? 300 });
      expect(finding).toBeUndefined();
      expect(tried).toBe(INPUTS[target.name] ?? 300);
    });
});
