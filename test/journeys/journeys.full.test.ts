import { describe, it } from "vitest";
import { argument, call, type Given } from "./doors/argument.ts";
import { form } from "./doors/form.ts";
import { http } from "./doors/http.ts";
import { task } from "./doors/task.ts";
import { terminal } from "./doors/terminal.ts";
import { DOORS, type DoorName, JOURNEYS } from "./table.ts";
import { walk } from "./walk.ts";

const OPEN = {
  argument,
  form2025: (given: Given) => form("2025", given),
  form2026: (given: Given) => form("2026", given),
  task,
  terminal,
  http,
  call,
} satisfies Partial<Record<DoorName, unknown>>;

describe.each(Object.keys(OPEN) as (keyof typeof OPEN)[])("%s", (name) => {
  const all = Object.entries(JOURNEYS).filter(([, { not }]) => not?.[name] === undefined);
  it.each(all)(`%s: ${DOORS[name]}`, async (_, journey) => {
    await walk(journey, await OPEN[name](journey));
  });
});
