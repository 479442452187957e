import type { Runtime } from "../../app/runtime.ts";
import { reduce } from "../../negotiation/stage.ts";
import type { LocalState } from "../../watch/view.ts";

/** What this machine knows of a negotiation, with who answers for it. */
export async function localStateOf(runtime: Runtime, id: string): Promise<LocalState> {
  const { negotiations } = runtime.account();
  const [facts, reviewed] = await Promise.all([negotiations.facts(id), negotiations.reviews.answered(id)]);
  return { facts, guard: await negotiations.guard(id, reduce(facts)), reviewed };
}
