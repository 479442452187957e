import { factName } from "../facts.ts";
import type { StepContext } from "./context.ts";

/** Takes over from a program that is gone; of several, one does. */
export async function adopt({ journal, deps }: StepContext): Promise<void> {
  const { watched, decided } = journal.facts;
  const fact = { at: deps.clock.now(), owner: deps.owner, decisions: decided.length };
  await journal.claim(factName.watched(watched.length + 1), fact);
  deps.log.info("negotiation_adopted", { negotiation_id: journal.key.id });
}
