import type { Format } from "./format.ts";
import type { View } from "./view.ts";

/** What the person can do when it is over; undefined while it is not. Every ending has one. */
export function nextStep({ id, said: { ending } }: View, { texts }: Pick<Format, "texts">): string | undefined {
  const { next } = texts;
  switch (ending) {
    case undefined:
      return undefined;
    case "plan":
      return next.plan(id);
    case "no_resonance":
      return next.noResonance;
    case "not_compared":
      return next.notCompared;
    case "empty_scene":
    case "no_participants":
      return next.emptyScene;
    case "all_left":
    case "no_offers":
      return next.allLeft;
    case "not_found":
      return next.gone;
    case "failed":
    case "empty_plan":
    case "ended":
      return next.failed;
    default:
      return next.stopped;
  }
}
