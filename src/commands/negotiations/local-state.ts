import type { Runtime } from "../../app/runtime.ts";
import { reduce } from "../../negotiation/stage.ts";
import type { LocalState } from "../../watch/view.ts";

/** What this machine knows of a negotiation, with the time to decide and what happens when it is over. */
export async function localStateOf(runtime: Runtime, id: string): Promise<LocalState> {
  const { negotiations } = runtime.account();
  const [facts, reviewed] = await Promise.all([negotiations.facts(id), negotiations.reviews.answered(id)]);
  const stage = reduce(facts);
  const { owner, deadlineAt } = stage;
  const isGuarded = owner === undefined || negotiations.isFromThisProgram(id) || (await runtime.isAlive(owner));
  const undecided = negotiations.isLeftToBackend(stage) ? "broadcast" : isGuarded ? "withdrawn" : "unguarded";
  // Nobody is there to withdraw it before the backend's own time.
  const decideBy = undecided === "unguarded" ? deadlineAt : await negotiations.decideBy(id);
  return { facts, decideBy, undecided, reviewed };
}
