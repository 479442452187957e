import type { Facts } from "../negotiation/facts.ts";
import type { Moment } from "./dossier.ts";

/**
 * What this user's programs wrote down about a negotiation, in the order in which it happened. A decision that was
 * without effect is left out: it changed nothing.
 */
export function momentsOf({ submitted, asked, decided, undone, outcomes }: Facts): Moment[] {
  const moments: Moment[] = [];
  if (submitted !== undefined) moments.push({ at: submitted.at, what: "submitted" });
  const first = asked[0];
  if (first !== undefined) moments.push({ at: first.at, what: "asked" });
  for (const [index, fact] of decided.entries())
    if (fact !== undefined && !undone.has(index + 1)) moments.push({ at: fact.at, what: fact.kind, by: fact.by });
  for (const { at, kind } of outcomes.values()) {
    if (kind === "moved" || kind === "confirmed") moments.push({ at, what: "moved" });
    if (kind === "ended" || kind === "cancelled") moments.push({ at, what: "ended" });
  }
  return moments.sort((a, b) => a.at - b.at);
}
