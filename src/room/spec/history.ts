import type { SectionSpec } from "../ui-spec-schema.ts";
import { button, type Drawing } from "./drawing.ts";

/** Own demands of this machine; their texts are at the backend, and shown when one is opened. */
export function historySections(drawing: Drawing): SectionSpec[] {
  const { state, say, dayAndTime } = drawing;
  const entries = state.history ?? [];
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
      actions: [button(drawing, "closeHistory", say.history.back, { tone: "quiet" })],
    },
  ];
}
