import type { Format } from "./format.ts";
import { hasSucceeded } from "./steps.ts";
import type { View } from "./view.ts";

/** What the person can do when it is over; undefined while it is not. Every ending has one. */
export function nextStep({ id, negotiation: n, stage }: View, { texts }: Pick<Format, "texts">): string | undefined {
  const { next } = texts;
  if (n?.state !== "completed") return stage.name === "not_found" ? next.gone : undefined;
  if (hasSucceeded(n)) return next.plan(id);
  if (n.plan_output !== null) return n.participants.length === 0 ? next.noResonance : next.allLeft;
  const { decision } = stage;
  if (decision?.kind === "reject" || decision?.kind === "cancel" || decision?.kind === "withdraw") return next.stopped;
  return next.failed;
}
