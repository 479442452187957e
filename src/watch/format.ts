import type { Paint } from "../terminal/paint.ts";
import type { Texts } from "../text/index.ts";
import type { WatchTexts } from "../text/watch.ts";

/** The width, the colours, the language and the time format in which things are shown. */
export interface Format {
  /** The width in columns, which no line exceeds. */
  width: number;
  paint: Paint;
  texts: WatchTexts;
  all: Texts;
  /** Formats a time in milliseconds since the epoch as `12:03:21`. */
  timeOfDay: (atMs: number) => string;
}
