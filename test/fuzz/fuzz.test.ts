import { describe, expect, it } from "vitest";
import { fuzzBatch } from "./target.ts";
import { TARGETS } from "./targets.ts";

/** A short look at every target, always the same. Long runs: `node checks/faults.ts fuzz`; a failing seed replays there. */
const SEED = 20_261_121;
/** Five seconds in all: those that start programs or write files get fewer. */
const INPUTS: Record<string, number> = {
  stdio: 25,
  "HTTP endpoint": 15,
  "tool arguments": 80,
  "command line": 5,
  "config file": 6,
  "history files": 15,
  "approval page": 20,
  "backend bodies": 25,
  "mock backend and its WebSocket feed": 20,
};

describe("any input: no crash, no hang", () => {
  for (const target of TARGETS)
    it(target.name, { timeout: 60_000 }, async () => {
      const { tried, finding } = await fuzzBatch(target, SEED, { inputs: INPUTS[target.name] ?? 300 });
      expect(finding).toBeUndefined();
      expect(tried).toBe(INPUTS[target.name] ?? 300);
    });
});
