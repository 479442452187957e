import type { UiSpec } from "../ui-spec-schema.ts";
import { change } from "./store.ts";

/** How long after a text appeared, or changed under the person, its broadcast cannot be clicked. */
const GUARD_MS = 600;

/** The text whose broadcast was last guarded. */
let guarded = "";
let end: ReturnType<typeof setTimeout> | undefined;

/** Holds the broadcast for a moment where another text is shown than before. `isOwn`: the person has just changed it. */
export function guard({ sections }: UiSpec, isOwn: boolean): void {
  const sheet = sections.find((section) => section.kind === "sheet");
  const text = sheet?.outgoing ?? "";
  if (text === guarded) return;
  const isFirst = guarded === "";
  guarded = text;
  if (text === "" || (isOwn && !isFirst)) return;
  change({ isGuarded: true });
  clearTimeout(end);
  end = setTimeout(() => change({ isGuarded: false }), GUARD_MS);
}
