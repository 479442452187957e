import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../support/manual-clock.ts";
import { emptyHome, homeWith, listeningLog, storeAt } from "./support.ts";

describe("watch", () => {
  test("tells of edits from outside and of updates, once each, and not of what changed nothing", async () => {
    const home = homeWith({ mode: "normal" });
    const clock = new ManualClock();
    const log = listeningLog();
    const store = storeAt(home, clock, log);
    const seen: unknown[] = [];
    const stop = store.watch(({ values }) => seen.push(values));

    writeFileSync(store.path, '{"mode":"developer"}');
    await clock.until(() => seen.length === 1);
    await clock.run(store.update(() => ({ mode: "normal", lang: "zh" })));
    await clock.until(() => seen.length === 2);
    writeFileSync(store.path, "{ half");
    await clock.until(() => log.warnings.includes("config_reload_skipped"));
    writeFileSync(store.path, '{"mode":"developer"}');
    await clock.until(() => seen.length === 3);
    expect(seen).toEqual([{ mode: "developer" }, { mode: "normal", lang: "zh" }, { mode: "developer" }]);
    stop();
  });

  test("sees a home that is made later, and a linked file's own folder", async () => {
    const home = emptyHome();
    const clock = new ManualClock();
    const store = storeAt(home, clock);
    let count = 0;
    const stop = store.watch(() => count++);
    writeFileSync(store.path, '{"a":1}');
    await clock.until(() => count === 1);
    stop();

    const linked = emptyHome();
    const target = join(home, "elsewhere.json");
    mkdirSync(linked);
    writeFileSync(target, "{}");
    symlinkSync(target, join(linked, "config.json"));
    const end = storeAt(linked, clock).watch(() => count++);
    writeFileSync(target, '{"a":2}');
    await clock.until(() => count === 2);
    end();
  });

  test.each(["removed", "moved away"])("a home that is %s is watched again once it is back", async (how) => {
    const home = homeWith({ a: 1 });
    const clock = new ManualClock();
    const store = storeAt(home, clock);
    const seen: unknown[] = [];
    const stop = store.watch(({ values }) => seen.push(values));
    if (how === "removed") rmSync(home, { recursive: true });
    else renameSync(home, `${home}.old`);
    await clock.until(() => seen.length === 1);
    mkdirSync(home);
    writeFileSync(store.path, '{"a":2}');
    await clock.until(() => seen.length === 2);
    writeFileSync(store.path, '{"a":3}');
    await clock.until(() => seen.length === 3);
    expect(seen.slice(1)).toEqual([{ a: 2 }, { a: 3 }]);
    stop();
  });
});
