import { stageNow } from "../ask/stop.ts";
import type { Negotiation } from "../backend/contract.ts";
import { AlreadyCompleted } from "../backend/errors.ts";
import type { Services } from "./services.ts";

/**
 * Ends a negotiation by the person's own hand on a page, which has asked them.
 * @throws AlreadyCompleted, and what the backend answered about one that was not submitted here
 */
export async function cancelByPerson(
  id: string,
  { negotiations }: Pick<Services, "negotiations">,
): Promise<Negotiation> {
  const { stage } = await stageNow(id, negotiations);
  if (stage.isOwn && stage.name === "over") throw new AlreadyCompleted({ operation: "action", negotiation_id: id });
  return negotiations.cancel(id, "page");
}
