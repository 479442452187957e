import { existsSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openUserFolders } from "../../../src/app/endpoint/user-folders.ts";
import { ownIo } from "../../../src/app/io.ts";
import { thisProcess } from "../../../src/app/process.ts";
import { byCodeUnits } from "../../../src/by-code-units.ts";
import { silentLog } from "../../../src/log.ts";
import { attemptsId } from "../../../src/negotiation/facts.ts";
import { temporaryHome } from "../../support/home.ts";
import { ManualClock } from "../../support/manual-clock.ts";
import { createMemoryFacts } from "../../support/memory-facts.ts";
import { platformWith } from "../../support/platform.ts";
import { soon } from "../../support/soon.ts";

const ADA = "a".repeat(64);
const BOB = "b".repeat(64);
const KEY = { origin: "https://network.example", id: "neg_1" };
const DEMAND = { ...KEY, id: attemptsId("0".repeat(64)) };
const DAY_MS = 24 * 3_600_000;

async function opened({ home = "", log = silentLog } = {}) {
  const at = home || (await temporaryHome());
  const clock = new ManualClock(Date.now()); // beside the times of real files
  const folders = openUserFolders({ home: at, owner: thisProcess(ownIo), platform: platformWith(clock, { log }) });
  onTestFinished(() => folders?.close());
  return { home: at, clock, folders: folders!, users: join(at, "users") };
}

/** As if so many days had gone by since anything was written there. */
function aged(clock: ManualClock, path: string, days: number): void {
  const at = (clock.now() - days * DAY_MS) / 1000;
  for (const name of readdirSync(path, { recursive: true, encoding: "utf8" })) utimesSync(join(path, name), at, at);
  utimesSync(path, at, at);
}

it("until the backend accepts a token nothing is written; then all that was noted, and the first of each name", async () => {
  const { folders, users } = await opened();
  const place = folders.of(ADA, createMemoryFacts());
  await Promise.all([1, 2].map((n) => place.facts.create(DEMAND, "attempt.1", { n })));
  expect((await place.facts.read(DEMAND)).get("attempt.1")).toEqual({ n: 1 });
  expect(readdirSync(users)).toEqual([]);
  place.keep();
  expect(await place.facts.create(DEMAND, "attempt.1", { n: 3 })).toEqual({ created: false, current: { n: 1 } });
  await place.facts.create(KEY, "submitted", { at: 1 }, "open");
  expect(readdirSync(users)).toEqual([ADA]);
  const later = folders.of(ADA, createMemoryFacts()); // a token that is known from before
  expect((await later.facts.read(DEMAND)).get("attempt.1")).toEqual({ n: 1 });
  expect(await later.facts.listOpen()).toEqual([KEY]);
  expect(await folders.of(BOB, createMemoryFacts()).facts.listOpen()).toEqual([]);
});

it("what could not be noted is not written later", async () => {
  const { folders } = await opened();
  const meanwhile = createMemoryFacts();
  meanwhile.create = async () => {
    throw new Error("too many");
  };
  const place = folders.of(ADA, meanwhile);
  await expect(place.facts.create(DEMAND, "attempt.1", {})).rejects.toThrow("too many");
  place.keep();
  expect((await place.facts.read(DEMAND)).size).toBe(0);
});

it("a month after the last fact a user is forgotten, ended or not, and who was here since is not", async () => {
  const { folders, users, clock } = await opened();
  for (const key of [ADA, BOB]) {
    const { facts, keep } = folders.of(key, createMemoryFacts());
    keep();
    await facts.create(KEY, "submitted", { at: 1 }, "open");
    await facts.create(DEMAND, "attempt.1", { at: 1 });
  }
  aged(clock, join(users, ADA), 31);
  aged(clock, join(users, BOB), 20);
  writeFileSync(join(users, "notes.txt"), "mine");
  await clock.advance(DAY_MS);
  await soon(() => readdirSync(join(users, ADA))).toEqual(["open"]);
  await clock.advance(DAY_MS);
  await soon(() => existsSync(join(users, ADA))).toBe(false);
  expect(readdirSync(users).sort(byCodeUnits)).toEqual([BOB, "notes.txt"].sort(byCodeUnits));
  expect((await folders.of(BOB, createMemoryFacts()).facts.listOpen()).map(({ id }) => id)).toEqual(["neg_1"]);
  expect(readdirSync(join(users, BOB)).some((name) => name.startsWith("demand-"))).toBe(false);
});

it("a home that takes no files: the log says that users end with the program", async () => {
  const home = await temporaryHome();
  writeFileSync(join(home, "users"), "");
  const said: string[] = [];
  const log = { ...silentLog, warn: (event: string) => void said.push(event) };
  expect((await opened({ home, log })).folders).toBeUndefined();
  expect(said).toEqual(["users_in_memory"]);
});
