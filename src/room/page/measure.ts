import { change, current } from "./store.ts";

/** Head, rail and heading, with the caption below the map, in pixels. */
const ABOVE_MAP = 260;

/** Below what has the focus, in pixels: its outline is seen whole. */
const BELOW_FOCUS = 12;

/** Draws the map for the pixels that it has, since text is never scaled, and keeps what has the focus above the bar. */
export function measure(): void {
  const bar = document.querySelector(".act");
  const isOver = bar !== null && getComputedStyle(bar).position === "sticky";
  document.documentElement.style.setProperty("--bar", isOver ? `${bar.clientHeight + BELOW_FOCUS}px` : "0px");
  const width = document.querySelector("[data-map]")?.clientWidth;
  const height = Math.max(440, Math.min(580, innerHeight - ABOVE_MAP));
  const { mapWidth, mapHeight } = current();
  if (width !== undefined && width > 0 && (width !== mapWidth || height !== mapHeight))
    change({ mapWidth: width, mapHeight: height });
}
