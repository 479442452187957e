import type { PlanInput } from "./step.ts";
import { TIMES } from "./times.ts";

/**
 * Whether a backend that says "not found" is believed: after a minute, and when nothing can go out any more.
 * One of several workers may not know what another is about to broadcast.
 */
export const isNotFoundBelieved = ({ notFoundMs = 0, leftAtMostMs = 0 }: PlanInput): boolean =>
  notFoundMs >= TIMES.notFoundBelievedMs && leftAtMostMs <= 0;
