import { stopwatch } from "../../clock.ts";
import type { Work } from "../pending-decision.ts";
import type { Decision } from "../stage.ts";
import type { StepContext } from "./context.ts";

/** Begins a try, and gives what is in memory about this decision. */
export function beginTry(supervisor: StepContext, decision: Decision): Work {
  const work = supervisor.work?.number === decision.number ? supervisor.work : supervisor.begin(decision.number);
  work.tries += 1;
  work.sinceTryMs = stopwatch(supervisor.deps.clock);
  return work;
}

/** The answer to a try was lost: it may have arrived. */
export function noteLoss({ deps }: StepContext, work: Work): void {
  work.last = "unknown";
  work.sinceLossMs = stopwatch(deps.clock);
  work.mayHaveArrived = true;
}
