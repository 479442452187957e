import { Failure, ignoreTowowError } from "../../errors.ts";
import { factName } from "../facts.ts";
import type { Step } from "../plan/step.ts";
import { adopt } from "./adopt.ts";
import { cancel } from "./cancel.ts";
import { conclude } from "./conclude.ts";
import { confirm } from "./confirm.ts";
import type { StepContext } from "./context.ts";
import { offer } from "./offer.ts";
import { noteOutcome } from "./outcome.ts";
import { withdraw } from "./withdraw.ts";

/** Does one step of the plan. What it throws is logged, and the plan is asked again. */
export async function runStep(supervisor: StepContext, step: Exclude<Step, { do: "wait" | "idle" }>): Promise<void> {
  switch (step.do) {
    case "read":
      return void (await supervisor.read().catch(ignoreTowowError)); // a failed read is one: the plan knows when the last was
    case "offer":
      return offer(supervisor);
    case "adopt":
      await adopt(supervisor);
      return void (await supervisor.read().catch(ignoreTowowError)); // nobody may have looked at it for long
    case "withdraw":
      return withdraw(supervisor, step.by);
    case "confirm":
      return confirm(supervisor);
    case "cancel":
      return cancel(supervisor);
    case "conclude":
      return conclude(supervisor);
    case "undo":
      return undo(supervisor, step.why);
    case "abandon":
      return abandon(supervisor);
  }
}

/** The backend does not know it. Under the decision that it ends, if there is one. */
async function abandon(supervisor: StepContext): Promise<void> {
  const { decision } = supervisor.stage;
  await noteOutcome(supervisor, { kind: "not_found", ...(decision && { decision }), owed: true });
  if (decision !== undefined) supervisor.waiters.answer(decision.number, { error: supervisor.pending?.error });
}

/** The decision is taken back, and the question is open again. */
async function undo(supervisor: StepContext, why: "no_effect" | "edit_lost"): Promise<void> {
  const { decision } = supervisor.stage;
  if (decision === undefined) return;
  await supervisor.journal.note(factName.undone(decision.number), { at: supervisor.deps.clock.now(), why });
  const error =
    supervisor.pending?.error ??
    new Failure("tool.negotiation.conflict.not_waiting", { negotiation_id: supervisor.key.id });
  supervisor.waiters.answer(decision.number, { error });
  supervisor.pending = undefined;
}
