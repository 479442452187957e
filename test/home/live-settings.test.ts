import { rmSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { createLiveSettings } from "../../src/home/live-settings.ts";
import { homeWith, storeAt } from "./support.ts";

/** Through a server: `test/e2e/home-commands.full.test.ts`, where the change mostly comes later. */
it("what is written into the file while a program starts is in force once it watches", () => {
  const store = storeAt(homeWith({ confirmation_policy: "auto" }));
  const live = createLiveSettings(store, {});
  let changes = 0;
  live.onChange(() => changes++);
  writeFileSync(store.path, JSON.stringify({ confirmation_policy: "strict" }));
  const stop = live.watch();
  expect(live.current().confirmation_policy).toBe("strict");
  expect(changes).toBe(1);
  stop();
});

it("what another program has written is in force at once where it is looked for, and no half of it ever", () => {
  const store = storeAt(homeWith({ confirmation_policy: "strict" }));
  const live = createLiveSettings(store, {});
  let changes = 0;
  live.onChange(() => changes++);
  const written = (text: string | undefined) => {
    if (text === undefined) rmSync(store.path);
    else writeFileSync(store.path, text);
    live.refresh();
    return [live.current().confirmation_policy, live.current().last_scene_id, changes];
  };
  const before = ["strict", undefined, 0];
  for (const half of ["", "\n", "{", "[]", "{}", '{"confirmation_policy":"au', undefined])
    expect([half, ...written(half)]).toEqual([half, ...before]);
  const joined = JSON.stringify({ confirmation_policy: "strict", last_scene_id: "scene_1" });
  expect(written(joined)).toEqual(["strict", "scene_1", 1]);
  expect(written(joined)).toEqual(["strict", "scene_1", 1]);
  expect(written('{"confirmation_policy":"auto"}')).toEqual(["auto", undefined, 2]);
});
