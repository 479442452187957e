import type { RoomDemand } from "../room-state.ts";

/** Returns whether the backend has not shown the demand yet, and has not refused to. */
export const isAwaited = ({ negotiation, stage, refusal }: RoomDemand): boolean =>
  negotiation === undefined && stage.name !== "not_found" && refusal === undefined;

/**
 * Returns whether nothing reliable is known of an awaited demand, because what is written down may be old. A demand that
 * is being formulated or withdrawn is known from what is written.
 */
export const isUnread = (demand: RoomDemand): boolean =>
  isAwaited(demand) &&
  ["asking", "confirming", "moving", "over"].includes(demand.stage.name) &&
  (demand.said.ending ?? "ended") === "ended";
