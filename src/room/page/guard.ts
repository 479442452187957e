import type { UiSpec } from "../ui-spec-schema.ts";
import { change } from "./store.ts";

/** How long after a text appeared, or changed under the person, what sends it cannot be clicked. */
const GUARD_MS = 600;

let endOfNew: ReturnType<typeof setTimeout> | undefined;

/** A second click, or a key that is held down, is meant for the stage before: nothing of this one is where it lands. */
export function holdNewStage(): void {
  change({ isNewStage: true });
  clearTimeout(endOfNew);
  endOfNew = setTimeout(() => change({ isNewStage: false }), GUARD_MS);
}

/** What was last guarded. */
let guarded = "";
let end: ReturnType<typeof setTimeout> | undefined;

/** What an outside agent's latest change of a profile or a demand goes by. */
const seenIn = (sections: UiSpec["sections"]): string | undefined =>
  sections.flatMap((section) => ("actions" in section ? section.actions : [])).find(({ params }) => "seen" in params)
    ?.params.seen;

/** Holds for a moment what sends, where another text is shown than before. `isOwn`: the person has just changed it. */
export function guard({ sections }: UiSpec, isOwn: boolean): void {
  const sheet = sections.find((section) => section.kind === "sheet");
  const text = sheet?.outgoing ?? seenIn(sections) ?? "";
  if (text === guarded) return;
  const isFirst = guarded === "";
  guarded = text;
  if (text === "" || (isOwn && !isFirst)) return;
  change({ isGuarded: true });
  clearTimeout(end);
  end = setTimeout(() => change({ isGuarded: false }), GUARD_MS);
}
