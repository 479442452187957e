import { effect } from "@preact/signals";
import type { UiSpec } from "../ui-spec-schema.ts";
import { encoded } from "./encoded.ts";
import { sectionOf } from "./sections.ts";
import { send } from "./sending.ts";
import { current } from "./store.ts";

const BEFORE = ["scene", "profile", "demand"] as const;
/** A place to which the browser's Back may lead. After the demand there is only one, because no submission is taken back. */
type Place = (typeof BEFORE)[number] | "history" | "submitted";

const indexOf = (place: string | undefined): number => (BEFORE as readonly unknown[]).indexOf(place);

function placeOf(spec: UiSpec): Place {
  if (sectionOf(spec, "list", "history") !== undefined) return "history";
  return BEFORE.find((one) => one === spec.stage) ?? "submitted";
}

/** Returns the places of a history entry: those of all entries before it, with its own at the end. */
const trailAt = (entry: unknown): Place[] => (entry as { trail?: Place[] } | null)?.trail ?? [];

/**
 * Makes the browser's Back and Forward press the page's own buttons to the neighbouring place. If there is no such
 * button, the page stays. The page itself never goes back, so a button that does not lead onward overwrites the current
 * entry.
 */
export function goBackWithin(): void {
  let trail = trailAt(history.state);
  /** True while a press of Back or Forward is carried out, which writes no new entry. */
  let isGoing = false;
  const write = (place: Place): void => {
    trail = [...trail.slice(0, -1), place];
    history.replaceState({ trail }, "");
  };
  const stayHere = (): void => write(placeOf(current().spec));
  stayHere();

  addEventListener("popstate", ({ state }) => {
    const next = trailAt(state);
    const what = wayTo(current().spec, next.at(-1), next.length < trail.length);
    trail = next;
    if (what === undefined) return stayHere();
    isGoing = true;
    void send(what).finally(() => {
      isGoing = false;
      stayHere();
    });
  });

  effect(() => {
    const place = placeOf(current().spec);
    const before = trail.at(-1);
    if (isGoing || place === before) return;
    // If Back would lead to the same place twice, the second entry can be reused.
    if (!isOnward(before, place) || trail.at(-2) === before) return write(place);
    trail = [...trail, place];
    history.pushState({ trail }, "");
  });
}

const isOnward = (from: Place | undefined, to: Place): boolean =>
  to === "history" || (indexOf(from) >= 0 && indexOf(to) > indexOf(from));

/** Returns the button that leads to a place, or to one on the way there. */
function wayTo(spec: UiSpec, to: Place | undefined, isBack: boolean): string | undefined {
  const { menu, sections } = spec;
  const from = placeOf(spec);
  const actions = [...menu, ...sections.flatMap((section) => ("actions" in section ? section.actions : []))];
  const buttonOf = (tool: string) => {
    const action = actions.find(({ toolName, enabled }) => toolName === tool && enabled);
    return action && encoded(action);
  };
  if (to === undefined || to === from) return undefined;
  if (to === "history") return buttonOf("openHistory");
  if (from === "history") return buttonOf("closeHistory");
  if (isBack) return isOnward(to, from) ? buttonOf("prev") : undefined;
  // The button that leads on from the scenes sends nothing. The one on a profile would send it.
  return from === "scene" && isOnward(from, to) ? buttonOf("next") : undefined;
}
