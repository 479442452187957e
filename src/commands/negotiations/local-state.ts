import type { Runtime } from "../../app/local-program.ts";
import { isAlive } from "../../app/process.ts";
import type { Owner } from "../../negotiation/facts.ts";
import { reduce } from "../../negotiation/stage.ts";
import type { LocalState } from "../../watch/view.ts";

/** What this machine knows of a negotiation, with the time to decide and what happens when it is over. */
export async function localStateOf(runtime: Runtime, id: string): Promise<LocalState> {
  const { negotiations } = runtime.account();
  const [facts, reviewed] = await Promise.all([negotiations.facts(id), negotiations.reviews.answered(id)]);
  const { owner, deadlineAt } = reduce(facts);
  const undecided = await whenUndecided(owner, runtime.live.current().on_unconfirmed);
  // Nobody is there to withdraw it before the backend's own time.
  const decideBy = undecided === "unguarded" ? deadlineAt : await negotiations.decideBy(id);
  return { facts, decideBy, undecided, reviewed };
}

async function whenUndecided(owner: Owner | undefined, policy: "cancel" | "leave"): Promise<LocalState["undecided"]> {
  if (policy === "leave") return "broadcast";
  return owner === undefined || (await isAlive(owner)) ? "withdrawn" : "unguarded";
}
