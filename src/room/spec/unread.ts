import type { RoomDemand } from "../room-state.ts";

/** Returns whether the backend has neither shown the demand yet, nor refused to show it, nor lost it. */
export const isAwaited = ({ negotiation, stage, refusal }: RoomDemand): boolean =>
  negotiation === undefined && stage.name !== "not_found" && refusal === undefined;

/**
 * Returns whether nothing reliable is known of an awaited demand, because what this machine has written down may be
 * old. A demand that is being formulated or withdrawn, or that has a more exact ending than `ended`, is known well
 * enough.
 */
export const isUnread = (demand: RoomDemand): boolean =>
  isAwaited(demand) &&
  ["asking", "confirming", "moving", "over"].includes(demand.stage.name) &&
  (demand.said.ending ?? "ended") === "ended";
