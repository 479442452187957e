import { it } from "vitest";
import { inChromium } from "../support/room-browser.ts";
import { browserScreen } from "./doors/browser.ts";
import { page, room } from "./doors/page-and-room.ts";
import { DOORS, JOURNEYS } from "./table.ts";
import { walk } from "./walk.ts";

/** What a script does on the way: keys that change the text, news while a page is open, and a new program behind it. */
const THREE = [
  "changes the text first",
  "another text stands there by the time of the yes",
  "the program is started again before the answer",
] as const;

inChromium("journeys in a browser", (browser) => {
  const screen: Parameters<typeof page>[0] = (home) => browserScreen(browser(), home);
  const OPEN = { page: page(screen), room: room(screen) };
  for (const name of ["page", "room"] as const)
    it.each(THREE)(`%s: ${DOORS[name]}`, async (journey) =>
      walk(JOURNEYS[journey]!, await OPEN[name](JOURNEYS[journey]!)),
    );
});
