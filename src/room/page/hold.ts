import type { UiSpec } from "../ui-spec-schema.ts";
import { coveredAtEnd } from "./measure.ts";
import { current, updateStore } from "./store.ts";

/** How long the buttons that send cannot be pressed after a text has appeared or its end was seen, in ms. */
const HOLD_MS = 600;

let endOfNew: ReturnType<typeof setTimeout> | undefined;

/**
 * Disables the buttons of a new stage for a moment, because a second click or a key held down was meant for the stage
 * before.
 */
export function holdNewStage(): void {
  updateStore({ isNewStage: true });
  clearTimeout(endOfNew);
  endOfNew = setTimeout(() => updateStore({ isNewStage: false }), HOLD_MS);
}

/** The text that the page asks about. `text` is what would be sent, and `shown` is all that the page has shown of it. */
interface Asked {
  text: string;
  shown: string;
}

let asked: Asked = { text: "", shown: "" };
let releaseTimer: ReturnType<typeof setTimeout> | undefined;
let stopObserving = () => {};
/** The ids of this text's ends that have been in the window. */
const seen = new Set<string | undefined>();

/** Returns the number of an outside agent's latest change of a profile or demand, as a button carries it. */
const seenIn = (sections: UiSpec["sections"]): string | undefined =>
  sections.flatMap((section) => ("actions" in section ? section.actions : [])).find(({ params }) => "seen" in params)
    ?.params.seen;

/**
 * Disables the buttons that send whenever the text has changed, until its end has been in the window and a moment longer
 * (contract §10). If `isOwn`, the person has just changed the text, so the buttons are disabled only for words that they
 * have not seen.
 */
export function holdUnseen({ sections }: UiSpec, isOwn: boolean): void {
  const sheet = sections.find((section) => section.kind === "sheet");
  const text = sheet?.outgoing ?? seenIn(sections) ?? "";
  if (text === asked.text) return;
  const before = asked;
  const passages = sheet?.passages ?? [];
  asked = { text, shown: passages.map((passage) => passage.text).join("") };
  if (text === "") {
    release();
    return;
  }
  const isKnown = passages.every((passage) => passage.by === "edit" || before.shown.includes(passage.text));
  if (isOwn && before.text !== "" && isKnown) return;
  hold();
  observeEnds();
}

/**
 * Observes elements. Calls `meet` after each look with the elements that the person can see, even if there are none.
 * Returns a function that stops.
 */
export type Observe = (elements: readonly HTMLElement[], meet: (met: readonly HTMLElement[]) => void) => () => void;

/** In a page with its own window, whatever is in the window above the bar counts as seen. */
let observe: Observe = (elements, meet) => {
  const observer = new IntersectionObserver(
    (entries) => meet(entries.filter((it) => it.isIntersecting).map((it) => it.target as HTMLElement)),
    { rootMargin: `0px 0px -${coveredAtEnd()}px 0px` },
  );
  for (const element of elements) observer.observe(element);
  return () => observer.disconnect();
};

/** Replaces how the page learns what is visible, because a page embedded in a client does not know what its window shows. */
export function observeBy(other: Observe): void {
  observe = other;
}

/**
 * Observes which ends of what is asked come into the window above the bar, and holds the buttons that send if an end is new.
 * Call it again after the page has been drawn anew, or the page or the bar changes size.
 */
export function observeEnds(): void {
  setTimeout(() => {
    // Runs only after the page has been drawn.
    if (!current().isTextHeld && (asked.text === "" || !hasUnseen())) return;
    updateStore({ isTextHeld: true });
    stopObserving();
    stopObserving = observe(ends(), (met) => {
      for (const { dataset } of met) seen.add(dataset.end);
      settle();
    });
    if (ends().length === 0) settle();
  });
}

let isSteady = true;

/** Sets whether the page lies still in the person's sight. While it does not, the buttons that send are disabled. */
export function setSteady(now: boolean): void {
  if (now === isSteady) return;
  isSteady = now;
  if (asked.text === "") return;
  stopRelease();
  updateStore({ isTextHeld: true });
  if (now) observeEnds();
}

/** Scrolls to the first end of the text that has not been seen. */
export function showMore(): void {
  const next = ends().find((end) => !seen.has(end.dataset.end));
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: "end" });
}

const ends = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>("[data-end]")];

const hasUnseen = (): boolean => ends().some((end) => !seen.has(end.dataset.end));

function settle(): void {
  const hasMore = hasUnseen();
  if (hasMore !== current().hasMore) updateStore({ hasMore });
  if (hasMore) stopRelease();
  else if (isSteady) releaseTimer ??= setTimeout(release, HOLD_MS);
}

function stopRelease(): void {
  clearTimeout(releaseTimer);
  releaseTimer = undefined;
}

function hold(): void {
  stop();
  seen.clear();
  updateStore({ isTextHeld: true });
}

function release(): void {
  stop();
  updateStore({ isTextHeld: false, hasMore: false });
}

/** Stops the timer and the observer of the previous text. */
function stop(): void {
  stopRelease();
  stopObserving();
}
