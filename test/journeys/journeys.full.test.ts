import { describe, it } from "vitest";
import { argument, call, type Given } from "./doors/argument.ts";
import { form } from "./doors/form.ts";
import { http } from "./doors/http.ts";
import { page, room } from "./doors/page-and-room.ts";
import { task } from "./doors/task.ts";
import { terminal } from "./doors/terminal.ts";
import { unscriptedScreen } from "./doors/unscripted.ts";
import { DOORS, type DoorName, JOURNEYS } from "./table.ts";
import { walk } from "./walk.ts";

const OPEN = {
  argument,
  form2025: (given: Given) => form("2025", given),
  form2026: (given: Given) => form("2026", given),
  task,
  page: page(unscriptedScreen),
  room: room(unscriptedScreen),
  terminal,
  http,
  call,
} satisfies Record<DoorName, unknown>;

describe.each(Object.keys(OPEN) as (keyof typeof OPEN)[])("%s", (name) => {
  const all = Object.entries(JOURNEYS).filter(([, { not }]) => not?.[name] === undefined);
  it.each(all)(`%s: ${DOORS[name]}`, async (_, journey) => {
    await walk(journey, await OPEN[name](journey));
  });
});
