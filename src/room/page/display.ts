import { effect } from "@preact/signals";
import type { Display } from "../../question/chat-wire.ts";
import { type Observe, setSteady } from "./hold.ts";
import { coveredAtEnd } from "./measure.ts";
import { store } from "./store.ts";

/** True if the browser can say that nothing covers an element or makes it transparent, even outside its frame. */
const SEES_COVERS = "trackVisibility" in IntersectionObserver.prototype;

/** How this page knows that it is seen. The browser reports that nothing covers it, or only that it lies in the window. */
const DISPLAY: Display = SEES_COVERS ? "visible" : "in_view";

/** True while the page lies still and its buttons are in the person's sight. */
let isStanding = false;

/** Returns how this page knows that it is seen, or undefined while it is not seen or not still. */
export const displayNow = (): Display | undefined => (isStanding ? DISPLAY : undefined);

/** How long the page must lie still before its buttons work, in ms. */
const STILL_MS = 500;
/** How often the page looks for something that covers it, in ms. */
const LOOK_MS = 250;
/** The smallest frame in which anybody can read, in pixels. */
const LEAST_WIDTH = 280;
const LEAST_HEIGHT = 120;

/** Options that observe an element through all frames around this one, up to the window. */
const TO_THE_WINDOW = { ...(SEES_COVERS && { trackVisibility: true, delay: 100 }) } as IntersectionObserverInit;

/** Returns whether an element is seen. Newer browsers report `isVisible`, which the DOM types do not have. */
const isInSight = (entry: IntersectionObserverEntry & { isVisible?: boolean }): boolean =>
  entry.isIntersecting && (!SEES_COVERS || entry.isVisible === true);

/** Reports the elements that are in the person's window and, at the same time, in this frame above the bar. */
export const observeInChat: Observe = (elements, meet) => {
  const [inWindow, inFrame] = [new Set<HTMLElement>(), new Set<HTMLElement>()];
  const keep = (where: Set<HTMLElement>, isThere: (entry: IntersectionObserverEntry) => boolean) => {
    return (entries: IntersectionObserverEntry[]) => {
      for (const entry of entries) where[isThere(entry) ? "add" : "delete"](entry.target as HTMLElement);
      meet([...inWindow].filter((element) => inFrame.has(element)));
    };
  };
  // A margin works only if the root is the page's own document, so it cannot be used at the edge of the host's window.
  const ownEdge = { root: document, rootMargin: `0px 0px -${coveredAtEnd()}px 0px` };
  const observers = [
    new IntersectionObserver(keep(inWindow, isInSight), TO_THE_WINDOW),
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

/** The frame has jumped if the mouse moved no more than `NEAR` on the screen and more than `FAR` on the page, in pixels. */
const NEAR = 4;
/** No browser zoom makes a move of `NEAR` on the screen this long on the page. */
const FAR = 24;

/** Ignores a mouse click just after the host has moved the frame, because it was aimed at what stood there before. */
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
 * Disables the buttons that send until the page has lain still for a moment with its buttons in the window, so that a
 * click on something that the host draws over the page does not hit them. `onInView` is called with whether any of the
 * page is in the window.
 */
export function holdUntilStill(onInView: (isInView: boolean) => void): void {
  let areButtonsInSight = false;
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
    stand(areButtonsInSight && innerWidth >= LEAST_WIDTH && innerHeight >= LEAST_HEIGHT);
  };

  const ofButtons = new IntersectionObserver((entries) => {
    const last = entries.at(-1);
    const isNow = last !== undefined && isInSight(last);
    if (isNow === areButtonsInSight) return;
    areButtonsInSight = isNow;
    moved();
  }, TO_THE_WINDOW);

  effect(() => {
    store.value;
    // Waits until the page has been drawn.
    setTimeout(() => {
      const drawn = document.querySelector(".act .btns");
      if (drawn === buttons) return;
      if (buttons !== null) ofButtons.unobserve(buttons);
      buttons = drawn;
      areButtonsInSight = false;
      if (drawn === null) return;
      ofButtons.observe(drawn);
      moved();
    });
  });

  // A browser observes only as it draws, and it does not draw a page on which nothing moves.
  setInterval(() => requestAnimationFrame(() => {}), LOOK_MS);
  new ResizeObserver(moved).observe(document.body);
  addEventListener("resize", moved);
  new IntersectionObserver((entries) => onInView(entries.at(-1)?.isIntersecting === true)).observe(document.body);
}
