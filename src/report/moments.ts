import type { Facts } from "../negotiation/facts.ts";
import type { Says } from "../negotiation/says.ts";
import type { Moment } from "./dossier.ts";

/**
 * What happened to a negotiation, as far as it is written down, in its order. A decision that was taken back is left out;
 * one of the person's that came too late is not.
 */
export function momentsOf(
  { submitted, asked, decided, undone, out, outcomes }: Facts,
  said: Says,
  observedAt: number,
): Moment[] {
  const moments: Moment[] = [];
  if (submitted !== undefined) moments.push({ at: submitted.at, what: "submitted" });
  const first = asked[0];
  if (first !== undefined) moments.push({ at: first.at, what: "asked" });
  for (const [index, fact] of decided.entries()) {
    const why = undone.get(index + 1)?.why;
    const isLate = why === "too_late" || isBelied(index + 1, said);
    if (fact === undefined || (why !== undefined && why !== "too_late") || (isLate && fact.kind === "withdraw"))
      continue;
    moments.push({ at: fact.at, what: fact.kind, by: fact.by, ...(isLate && { isLate: true }) });
  }
  const moved = [...outcomes.values()].find(({ kind }) => kind === "moved" || kind === "confirmed")?.at;
  const seenOut = out?.at ?? moved ?? (said.broadcast && observedAt);
  // What was stopped before anybody was asked went to nobody.
  if (seenOut !== undefined && said.reach !== "nobody_asked") moments.push({ at: seenOut, what: "moved" });
  for (const { at, kind } of outcomes.values())
    if (kind === "ended" || kind === "cancelled") moments.push({ at, what: "ended" });
  return moments.sort((a, b) => a.at - b.at);
}

/** Whether what was seen shows that a decision that stands had no effect. */
function isBelied(number: number, { stage, told, broadcast }: Says): boolean {
  const isOvertaken = broadcast === "backend" || broadcast === "others";
  if (stage.yes?.number === number) return isOvertaken;
  if (stage.decision?.number !== number) return false;
  return told.as !== stage.decision.kind && told.as !== `${stage.decision.kind}_pending`;
}
