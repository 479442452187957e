import { MAX_HISTORY } from "../room-state.ts";
import type { SectionSpec } from "../ui-spec-schema.ts";
import { deadlineSections } from "./decision.ts";
import { button, type Drawing } from "./drawing.ts";

/** Own demands of this machine; their texts are at the backend, and shown when one is opened. */
export function historySections(drawing: Drawing): SectionSpec[] {
  const { state, say, stage, dayAndTime } = drawing;
  const { demand } = state;
  // Its end is known here; that it is written down may take a moment.
  const isSeenOver = (id: string) => id === demand?.id && stage === "done";
  const entries = (state.history ?? []).map((entry) => (isSeenOver(entry.id) ? { ...entry, isOver: true } : entry));
  return [
    {
      kind: "list",
      id: "history",
      items: entries.map(({ id, at, isOver }) => ({
        id,
        title: dayAndTime(at),
        detail: id,
        ...(!isOver && { mark: say.history.running }),
        selected: id === state.demand?.id,
        actions: [button(drawing, "openDemand", say.history.open, { params: { itemId: id }, about: dayAndTime(at) })],
      })),
      ...(entries.length === 0 && { empty: say.history.none }),
      ...(entries.length === MAX_HISTORY && { note: say.history.newest(MAX_HISTORY) }),
      actions: [button(drawing, "closeHistory", say.history.back, { tone: "quiet" })],
    },
    // A text that waits goes on waiting, and its time goes on.
    ...(demand !== undefined && stage === "decision" ? deadlineSections(drawing, demand) : []),
  ];
}
