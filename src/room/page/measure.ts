import { change, current } from "./store.ts";

/** Head, rail and heading, with the caption below the map, in pixels. */
const ABOVE_MAP = 260;

/** Below what has the focus, in pixels: its outline is seen whole. */
const BELOW_FOCUS = 12;

/** How much of the window the bar lies over, in pixels. One that would leave less than half of it lies over nothing. */
function coveredByBar(): number {
  const bar = document.querySelector(".act");
  if (bar === null) return 0;
  document.documentElement.classList.toggle("tall", bar.clientHeight * 2 > innerHeight);
  return getComputedStyle(bar).position === "sticky" ? bar.clientHeight : 0;
}

/** How much of the window's end the bar and the notes above it lie over, in pixels. */
export const coveredAtEnd = (): number => coveredByBar() + (document.querySelector(".notes")?.clientHeight ?? 0);

let kept = { of: "", height: 0 };

/** What stands above a decision keeps the room that it once took: nothing moves up under the pointer as a sentence goes. */
function keepHead(): void {
  const head = document.querySelector<HTMLElement>(".head.still > div");
  if (head === null) return;
  const of = [innerWidth, head.querySelector("h1")?.textContent].join();
  const { style } = document.documentElement;
  const isNew = of !== kept.of;
  if (isNew) style.setProperty("--head", "0px");
  const height = isNew ? head.clientHeight : Math.max(kept.height, head.clientHeight);
  if (isNew || height !== kept.height) style.setProperty("--head", `${height}px`);
  kept = { of, height };
}

/** Draws the map for the pixels that it has, since text is never scaled, and keeps what has the focus above the bar. */
export function measure(): void {
  keepHead();
  const { style } = document.documentElement;
  style.setProperty("--act", `${coveredByBar()}px`);
  style.setProperty("--bar", `${coveredAtEnd() + BELOW_FOCUS}px`);
  const width = document.querySelector("[data-map]")?.clientWidth;
  const height = Math.max(440, Math.min(580, innerHeight - ABOVE_MAP));
  const { mapWidth, mapHeight } = current();
  if (width !== undefined && width > 0 && (width !== mapWidth || height !== mapHeight))
    change({ mapWidth: width, mapHeight: height });
}
