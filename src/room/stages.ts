import { isOnItsWay } from "../view/course.ts";
import type { RoomStage, RoomState } from "./room-state.ts";

/** Decides at which stage a room stands, for the page and for an agent alike. Pure. */
export function stageOf({ demand, place }: Pick<RoomState, "demand" | "place">): RoomStage {
  if (demand === undefined) return place;
  if (demand.said.ending !== undefined) return "done";
  return isOnItsWay(demand.said) ? "negotiating" : "decision";
}

/** Returns whether the screen changes by itself, so that a page without a script has to load again to see it. */
export function isMoving(state: RoomState): boolean {
  const { demand, scenes, place, history, busy } = state;
  if (busy !== undefined) return true; // a second click may be answered before the first has had its effect
  if (history !== undefined) return history.some(({ answer }) => answer === "awaited");
  if (demand === undefined) return place === "scene" && scenes.state === "loading";
  if (demand.negotiation === undefined) return demand.stage.name !== "not_found";
  if (demand.said.isBeingWithdrawn) return true;
  return ["formulating", "confirming", "cancelling", "moving"].includes(demand.stage.name);
}
