import type { RoomDemand } from "../room-state.ts";

/** The backend has shown nothing of it yet, and has not said either that it knows nothing of it. */
export const isAwaited = ({ negotiation, stage, refusal }: RoomDemand): boolean =>
  negotiation === undefined && stage.name !== "not_found" && refusal === undefined;

/**
 * And where it stands is not known without that: what is written down may be old. A demand that is being formulated, or
 * withdrawn, is as it is written.
 */
export const isUnread = (demand: RoomDemand): boolean =>
  isAwaited(demand) &&
  ["asking", "confirming", "moving", "over"].includes(demand.stage.name) &&
  (demand.said.ending ?? "ended") === "ended";
