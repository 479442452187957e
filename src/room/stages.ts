import { isOnItsWay } from "../view/course.ts";
import type { RoomStage, RoomState } from "./room-state.ts";

/** The one reading of where a room stands. Pure: the same state gives the same stage to the page and to an agent. */
export function stageOf({ demand, place }: Pick<RoomState, "demand" | "place">): RoomStage {
  if (demand === undefined) return place;
  if (demand.said.ending !== undefined) return "done";
  return isOnItsWay(demand.said) ? "negotiating" : "decision";
}

/** Whether what is shown changes by itself: without a script, a page has to be loaded again to see it. */
export function isMoving(state: RoomState): boolean {
  const { demand, scenes, place, history, busy } = state;
  if (busy !== undefined) return true; // a second click may be answered before the first has had its effect
  if (history !== undefined) return history.some(({ answer }) => answer === "awaited");
  if (demand === undefined) return place === "scene" && scenes.state === "loading";
  if (demand.negotiation === undefined) return demand.stage.name !== "not_found";
  if (demand.said.isBeingWithdrawn) return true;
  return ["formulating", "confirming", "cancelling", "moving"].includes(demand.stage.name);
}
