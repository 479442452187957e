import { effect } from "@preact/signals";
import type { Display } from "../../question/chat-wire.ts";
import { setSteady, type Watch } from "./guard.ts";
import { coveredAtEnd } from "./measure.ts";
import { store } from "./store.ts";

/** Some browsers say that nothing covers an element or makes it transparent, also outside of its frame. */
const SEES_COVERS = "trackVisibility" in IntersectionObserver.prototype;

/** This page knows by this that something stood before its person. */
const DISPLAY: Display = SEES_COVERS ? "visible" : "in_view";

/** The page stands before its person by now: still, and seen. */
let isStanding = false;

/** Returns by what this page knows that it stands before its person, or undefined while it does not. */
export const displayNow = (): Display | undefined => (isStanding ? DISPLAY : undefined);

/** The page must stand still for so long, in ms. */
const STILL_MS = 500;
/** What covers the page is looked for so often, in ms. */
const LOOK_MS = 250;
/** Nobody reads in a smaller frame, in pixels. */
const LEAST_WIDTH = 280;
const LEAST_HEIGHT = 120;

/** Looks through the frames around this one, up to the window. */
const TO_THE_WINDOW = { ...(SEES_COVERS && { trackVisibility: true, delay: 100 }) } as IntersectionObserverInit;

/** Newer browsers say more of an element than its types do. */
const isShown = (entry: IntersectionObserverEntry & { isVisible?: boolean }): boolean =>
  entry.isIntersecting && (!SEES_COVERS || entry.isVisible === true);

/** Meets what is in the window that the person looks at and, at the same time, in this frame above the bar. */
export const watchInChat: Watch = (elements, meet) => {
  const [inWindow, inFrame] = [new Set<HTMLElement>(), new Set<HTMLElement>()];
  const keep = (where: Set<HTMLElement>, isThere: (entry: IntersectionObserverEntry) => boolean) => {
    return (entries: IntersectionObserverEntry[]) => {
      for (const entry of entries) where[isThere(entry) ? "add" : "delete"](entry.target as HTMLElement);
      meet([...inWindow].filter((element) => inFrame.has(element)));
    };
  };
  // A margin counts where the root is one's own alone: it is no use at the edge of somebody else's window.
  const ownEdge = { root: document, rootMargin: `0px 0px -${coveredAtEnd()}px 0px` };
  const observers = [
    new IntersectionObserver(keep(inWindow, isShown), TO_THE_WINDOW),
    new IntersectionObserver(
      keep(inFrame, ({ isIntersecting }) => isIntersecting),
      ownEdge,
    ),
  ];
  for (const observer of observers) for (const element of elements) observer.observe(element);
  return () => {
    for (const observer of observers) observer.disconnect();
  };
};

/** The frame has jumped where a mouse goes at most so far on the screen, in pixels, and more than so far on the page. */
const NEAR = 4;
/** At no zoom of a browser is that way so long. */
const FAR = 24;

/** Takes no click of a mouse under which the host has just moved the frame: it was aimed at what stood there before. */
export function ignoreJumped(): void {
  let last = new PointerEvent("pointermove");
  let jumpedAt = Number.NEGATIVE_INFINITY;
  const look = (event: PointerEvent): void => {
    if (event.pointerType !== "mouse") return;
    const onScreen = Math.hypot(event.screenX - last.screenX, event.screenY - last.screenY);
    const onPage = Math.hypot(event.clientX - last.clientX, event.clientY - last.clientY);
    if (onScreen <= NEAR && onPage > FAR) jumpedAt = event.timeStamp;
    last = event;
    if (event.type !== "click" || event.timeStamp - jumpedAt > STILL_MS) return;
    event.preventDefault();
    event.stopPropagation();
  };
  for (const type of ["pointermove", "pointerdown", "click"] as const) addEventListener(type, look, true);
}

/**
 * Holds what sends until the page has stood still for a moment, with its buttons in the window: what a host draws
 * over the page is not clicked on. `onShown`: whether any of the page is in the window.
 */
export function watchStanding(onShown: (isShown: boolean) => void): void {
  let areButtonsShown = false;
  let still: ReturnType<typeof setTimeout> | undefined;
  let buttons: Element | null = null;

  const stand = (isNow: boolean): void => {
    isStanding = isNow;
    setSteady(isNow);
  };
  const moved = (): void => {
    stand(false);
    clearTimeout(still);
    still = setTimeout(stands, STILL_MS);
  };
  const stands = (): void => {
    still = undefined;
    stand(areButtonsShown && innerWidth >= LEAST_WIDTH && innerHeight >= LEAST_HEIGHT);
  };

  const ofButtons = new IntersectionObserver((entries) => {
    const last = entries.at(-1);
    const isNow = last !== undefined && isShown(last);
    if (isNow === areButtonsShown) return;
    areButtonsShown = isNow;
    moved();
  }, TO_THE_WINDOW);

  effect(() => {
    store.value;
    // Behind the drawing.
    setTimeout(() => {
      const drawn = document.querySelector(".act .btns");
      if (drawn === buttons) return;
      if (buttons !== null) ofButtons.unobserve(buttons);
      buttons = drawn;
      areButtonsShown = false;
      if (drawn === null) return;
      ofButtons.observe(drawn);
      moved();
    });
  });

  // A browser looks only as it draws, and a page on which nothing moves is not drawn by itself.
  setInterval(() => requestAnimationFrame(() => {}), LOOK_MS);
  new ResizeObserver(moved).observe(document.body);
  addEventListener("resize", moved);
  new IntersectionObserver((entries) => onShown(entries.at(-1)?.isIntersecting === true)).observe(document.body);
}
