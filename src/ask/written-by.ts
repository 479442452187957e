import { formulatedText } from "../negotiation/backend-states.ts";
import type { Says } from "../negotiation/says.ts";
import type { Texts } from "../text/index.ts";
import { networksText } from "../view/text.ts";

type Said = Pick<Says, "negotiation" | "writers">;

/** The network's share of what it made of a demand, in per cent; undefined where it made nothing, or all of it. */
function shareIn({ negotiation, writers }: Said): number | undefined {
  if (writers.text !== "network" || negotiation === undefined) return undefined;
  const { share, isCompared } = networksText(negotiation.demand_raw, formulatedText(negotiation));
  return isCompared && share < 100 ? share : undefined;
}

/** Who wrote the text, and how much of it the network added, in one sentence without its stop. */
export function whoWrote(said: Said, { author }: Texts): string {
  const { submitted, text } = said.writers;
  const share = shareIn(said);
  if (share === undefined) return author[text ?? "unknown"];
  return author.added(share, submitted && author[submitted]);
}

/** The same for a row of a dialog that has no room for all of it. */
export function whoWroteInRow(said: Said, { author, pageQuestion }: Texts): string {
  const share = shareIn(said);
  return share === undefined ? author[said.writers.text ?? "unknown"] : pageQuestion.added(share);
}
