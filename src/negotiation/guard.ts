import { isLeftToBackend } from "./plan/next.ts";
import { marginMs, type Policy } from "./plan/times.ts";
import type { Stage } from "./stage.ts";

/** What a negotiation comes to if nobody decides. Pure. */
export interface Silence {
  of: "silence";
  /**
   * With `withdrawn` a running program withdraws it in time, and with `broadcast` it is left to the backend. With
   * `unguarded` the backend broadcasts it as well, because no program of this person's watches it.
   */
  as: "withdrawn" | "broadcast" | "unguarded";
  /** When that happens, in ms since the epoch. It is undefined if no deadline is known. */
  at: number | undefined;
}

/** Who answers for a negotiation, and what its silence comes to. */
export interface Guard {
  /** Whether a running program answers for it, which withdraws what is undecided and sends what is decided. */
  isWatched: boolean;
  silence: Silence;
}

interface GuardInput {
  isWatched: boolean;
  policy: Policy;
  /** The deadline as it is measured, in ms since the epoch. Without it the written one counts. */
  endsAt?: number | undefined;
}

/** Says what follows from a deadline; everything that shows a deadline asks here. */
export function guardOf(stage: Stage, { isWatched, policy, endsAt = stage.deadlineAt }: GuardInput): Guard {
  const as = isLeftToBackend(stage, policy) ? "broadcast" : isWatched ? "withdrawn" : "unguarded";
  const at = endsAt === undefined || as !== "withdrawn" ? endsAt : endsAt - marginMs(policy);
  return { isWatched, silence: { of: "silence", as, at } };
}
