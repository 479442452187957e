import fc from "fast-check";
import { createFaultHome } from "./home.ts";
import { Model, type Real, startProgram, textOf } from "./model.ts";
import { nameNotFound } from "./network.ts";
import { countOutsideWork, Dice, SimClock } from "./sim.ts";
import { Witness } from "./witness.ts";

/** Beyond every deadline, take-over and budget. */
const REST_MS = 1_800_000;

/** What one sequence came to, for counting. */
export interface Lived {
  negotiations: number;
  confirmed: number;
  calls: number;
  /** Whether nothing disturbed, so that each end was foretold. */
  calm: boolean;
}

/** Lives one sequence of commands to its end. @throws with the first promise that did not hold. */
export async function live(commands: Iterable<fc.AsyncCommand<Model, Real>>): Promise<Lived> {
  countOutsideWork();
  const clock = new SimClock();
  const witness = new Witness(clock);
  const steps = witness.steps({
    storeMs: () => 0,
    before(route) {
      const { until, what } = real.outage;
      if (clock.now() >= until) return;
      if (what === "the name is not found") throw nameNotFound();
      home.mock.faults.add(
        what === "nothing answers" ? { route, kind: "drop_before" } : { route, kind: "status", status: what },
      );
    },
  });
  const home = createFaultHome(clock, new Dice(1), steps);
  const real: Real = {
    clock,
    home,
    machine: home.machine,
    witness,
    forms: [],
    editing: new Map(),
    outage: { until: 0, what: "nothing answers" },
  };
  witness.attach(home, textOf);
  const model = new Model();
  await clock.while(startProgram(model, real, { forms: true, mode: "developer" }));
  await clock.while(startProgram(model, real, { forms: false, mode: "developer" }));
  try {
    await fc.asyncModelRun(() => ({ model, real }), commands);
    await clock.advance(REST_MS);
    real.outage.until = 0;
    home.mock.faults.clear();
    await clock.while(witness.lookAtAll());
    witness.finish({});
    model.judge(real);
    const [first] = witness.violations;
    if (first !== undefined) throw new Error(`(${first.invariant}) ${first.kind}: ${first.detail}`);
  } catch (error) {
    if (error instanceof Error) error.message += `\n${witness.trace.join("\n")}`;
    throw error;
  } finally {
    for (const p of witness.processes) p.kill();
    await home.mock.close();
  }
  const all = home.mock.negotiations().filter(({ depth }) => depth === 0);
  const confirmed = all.filter(({ confirmedBy }) => confirmedBy === "user").length;
  return { negotiations: all.length, confirmed, calls: witness.calls, calm: model.calm };
}
