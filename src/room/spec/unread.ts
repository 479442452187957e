import type { RoomDemand } from "../room-state.ts";

/** Returns whether the backend has shown nothing of it yet, without saying that it does not know it. */
export const isAwaited = ({ negotiation, stage, refusal }: RoomDemand): boolean =>
  negotiation === undefined && stage.name !== "not_found" && refusal === undefined;

/**
 * Also requires that its state is unknown without that, since what is written down may be old. A demand that is being
 * formulated, or withdrawn, is as it is written.
 */
export const isUnread = (demand: RoomDemand): boolean =>
  isAwaited(demand) &&
  ["asking", "confirming", "moving", "over"].includes(demand.stage.name) &&
  (demand.said.ending ?? "ended") === "ended";
