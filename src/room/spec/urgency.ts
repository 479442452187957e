import type { RoomDemand, RoomState } from "../room-state.ts";
import type { Section } from "../ui-spec-schema.ts";
import type { Drawing } from "./drawing.ts";

/** From this many ms before the deadline, the bar says that time runs short. */
const LATE_MS = 60_000;
export const LAST_MS = 10_000;

export type Urgency = Section<"bar">["urgency"];

/** Returns how near the deadline is, or `sent` once a decision is on its way. */
export function urgencyOf({ state, now }: Pick<Drawing, "state" | "now">): Urgency {
  const { demand, busy } = state;
  if (demand !== undefined && (isSending({ busy }, demand) || isWithdrawing({ busy }, demand))) return "sent";
  const decideBy = demand?.question?.silence.at;
  if (decideBy === undefined) return "calm";
  if (decideBy <= now) return "passed";
  return decideBy - now <= LATE_MS ? "late" : "calm";
}

type Deciding = Pick<RoomState, "busy">;
type Staged = Pick<RoomDemand, "stage">;
/** Returns whether a yes is on its way. */
export const isSending = ({ busy }: Deciding, { stage }: Staged): boolean =>
  busy === "broadcasting" || stage.name === "confirming";
/** Returns whether a no is on its way, or its outcome is not yet written down. */
export const isWithdrawing = ({ busy }: Deciding, demand: Pick<RoomDemand, "stage" | "said">): boolean =>
  busy === "withdrawing" || isBeingWithdrawn(demand);
export const isBeingWithdrawn = ({ stage, said }: Pick<RoomDemand, "stage" | "said">): boolean =>
  stage.name === "cancelling" || said.isBeingWithdrawn;

/**
 * Returns a key of how near the deadline is. If the key changes, the screen must be drawn again although the state is
 * the same.
 */
export const urgencyAt = (state: RoomState, now: number): string =>
  `${urgencyOf({ state, now })} ${(state.demand?.question?.silence.at ?? Infinity) - now <= LAST_MS}`;
