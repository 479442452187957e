import { change, current } from "./store.ts";

/** Head, rail and heading, with the caption below the map, in pixels. */
const ABOVE_MAP = 260;

/** Draws the map for the pixels that it has: text is never scaled. */
export function measure(): void {
  const width = document.querySelector("[data-map]")?.clientWidth;
  const height = Math.max(440, Math.min(580, innerHeight - ABOVE_MAP));
  const { mapWidth, mapHeight } = current();
  if (width !== undefined && width > 0 && (width !== mapWidth || height !== mapHeight))
    change({ mapWidth: width, mapHeight: height });
}
