import { OutcomeUnknown } from "../backend/errors.ts";
import type { SubmitInput, SubmitOptions, SubmitResult } from "../negotiation/submit.ts";
import { budgetOf } from "../session/ledger.ts";
import type { Services } from "./services.ts";

/**
 * Submits a demand and remembers it as the last one. The demand counts against the budget before it is sent, and a
 * program watches its deadline from then on. A duplicate or a failure costs nothing. If the outcome is unknown, the
 * demand may be open and stays counted (contract §5, §6).
 * @throws BudgetExceeded, and what the submit throws
 */
export async function submitDemand(
  demand: SubmitInput,
  options: SubmitOptions,
  { session, settings, negotiations, remember }: Services,
): Promise<SubmitResult> {
  const giveBack = await session.ledger.takeNegotiation(budgetOf(settings));
  const submitted = await negotiations.submit(demand, options).catch((error: unknown) => {
    if (!(error instanceof OutcomeUnknown)) giveBack();
    throw error;
  });
  if (submitted.duplicate) giveBack();
  await remember({ last_negotiation_id: submitted.id });
  return submitted;
}
