import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { nanoid } from "nanoid";
import { describe, expect, it } from "vitest";
import { byCodeUnits } from "../../src/by-code-units.ts";
import { createLiveSettings } from "../../src/home/live-settings.ts";
import { factsOf } from "../../src/negotiation/facts.ts";
import { listRecords } from "../../src/negotiation/records.ts";
import { createFactFiles } from "../../src/negotiation/stores/home-facts.ts";
import { runningMock } from "../support/backend.ts";
import { legacyClient } from "../support/clients.ts";
import { sha256 } from "../support/facts.ts";
import { emptyHome, homeWith, storeAt } from "./support.ts";

/** Two versions of the program on one home: what a newer one wrote is refused or kept, never undone. */

const PROFILE = { skills: ["a", "b", "c"], bio: "Somebody who builds small, reliable services." };
const CODE = "tool.config.invalid.newer_version";
const NEWER = { format: 2, mode: { now: "an object" }, confirmation_policy: "strict", future: [1] };

describe("config.json", () => {
  it.each([2, 1.5, "1", "two", true, {}])("format %j: refused with its name, and left as it is", async (format) => {
    const home = homeWith({ ...NEWER, format });
    const store = storeAt(home);
    const before = readFileSync(store.path);
    expect(createLiveSettings(store, {}).problem()).toMatchObject({
      code: CODE,
      params: { file: "config.json", known: 1 },
    });
    await expect(store.update((file) => ({ ...file, mode: "normal" }))).rejects.toMatchObject({ code: CODE });
    expect(readFileSync(store.path)).toEqual(before);
  });

  it("without a format, as every earlier version wrote it: read, changed, and its unknown keys kept", async () => {
    const home = homeWith({ mode: "developer", language: "zh", future: { a: 1 } });
    const live = createLiveSettings(storeAt(home), {});
    expect(live.problem()).toBeUndefined();
    expect(live.current()).toMatchObject({ mode: "developer", lang: "zh" });
    await live.save({ mode: "normal" });
    const now = JSON.parse(readFileSync(join(home, "config.json"), "utf8"));
    expect(now).toEqual({ mode: "normal", language: "zh", future: { a: 1 } });
  });

  it("a server that finds one lists its tools, says what to do, and sends nothing", async () => {
    const mock = await runningMock();
    const home = homeWith({ ...NEWER, mode: "normal", confirmation_policy: "auto", backend_url: mock.url });
    const before = readFileSync(join(home, "config.json"));
    const session = await legacyClient({ env: { TOWOW_HOME: home } });
    expect(await session.tools()).toContain("towow_demand");
    for (const [tool, args] of [
      ["towow_join", { scene: mock.sceneId, display_name: "Lin", profile_data: PROFILE }],
      ["towow_demand", { intent: "A designer", scene_id: mock.sceneId }],
      ["towow_set_mode", { mode: "developer" }],
    ] as const) {
      const { result, text } = await session.call(tool, args);
      expect(result.error?.code, text).toBe(CODE);
      expect(text).toContain("config.json was written by a newer version");
    }
    expect(mock.journal).toEqual([]);
    expect(readFileSync(join(home, "config.json"))).toEqual(before);
  });
});

const KEY = { origin: "http", id: "neg_1" };
/** What ends the names of this origin's folders. */
const MARK = sha256(KEY.origin).slice(0, 12);
const SUBMITTED = {
  at: 1_000,
  user_id: "u1",
  deadline_at: 301_000,
  on_unconfirmed: "cancel",
  owner: { instance: "i", pid: 1 },
};

function factsWith(files: Record<string, unknown>) {
  const dir = join(emptyHome(), "history");
  for (const [path, value] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), typeof value === "string" ? value : JSON.stringify(value));
  }
  return { dir, facts: createFactFiles({ dir, newId: nanoid, now: Date.now }) };
}

