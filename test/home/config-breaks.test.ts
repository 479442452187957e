import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { homeWith, storeAt } from "./support.ts";

/** The config file breaks while a program runs. Through a server: `test/e2e/bad-backend-settings.full.test.ts`. */

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

test("of one that is deleted under a running program, what it restricted stays: the strictest that was read", async () => {
  const strict = { confirmation_policy: "strict", exclude_tools: "towow_join", confirm_deadline_s: 120 };
  const store = storeAt(homeWith({ ...strict, user_id: "user_1", allow_http: true, on_unconfirmed: "leave" }));
  store.read();
  writeFileSync(store.path, '{ "confirmation_policy": "auto", "exclude_tools": "towow_demand" }');
  expect(store.read().values).toEqual({ confirmation_policy: "auto", exclude_tools: "towow_demand" });
  rmSync(store.path);
  const kept = { ...strict, exclude_tools: "towow_join,towow_demand" };
  expect(store.read()).toEqual({ values: kept, warnings: [] });
  await store.update((current) => ({ ...current, user_id: "user_2" }));
  expect(JSON.parse(readFileSync(store.path, "utf8"))).toEqual({ ...kept, user_id: "user_2" });
});

test("another file in its place loosens only what it speaks of; this program's own removal leaves nothing", async () => {
  const store = storeAt(homeWith({ confirmation_policy: "strict", profile: "read_only" }));
  store.read();
  rmSync(store.path);
  store.read();
  writeFileSync(store.path, '{ "user_id": "user_2", "profile": "live" }');
  expect(store.read().values).toEqual({ confirmation_policy: "strict", profile: "live", user_id: "user_2" });
  await store.remove();
  expect(store.read().values).toEqual({});
});
