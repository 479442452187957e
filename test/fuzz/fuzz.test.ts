import { describe, expect, it } from "vitest";
import { fuzzBatch } from "./target.ts";
import { TARGETS } from "./targets.ts";

/** A short look at every target, always the same. Long runs: `node checks/faults.ts fuzz`; a failing seed replays there. */
const SEED = 20_261_121;
/** A few seconds each: those that start programs or write files get fewer. */
const INPUTS: Record<string, number> = {
  stdio: 60,
  "HTTP endpoint": 30,
  "command line": 12,
  "config file": 30,
  "history files": 30,
  "approval page": 40,
  "backend bodies": 80,
  "mock backend and its WebSocket feed": 40,
};

describe("any input: no crash, no hang", () => {
  for (const target of TARGETS)
    it(target.name, { timeout: 60_000 }, async () => {
      const { tried, finding } = await fuzzBatch(target, SEED, { inputs: INPUTS[target.name] ?? 300 });
      expect(finding).toBeUndefined();
      expect(tried).toBe(INPUTS[target.name] ?? 300);
    });
});