describe("facts", () => {
  it("one of a newer format is refused with its name, not overwritten, and hides no other negotiation", async () => {
    const newer = { ...KEY, format: 2, fact: { kind: "delegate" } };
    const { dir, facts } = factsWith({
      [`neg_1~${MARK}/submitted.json`]: { ...KEY, fact: SUBMITTED },
      [`neg_1~${MARK}/decided.1.json`]: newer,
      [`neg_2~${MARK}/submitted.json`]: { ...KEY, id: "neg_2", fact: SUBMITTED },
    });
    const refused = { code: CODE, params: { file: `history/neg_1~${MARK}/decided.1.json` } };
    await expect(facts.read(KEY)).rejects.toMatchObject(refused);
    await expect(facts.create(KEY, "decided.1", { kind: "accept" })).rejects.toMatchObject(refused);
    expect(JSON.parse(readFileSync(join(dir, `neg_1~${MARK}`, "decided.1.json"), "utf8"))).toEqual(newer);
    expect((await listRecords(facts)).map((record) => record.negotiation_id)).toEqual(["neg_2"]);
  });

  it.each<[string, unknown]>([
    ["cut in half", '{"origin":"http","id":"neg_1","fact":{"at":1'],
    ["empty", ""],
    ["no object", "null"],
    ["a list", []],
    ["without a fact", KEY],
    ["another negotiation's, in this one's folder", { ...KEY, id: "neg_2" }],
    ["another origin's, in this one's folder", { ...KEY, origin: "other" }],
  ])("a fact that is %s counts as absent, and is left alone", async (_, content) => {
    const fact = { fact: SUBMITTED };
    const isObject = typeof content === "object" && !Array.isArray(content) && content !== KEY;
    const value = isObject ? { ...(content as object), ...fact } : content;
    const { dir, facts } = factsWith({ [`neg_1~${MARK}/submitted.json`]: value });
    const path = join(dir, `neg_1~${MARK}`, "submitted.json");
    const before = readFileSync(path);
    expect(factsOf(await facts.read(KEY)).submitted).toBeUndefined();
    expect(await listRecords(facts)).toEqual([]);
    expect(readFileSync(path)).toEqual(before);
  });

  it("in the place of a decision, what nobody can read lets nobody win", async () => {
    const { facts } = factsWith({ [`neg_1~${MARK}/decided.1.json`]: '{"origin":"http","id":"neg' });
    const { created, current } = await facts.create(KEY, "decided.1", { kind: "accept" });
    expect(created).toBe(false);
    expect(current).toBeUndefined(); // nobody's: least of all the one that could not be written
  });

  it("a folder in the place of a fact, and a file in the place of a folder, are a home that cannot be used", async () => {
    const unusable = { code: "tool.config.unavailable.home_unwritable" };
    const { facts } = factsWith({
      [`neg_1~${MARK}/submitted.json/x`]: "{}",
      [`neg_2~${MARK}`]: "a file",
      [`neg_3~${MARK}/submitted.json`]: { ...KEY, id: "neg_3", fact: SUBMITTED },
    });
    await expect(facts.read(KEY)).rejects.toMatchObject(unusable);
    await expect(facts.create(KEY, "submitted", SUBMITTED)).rejects.toMatchObject(unusable);
    await expect(facts.create({ ...KEY, id: "neg_2" }, "submitted", SUBMITTED)).rejects.toMatchObject(unusable);
    expect((await listRecords(facts)).map((record) => record.negotiation_id)).toEqual(["neg_3"]);
  });

  it("names that are none, and what stands under a wrong one, are passed over and left alone", async () => {
    const entry = { ...KEY, fact: SUBMITTED };
    const { dir, facts } = factsWith({
      [`neg_1~${MARK}/submitted.json`]: entry,
      [`neg_1~${MARK}/decided.1.json.bak`]: entry,
      [`neg_1~${MARK}/.hidden.json`]: entry,
      [`neg_9~${MARK}/submitted.json`]: entry, // another negotiation's folder
      "neg_1~other/submitted.json": entry,
      [`open/neg_9~${MARK}.json`]: KEY,
      "open/notes.txt": "mine",
      [`open/neg_1~${MARK}.json`]: KEY,
      "stray.json": entry,
    });
    const before = readdirSync(dir, { recursive: true, encoding: "utf8" }).sort(byCodeUnits);
    expect([...(await facts.read(KEY)).keys()]).toEqual(["submitted"]);
    expect((await listRecords(facts)).map(({ negotiation_id }) => negotiation_id)).toEqual([KEY.id]);
    expect(await facts.listOpen()).toEqual([KEY]);
    expect(readdirSync(dir, { recursive: true, encoding: "utf8" }).sort(byCodeUnits)).toEqual(before);
  });
});
