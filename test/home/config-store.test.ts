import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ConfigStore } from "../../src/home/config-store.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { platformWith } from "../support/platform.ts";
import { emptyHome, homeWith, listeningLog, storeAt } from "./support.ts";

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
const contentOf = (home: string) => JSON.parse(readFileSync(join(home, "config.json"), "utf8"));

describe("update", () => {
  test("a write that waits for long for another program says so, once", async () => {
    const home = homeWith({});
    const clock = new ManualClock();
    const told: string[] = [];
    const store = new ConfigStore(platformWith(clock), home, (lock) => told.push(lock));
    const lock = join(home, "config.json.lock");
    mkdirSync(lock);
    await expect(clock.run(store.update((file) => file))).rejects.toMatchObject({ code: "tool.config.timeout.locked" });
    expect(told).toEqual([lock]);
    rmdirSync(lock);
    await clock.run(store.update(() => ({ mode: "developer" })));
    expect(told).toEqual([lock]); // nobody was waited for
  });

  test("an empty file is taken away under the lock: what another one writes meanwhile stays", async () => {
    const home = homeWith({});
    const clock = new ManualClock();
    const store = storeAt(home, clock);
    mkdirSync(join(home, "config.json.lock"));
    const removing = store.removeIfEmpty();
    await clock.advance(1_000);
    expect(contentOf(home)).toEqual({});
    writeFileSync(store.path, '{"mode":"developer"}');
    rmdirSync(join(home, "config.json.lock"));
    await clock.run(removing);
    expect(contentOf(home)).toEqual({ mode: "developer" });
    await store.update(() => ({}));
    await store.removeIfEmpty();
    await store.removeIfEmpty();
    expect(readdirSync(home)).toEqual([]);
  });

  test("a lock that is held is waited for about ten seconds; an abort ends the wait", async () => {
    const home = homeWith({});
    mkdirSync(join(home, "config.json.lock"));
    const clock = new ManualClock();
    const store = storeAt(home, clock);
    // Real I/O goes on while this clock runs, so that it may well show more than the ten seconds.
    await expect(
      clock.run(
        store.update((current) => current),
        { limitMs: 600_000 },
      ),
    ).rejects.toMatchObject({
      code: "tool.config.timeout.locked",
      params: { path: `${store.path}.lock`, waited_s: expect.toSatisfy((waited: number) => waited >= 10) },
    });
    const stop = new AbortController();
    const waiting = store.update((current) => current, stop.signal);
    stop.abort(new Error("enough"));
    await expect(clock.run(waiting)).rejects.toThrow("enough");
  });

  test("keeps the keys that nobody knows, and what a failing change found", async () => {
    const home = homeWith({ mode: "normal", future: { a: [1] }, zh: "通爻" });
    const store = storeAt(home);
    await store.update((current) => ({ ...current, mode: "developer" }));
    expect(contentOf(home)).toEqual({ mode: "developer", future: { a: [1] }, zh: "通爻" });
    const failing = store.update(() => {
      throw new RangeError("no");
    });
    await expect(failing).rejects.toThrow(RangeError);
    expect(contentOf(home).mode).toBe("developer");
    expect((await store.update((current) => ({ ...current, more: 1 }))).more).toBe(1);
  });

  test("any sequence leaves a file that parses, and reads as what was written", async () => {
    const key = fc.oneof(fc.string(), fc.constantFrom("mode", "__proto__", "constructor", "toJSON", "a.b"));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.dictionary(key, fc.jsonValue()), { minLength: 1, maxLength: 4 }),
        async (changes) => {
          const home = emptyHome();
          const store = storeAt(home);
          let expected: Record<string, unknown> = {};
          for (const change of changes) {
            expected = JSON.parse(JSON.stringify({ ...expected, ...change }));
            await store.update((current) => ({ ...current, ...change }));
            expect(contentOf(home)).toEqual(expected);
            expect(store.read()).toEqual({ values: expected, warnings: [] });
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe("privacy", () => {
  test("a new home is 0700 and its file 0600", async () => {
    const home = emptyHome();
    await storeAt(home).update(() => ({ a: 1 }));
    expect([modeOf(home), modeOf(join(home, "config.json"))]).toEqual(["700", "600"]);
  });

  test("open ones are closed: the file by reading already, the folder by writing", async () => {
    const home = homeWith({ api_token: "t" });
    chmodSync(home, 0o755);
    chmodSync(join(home, "config.json"), 0o644);
    const store = storeAt(home);
    store.read();
    expect(modeOf(join(home, "config.json"))).toBe("600");
    await store.update((current) => current);
    expect(modeOf(home)).toBe("700");
  });

  test("a shared, sticky folder is left as it is", async () => {
    const home = homeWith({});
    chmodSync(home, 0o1777);
    await storeAt(home).update(() => ({ a: 1 }));
    expect([modeOf(home), modeOf(join(home, "config.json"))]).toEqual(["777", "600"]);
  });

  test("a linked file stays a link, and its target is written", async () => {
    const home = emptyHome();
    const target = join(dirname(home), "dotfiles.json");
    mkdirSync(home);
    writeFileSync(target, '{"a":1}');
    symlinkSync(target, join(home, "config.json"));
    await storeAt(home).update((current) => ({ ...current, b: 2 }));
    expect(lstatSync(join(home, "config.json")).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(target, "utf8"))).toEqual({ a: 1, b: 2 });
    expect(modeOf(target)).toBe("600");
  });
});

describe("a file that is not a config", () => {
  test.each(["{ half", "[1, 2]", "null", '"text"', "\u0000\u0001"])(
    "%j is reported, kept aside, then replaced",
    async (text) => {
      const home = homeWith(text);
      const log = listeningLog();
      const store = storeAt(home, new ManualClock(), log);
      expect(store.read()).toMatchObject({ values: {}, warnings: [{ code: "config_corrupt" }] });
      expect(readFileSync(store.path, "utf8")).toBe(text);

      await store.update((current) => ({ ...current, mode: "normal" }));
      const kept = readdirSync(home).filter((name) => /^config\.corrupt-2026-11-21T.*\.json$/.test(name));
      expect(kept).toHaveLength(1);
      expect(readFileSync(join(home, kept[0]!), "utf8")).toBe(text);
      expect(modeOf(join(home, kept[0]!))).toBe("600");
      expect(store.read()).toMatchObject({
        values: { mode: "normal" },
        warnings: [{ params: { kept: join(home, kept[0]!) } }],
      });
      expect(log.warnings).toEqual(["config_corrupt"]);
    },
  );

  test.each([
    ["little-endian, with its mark", (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le")],
    ["big-endian, with its mark", (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le").swap16()],
    ["little-endian", (text: string) => Buffer.from(text, "utf16le")],
    ["big-endian", (text: string) => Buffer.from(text, "utf16le").swap16()],
  ])("UTF-16 (%s) is named as such, restricts as it did, and is never overwritten", async (_, encoded) => {
    const home = homeWith("");
    const store = storeAt(home);
    const bytes = encoded('{ "confirmation_policy": "strict", "user_id": "me" }\r\n');
    writeFileSync(store.path, bytes);
    expect(store.read()).toMatchObject({
      values: { confirmation_policy: "strict" },
      warnings: [{ code: "config_corrupt", params: { reason: "utf16" } }],
    });
    await expect(store.update((current) => ({ ...current, mode: "normal" }))).rejects.toMatchObject({
      code: "tool.config.invalid.file_encoding",
      params: { path: store.path },
    });
    expect(readFileSync(store.path)).toEqual(bytes);
    expect(readdirSync(home).filter((name) => name.includes("corrupt"))).toEqual([]);
  });

  test("two at the same moment are both kept", async () => {
    const home = homeWith("one");
    const store = storeAt(home);
    await store.update(() => ({}));
    writeFileSync(store.path, "two");
    await store.update(() => ({}));
    expect(readdirSync(home).filter((name) => name.includes("corrupt"))).toHaveLength(2);
  });

  test("an empty file, and a byte order mark, are fine", () => {
    expect(storeAt(homeWith(" \n")).read()).toEqual({ values: {}, warnings: [] });
    expect(storeAt(homeWith('\uFEFF{"a":1}')).read()).toEqual({ values: { a: 1 }, warnings: [] });
  });

  test("a folder in its place is unreadable, and never replaced", async () => {
    const home = emptyHome();
    mkdirSync(join(home, "config.json"), { recursive: true });
    const store = storeAt(home);
    expect(store.read().warnings).toMatchObject([{ code: "config_unreadable" }]);
    await expect(store.update(() => ({}))).rejects.toMatchObject({ code: "tool.config.unavailable.home_unwritable" });
  });

  test("a home that cannot be made is a typed error for writing, and empty for reading", async () => {
    const file = join(homeWith({}), "config.json");
    const store = storeAt(join(file, "below"));
    expect(store.read()).toEqual({ values: {}, warnings: [] });
    const error = { code: "tool.config.unavailable.home_unwritable", params: { path: store.home, reason: "ENOTDIR" } };
    await expect(store.update(() => ({}))).rejects.toMatchObject(error);
    await expect(store.exclusive(async () => 1)).rejects.toMatchObject(error);
    store.watch(() => {})();
  });
});
