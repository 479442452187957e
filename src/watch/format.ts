import type { Paint } from "../terminal/paint.ts";
import type { Texts } from "../text/index.ts";
import type { WatchTexts } from "../text/watch.ts";

/** How things are shown: the size, the colours, the language, and the wall clock's reading. */
export interface Format {
  /** In columns; no line is wider. */
  width: number;
  paint: Paint;
  texts: WatchTexts;
  all: Texts;
  /** ms since the epoch → `12:03:21`. */
  timeOfDay: (atMs: number) => string;
}
