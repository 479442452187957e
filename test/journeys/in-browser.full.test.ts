import { it } from "vitest";
import { inChromium } from "../support/room-browser.ts";
import { page, room } from "./doors/browser.ts";
import { DOORS, JOURNEYS } from "./table.ts";
import { walk } from "./walk.ts";

inChromium("journeys in a browser", {}, (browser) => {
  const OPEN = { page: page(browser), room: room(browser) };
  for (const name of ["page", "room"] as const)
    it.each(Object.entries(JOURNEYS).filter(([, { not }]) => not?.[name] === undefined))(
      `%s: ${DOORS[name]}`,
      async (_, journey) => walk(journey, await OPEN[name](journey)),
    );
});
