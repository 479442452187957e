import fc from "fast-check";
import { it } from "vitest";
import { anyLife, calmLife } from "./commands.ts";
import { live } from "./life.ts";

/** Long runs: `node checks/faults.ts model`. A failure prints the shortest sequence of commands that shows it. */
const OPTIONS = { numRuns: 15, seed: 1 };

const holds = (life: ReturnType<typeof anyLife>) =>
  fc.assert(
    fc.asyncProperty(life, async (commands) => void (await live(commands))),
    OPTIONS,
  );

it("programs, people and forms without disturbance: each demand ends as the person decided", () => holds(calmLife()));

it("with faults, kills, clocks and sleep: every promise holds after each command and at the end", () =>
  holds(anyLife()));
