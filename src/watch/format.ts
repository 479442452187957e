import type { Paint } from "../terminal/paint.ts";
import type { Texts } from "../text/index.ts";
import type { WatchTexts } from "../text/watch.ts";

/** How things are shown: the width, the colours, the language, and the time of day. */
export interface Format {
  /** In columns. No line is wider. */
  width: number;
  paint: Paint;
  texts: WatchTexts;
  all: Texts;
  /** Formats ms since the epoch as `12:03:21`. */
  timeOfDay: (atMs: number) => string;
}
