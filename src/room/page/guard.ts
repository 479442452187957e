import type { UiSpec } from "../ui-spec-schema.ts";
import { coveredAtEnd } from "./measure.ts";
import { change, current } from "./store.ts";

/** How long after a text appeared, or its end was seen, what sends it cannot be clicked. */
const GUARD_MS = 600;

let endOfNew: ReturnType<typeof setTimeout> | undefined;

/** A second click, or a key that is held down, is meant for the stage before: nothing of this one is where it lands. */
export function holdNewStage(): void {
  change({ isNewStage: true });
  clearTimeout(endOfNew);
  endOfNew = setTimeout(() => change({ isNewStage: false }), GUARD_MS);
}

/** What is asked about: as it would go out, and all that the page has shown of it. */
interface Asked {
  text: string;
  shown: string;
}

let guarded: Asked = { text: "", shown: "" };
let release: ReturnType<typeof setTimeout> | undefined;
let stopWatching = () => {};
/** The ends of this text that have been in the window. */
const seen = new Set<string | undefined>();

/** What an outside agent's latest change of a profile or a demand goes by. */
const seenIn = (sections: UiSpec["sections"]): string | undefined =>
  sections.flatMap((section) => ("actions" in section ? section.actions : [])).find(({ params }) => "seen" in params)
    ?.params.seen;

/**
 * Holds what sends, where another text is shown than before: until its end has been in the window, and for a moment from
 * then on (contract §10). `isOwn`: the person has just changed it; what they have not seen before is new all the same.
 */
export function guard({ sections }: UiSpec, isOwn: boolean): void {
  const sheet = sections.find((section) => section.kind === "sheet");
  const text = sheet?.outgoing ?? seenIn(sections) ?? "";
  if (text === guarded.text) return;
  const before = guarded;
  const passages = sheet?.passages ?? [];
  guarded = { text, shown: passages.map((passage) => passage.text).join("") };
  if (text === "") {
    unguard();
    return;
  }
  const isKnown = passages.every((passage) => passage.by === "edit" || before.shown.includes(passage.text));
  if (isOwn && before.text !== "" && isKnown) return;
  hold();
  watchEnds();
}

/** Looks which of these stand before the person, and tells of them at each look, if of none. Gives what ends that. */
export type Watch = (elements: readonly HTMLElement[], meet: (met: readonly HTMLElement[]) => void) => () => void;

/** In a page with a window of its own, what is in the window, above the bar, has been seen. */
let watch: Watch = (elements, meet) => {
  const observer = new IntersectionObserver(
    (entries) => meet(entries.filter((it) => it.isIntersecting).map((it) => it.target as HTMLElement)),
    { rootMargin: `0px 0px -${coveredAtEnd()}px 0px` },
  );
  for (const element of elements) observer.observe(element);
  return () => observer.disconnect();
};

/** Looks in another way, for a page that stands in somebody else's: its own window says too little there. */
export function watchBy(other: Watch): void {
  watch = other;
}

/** Looks which ends of the text are in the window, above the bar; anew where the page or its bar has another size. */
export function watchEnds(): void {
  if (!current().isGuarded) return;
  setTimeout(() => {
    // Behind the drawing.
    stopWatching();
    stopWatching = watch(ends(), (met) => {
      for (const { dataset } of met) seen.add(dataset.end);
      settle();
    });
    if (ends().length === 0) settle();
  });
}

let isSteady = true;

/** Takes whether the page stands still, and before its person, by now. Until it does, what sends is held. */
export function setSteady(now: boolean): void {
  if (now === isSteady) return;
  isSteady = now;
  if (guarded.text === "") return;
  clearTimeout(release);
  release = undefined;
  change({ isGuarded: true });
  if (now) watchEnds();
}

/** Leads to where the text goes on: its end, or the next one that has not been seen. */
export function showMore(): void {
  const next = ends().find((end) => !seen.has(end.dataset.end));
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: "end" });
}

const ends = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>("[data-end]")];

function settle(): void {
  const hasMore = ends().some((end) => !seen.has(end.dataset.end));
  if (hasMore !== current().hasMore) change({ hasMore });
  if (isSteady && !hasMore) release ??= setTimeout(unguard, GUARD_MS);
}

function hold(): void {
  stop();
  seen.clear();
  change({ isGuarded: true });
}

function unguard(): void {
  stop();
  change({ isGuarded: false, hasMore: false });
}

/** What the text before has still to say is not about this one. */
function stop(): void {
  clearTimeout(release);
  release = undefined;
  stopWatching();
}
