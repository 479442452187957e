import { formulatedText } from "../negotiation/backend-states.ts";
import type { Says } from "../negotiation/says.ts";
import type { Texts } from "../text/index.ts";
import { networksText } from "../view/text.ts";

type Said = Pick<Says, "negotiation" | "writers">;

/** Returns the network's share of the text, in per cent. Undefined where it added nothing, or wrote all of it. */
function shareIn({ negotiation, writers }: Said): number | undefined {
  if (writers.text !== "network" || negotiation === undefined) return undefined;
  const { share, isCompared } = networksText(negotiation.demand_raw, formulatedText(negotiation));
  return isCompared && share < 100 ? share : undefined;
}

/** Says in one sentence, without its full stop, who wrote the text and how much of it the network added. */
export function whoWrote(said: Said, { author }: Texts): string {
  const { submitted, text } = said.writers;
  const share = shareIn(said);
  if (share === undefined) return author[text ?? "unknown"];
  return author.added(share, submitted && author[submitted]);
}

/** Says the same for a dialog's row, which has no room for all of it. */
export function whoWroteInRow(said: Said, { author, pageQuestion }: Texts): string {
  const share = shareIn(said);
  return share === undefined ? author[said.writers.text ?? "unknown"] : pageQuestion.added(share);
}
