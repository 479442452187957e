import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { homeWith, storeAt } from "./support.ts";

/** The config file breaks while a program runs. Through a server: `test/e2e/bad-backend-settings.test.ts`. */

test.each(["", "{ half"])(
  "one that becomes %j under a running program: what it held stays, on disk too",
  async (text) => {
    const values = { user_id: "user_1", confirmation_policy: "strict" };
    const store = storeAt(homeWith(values));
    expect(store.read().values).toEqual(values);
    writeFileSync(store.path, text);
    expect(store.read()).toMatchObject({ values, warnings: [{ code: "config_corrupt" }] });
    await store.update((current) => ({ ...current, mode: "normal" }));
    expect(JSON.parse(readFileSync(store.path, "utf8"))).toEqual({ ...values, mode: "normal" });
  },
);

test("one that is deleted is forgotten: that is how somebody begins anew", async () => {
  const store = storeAt(homeWith({ user_id: "user_1" }));
  expect(store.read().values).toEqual({ user_id: "user_1" });
  rmSync(store.path);
  expect(store.read()).toEqual({ values: {}, warnings: [] });
  writeFileSync(store.path, "{ half");
  expect(store.read().values).toEqual({});
});
