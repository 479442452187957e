import { effect, untracked } from "@preact/signals";
import type { UiSpec } from "../ui-spec-schema.ts";
import { encoded } from "./encoded.ts";
import { sectionOf } from "./sections.ts";
import { send } from "./sending.ts";
import { current } from "./store.ts";

const BEFORE = ["scene", "profile", "demand"] as const;
/** Behind the demand there is one place, whatever the negotiation does there: nothing that was submitted is taken back. */
type Place = (typeof BEFORE)[number] | "history" | "submitted";

const isBefore = (place: string): place is (typeof BEFORE)[number] => (BEFORE as readonly string[]).includes(place);

function placeOf(spec: UiSpec): Place {
  if (sectionOf(spec, "list", "history") !== undefined) return "history";
  return isBefore(spec.stage) ? spec.stage : "submitted";
}

/** The places behind the one that is shown, and itself: each entry of the browser's history holds those up to it. */
const trailAt = (entry: unknown): Place[] => (entry as { trail?: Place[] } | null)?.trail ?? [];
const write = (trail: Place[]): void => history.replaceState({ trail }, "");

/** The browser's Back and Forward lead to the place beside, by the page's own buttons; without one they stay. */
export function goBackWithin(): void {
  let shown = placeOf(current().spec);
  /** Back or forward has been pressed, or the history is made to follow a button: the next change writes no new entry. */
  let isGoing = false;
  let follow: (() => void) | undefined;
  if (trailAt(history.state).at(-1) !== shown) write([shown]);

  addEventListener("popstate", ({ state }) => {
    if (follow !== undefined) {
      follow();
      follow = undefined;
      return;
    }
    const target = trailAt(state).at(-1);
    const what = target === undefined || target === shown ? undefined : wayTo(current().spec, shown, target);
    if (what === undefined) return stayHere();
    isGoing = true;
    void send(what).finally(() => {
      isGoing = false;
      stayHere();
    });
  });

  const stayHere = (): void => write([...trailAt(history.state).slice(0, -1), shown]);

  effect(() => {
    const place = placeOf(current().spec);
    if (place === shown) return;
    const before = shown;
    shown = place;
    if (isGoing) return;
    untracked(() => {
      const trail = trailAt(history.state);
      // What was submitted is left for a new demand: no button leads back to it.
      if (before === "submitted" && isBefore(place)) return write([...trail.slice(0, -1), place]);
      const known = place === "submitted" && before !== "history" ? 0 : trail.lastIndexOf(place);
      if (known < 0) return history.pushState({ trail: [...trail, place] }, "");
      // A button has led back, or a demand is submitted: its places are no more behind it.
      follow = () => write([...trail.slice(0, known), place]);
      if (known < trail.length - 1) return history.go(known - (trail.length - 1));
      follow();
      follow = undefined;
    });
  });
}

/** The button of the page that shows that place, or one on the way to it. */
function wayTo({ menu, sections }: UiSpec, from: Place, to: Place): string | undefined {
  const actions = [...menu, ...sections.flatMap((section) => ("actions" in section ? section.actions : []))];
  const buttonOf = (tool: string) => {
    const action = actions.find(({ toolName, enabled }) => toolName === tool && enabled);
    return action && encoded(action);
  };
  if (to === "history") return buttonOf("openHistory");
  if (from === "history") return (isBefore(to) ? buttonOf("restart") : undefined) ?? buttonOf("closeHistory");
  // The way on from the scenes sends nothing; from a profile it would.
  if (from === "scene" && isBefore(to)) return buttonOf("next");
  const isBehind = isBefore(from) && isBefore(to) && BEFORE.indexOf(to) < BEFORE.indexOf(from);
  return isBehind ? buttonOf("prev") : undefined;
}
