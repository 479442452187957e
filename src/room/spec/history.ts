import { kindOf } from "../../negotiation/outline.ts";
import { groupOf } from "../../view/course.ts";
import { type HistoryEntry, MAX_HISTORY, type RoomDemand } from "../room-state.ts";
import type { SectionSpec } from "../ui-spec-schema.ts";
import { deadlineWithoutDecision } from "./decision.ts";
import { button, type Drawing } from "./drawing.ts";

/** Lists this machine's own demands, as `towow-mcp list` does. */
export function historySections(drawing: Drawing): SectionSpec[] {
  const { state, say, stage } = drawing;
  const { demand } = state;
  const entries = (state.history ?? []).map((entry) => (entry.id === demand?.id ? newer(entry, demand) : entry));
  return [
    {
      kind: "list",
      id: "history",
      items: entries.map((entry) => itemOf(entry, drawing)),
      ...(entries.length === 0 && { empty: say.history.none }),
      ...(entries.length === MAX_HISTORY && { note: say.history.newest(MAX_HISTORY) }),
      actions: [button(drawing, "closeHistory", say.history.back, { tone: "quiet" })],
    },
    // A text that waits for a decision keeps waiting while the list is open, and its time runs.
    ...(demand !== undefined && stage === "decision" ? deadlineWithoutDecision(drawing, demand) : []),
  ];
}

/** Updates the entry of the room's own demand, which the room goes on reading while the list is shown. */
function newer(entry: HistoryEntry, { said, negotiation }: RoomDemand): HistoryEntry {
  if (negotiation === undefined) return entry;
  return { ...entry, kind: kindOf(said), ending: said.ending, isUnwanted: said.isUnwanted, answer: "read" };
}

function itemOf(entry: HistoryEntry, drawing: Drawing) {
  const { state, say, dayAndTime } = drawing;
  const { id, at, sceneId, text = "" } = entry;
  const scene = state.scenes.items.find((one) => one.id === sceneId)?.name || sceneId;
  const time = dayAndTime(at);
  // If the backend has not shown the text, the scene names the row, because a time alone names nothing.
  const title = text === "" ? say.history.demand(scene) : text;
  const detail = [text !== "" && scene, time].filter(Boolean).join(" · ");
  return {
    id,
    title,
    detail,
    mark: markOf(entry, drawing),
    selected: id === state.demand?.id,
    actions: [
      button(drawing, "openDemand", say.history.open, {
        params: { itemId: id },
        about: text === "" ? `${title}, ${time}` : title,
      }),
    ],
  };
}

/** Says how a demand ended or where it stands. Until the backend has answered, what is written on this machine may be old. */
function markOf({ ending, kind, isUnwanted, answer }: HistoryEntry, { say }: Drawing): string {
  const { history, done } = say;
  if (ending !== undefined) {
    const name = groupOf(ending);
    const end = name === "plan" ? history.plan : name === "notFound" ? history.gone : done[name];
    return isUnwanted ? `${end} · ${history.unwanted}` : end;
  }
  if (answer !== "read") return answer === "awaited" ? history.reading : history.unanswered;
  return kind === "waiting" ? history.waiting : history.moving;
}
