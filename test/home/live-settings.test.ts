import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { createLiveSettings } from "../../src/home/live-settings.ts";
import { homeWith, storeAt } from "./support.ts";

/** Through a server: `test/e2e/home-commands.test.ts`, where the change mostly comes later. */
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
