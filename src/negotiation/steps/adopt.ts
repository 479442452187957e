import { HomeUnwritable } from "../../home/errors.ts";
import { failureOf } from "../../log.ts";
import { factName } from "../facts.ts";
import type { StepContext } from "./context.ts";

/** Takes over from a program that is gone; of several, one does, or each where none can write it down. */
export async function adopt({ journal, deps }: StepContext): Promise<void> {
  const { watched, decided } = journal.facts;
  const fact = { at: deps.clock.now(), owner: deps.owner, decisions: decided.length };
  const name = factName.watched(watched.length + 1);
  try {
    await journal.claim(name, fact);
  } catch (error) {
    if (!(error instanceof HomeUnwritable)) throw error;
    // On a full disk somebody must still withdraw it, and a cancel that is sent twice is one.
    deps.log.warn("adoption_unwritten", { negotiation_id: journal.key.id, error: failureOf(error) });
    await journal.note(name, fact);
  }
  deps.log.info("negotiation_adopted", { negotiation_id: journal.key.id });
}
