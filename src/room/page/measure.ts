import { current, updateStore } from "./store.ts";

/** The height of the head, the rail and the heading, and of the caption below the map, in pixels. */
const ABOVE_MAP = 260;

/** The space below what has the focus, in pixels, so that its whole outline is seen. */
const BELOW_FOCUS = 12;

/** Returns how much of the window the bar covers, in pixels, or 0 if it would cover more than half and so does not float. */
function coveredByBar(): number {
  const bar = document.querySelector(".act");
  if (bar === null) return 0;
  document.documentElement.classList.toggle("tall", bar.clientHeight * 2 > innerHeight);
  return getComputedStyle(bar).position === "sticky" ? bar.clientHeight : 0;
}

/** Returns how much of the window's end the bar and the notes above it cover, in pixels. */
export const coveredAtEnd = (): number => coveredByBar() + (document.querySelector(".notes")?.clientHeight ?? 0);

let kept = { of: "", height: 0 };

/** Keeps the height of the head above a decision, so that nothing moves under the pointer when a sentence goes. */
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

/** Measures the map's place in pixels, because text is never scaled, and the bar, so that the focus stays above it. */
export function measure(): void {
  keepHead();
  const { style } = document.documentElement;
  style.setProperty("--act", `${coveredByBar()}px`);
  style.setProperty("--bar", `${coveredAtEnd() + BELOW_FOCUS}px`);
  const width = document.querySelector("[data-map]")?.clientWidth;
  const height = Math.max(440, Math.min(580, innerHeight - ABOVE_MAP));
  const { mapWidth, mapHeight } = current();
  if (width !== undefined && width > 0 && (width !== mapWidth || height !== mapHeight))
    updateStore({ mapWidth: width, mapHeight: height });
}
