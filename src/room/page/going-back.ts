import { effect } from "@preact/signals";
import type { UiSpec } from "../ui-spec-schema.ts";
import { encoded } from "./encoded.ts";
import { sectionOf } from "./sections.ts";
import { send } from "./sending.ts";
import { current } from "./store.ts";

const BEFORE = ["scene", "profile", "demand"] as const;
/** Behind the demand there is one place, whatever the negotiation does there: nothing that was submitted is taken back. */
type Place = (typeof BEFORE)[number] | "history" | "submitted";

const indexOf = (place: string | undefined): number => (BEFORE as readonly unknown[]).indexOf(place);

function placeOf(spec: UiSpec): Place {
  if (sectionOf(spec, "list", "history") !== undefined) return "history";
  return BEFORE.find((one) => one === spec.stage) ?? "submitted";
}

/** Each entry of the browser's history holds the places of those before it, and its own at the end. */
const trailAt = (entry: unknown): Place[] => (entry as { trail?: Place[] } | null)?.trail ?? [];

/**
 * The browser's Back and Forward lead to the place beside, by the page's own buttons; without one they stay. The page itself
 * never goes back: a button that leads anywhere but onward writes over the entry that is shown.
 */
export function goBackWithin(): void {
  let trail = trailAt(history.state);
  /** Back or forward has been pressed: what its button does writes no new entry. */
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
    // Where Back would lead to the same place twice, the second entry is free.
    if (!isOnward(before, place) || trail.at(-2) === before) return write(place);
    trail = [...trail, place];
    history.pushState({ trail }, "");
  });
}

const isOnward = (from: Place | undefined, to: Place): boolean =>
  to === "history" || (indexOf(from) >= 0 && indexOf(to) > indexOf(from));

/** The button of the page that shows that place, or one on the way to it. */
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
  // The way on from the scenes sends nothing; from a profile it would.
  return from === "scene" && isOnward(from, to) ? buttonOf("next") : undefined;
}
