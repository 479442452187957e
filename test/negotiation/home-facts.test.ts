import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nanoid } from "nanoid";
import { expect, it } from "vitest";
import { byCodeUnits } from "../../src/by-code-units.ts";
import { attemptsId } from "../../src/negotiation/facts.ts";
import { createFactFiles } from "../../src/negotiation/stores/home-facts.ts";
import { temporaryHome } from "../support/home.ts";

const KEY = { origin: "https://network.test", id: "neg_1" };
const MONTH_AGO = Date.now() / 1000 - 40 * 24 * 3_600;

const homeDir = async () => join(await temporaryHome(), "history");
const open = (dir: string) => {
  let swept = Promise.resolve();
  const inBackground = (work: Promise<void>) => {
    swept = work;
  };
  return { ...createFactFiles({ dir, newId: nanoid, now: Date.now, inBackground }), swept: () => swept };
};
/** The first write of a program, and the housekeeping behind it. */
async function sweptBy(program: ReturnType<typeof open>, key = { ...KEY, id: "neg_2" }) {
  await program.create(key, "submitted", { at: 3 }, "open");
  await program.swept();
}

it("what ended a month ago is one file, which says the same and takes more", async () => {
  const dir = await homeDir();
  const before = open(dir);
  await before.create(KEY, "submitted", { at: 1 }, "open");
  await before.create(KEY, "outcome.0", { at: 2, kind: "moved" }, "close");
  await before.swept();
  const [folder] = readdirSync(dir).filter((name) => name.includes("~"));
  utimesSync(join(dir, folder!), MONTH_AGO, MONTH_AGO);
  const later = open(dir);
  await sweptBy(later);
  expect(existsSync(join(dir, folder!))).toBe(false);
  expect([...(await later.read(KEY)).keys()].sort(byCodeUnits)).toEqual(["outcome.0", "submitted"]);
  expect((await open(dir).list()).map(({ id }) => id).sort(byCodeUnits)).toEqual(["neg_1", "neg_2"]);
  await later.create(KEY, "reported.outcome.0", { at: 4 });
  expect([...(await open(dir).read(KEY)).keys()].sort(byCodeUnits)).toEqual([
    "outcome.0",
    "reported.outcome.0",
    "submitted",
  ]);
  expect((await open(dir).list()).length).toBe(2);
});

it("what only an end is known of is one file as well", async () => {
  const dir = await homeDir();
  const before = open(dir);
  await before.create(KEY, "outcome.0", { at: 2, kind: "moved" }, "close");
  await before.swept();
  const [folder] = readdirSync(dir).filter((name) => name.includes("~"));
  utimesSync(join(dir, folder!), MONTH_AGO, MONTH_AGO);
  const later = open(dir);
  await sweptBy(later);
  expect(existsSync(join(dir, folder!))).toBe(false);
  expect([...(await open(dir).read(KEY)).keys()]).toEqual(["outcome.0"]);
});

it("what is open stays as it is, however old, and attempts of yesterday go", async () => {
  const dir = await homeDir();
  const before = open(dir);
  await before.create(KEY, "submitted", { at: 1 }, "open");
  await before.create({ ...KEY, id: attemptsId("0".repeat(64)) }, "attempt.1", { at: 1 });
  await before.swept();
  for (const name of readdirSync(dir).filter((it) => it.includes("~")))
    utimesSync(join(dir, name), MONTH_AGO, MONTH_AGO);
  const later = open(dir);
  await sweptBy(later);
  expect(readdirSync(dir).filter((name) => /^(neg_1|demand-[0-9a-f]{64})~/.test(name)).length).toBe(1);
  expect((await later.listOpen()).map(({ id }) => id).sort(byCodeUnits)).toEqual(["neg_1", "neg_2"]);
});

it("attempts of a year ahead, by the clock that wrote them, go as well", async () => {
  const dir = await homeDir();
  const before = open(dir);
  await before.create({ ...KEY, id: attemptsId("0".repeat(64)) }, "attempt.1", { at: 1 });
  await before.swept();
  const [folder = ""] = readdirSync(dir).filter((name) => name.includes("~"));
  const ahead = Date.now() / 1000 + 365 * 24 * 3_600;
  utimesSync(join(dir, folder), ahead, ahead);
  await sweptBy(open(dir));
  expect(readdirSync(dir)).not.toContain(folder);
});

it("a negotiation whose id begins as that of attempts does is one", async () => {
  const dir = await homeDir();
  const before = open(dir);
  await before.create({ ...KEY, id: "demand-7" }, "submitted", { at: 1 });
  await before.swept();
  for (const name of readdirSync(dir).filter((it) => it.includes("~")))
    utimesSync(join(dir, name), MONTH_AGO, MONTH_AGO);
  const later = open(dir);
  await sweptBy(later, KEY);
  expect((await later.list()).map(({ id }) => id).sort(byCodeUnits)).toEqual(["demand-7", "neg_1"]);
  expect((await later.read({ ...KEY, id: "demand-7" })).get("submitted")).toEqual({ at: 1 });
});

it("what stands in one file is not written again beside it", async () => {
  const dir = await homeDir();
  const before = open(dir);
  await before.create(KEY, "submitted", { at: 1 }, "open");
  await before.create(KEY, "outcome.0", { at: 2, kind: "moved" }, "close");
  await before.swept();
  const [folder] = readdirSync(dir).filter((name) => name.includes("~"));
  utimesSync(join(dir, folder!), MONTH_AGO, MONTH_AGO);
  const later = open(dir);
  await sweptBy(later);
  const again = await later.create(KEY, "outcome.0", { at: 9, kind: "confirmed" });
  expect(again).toEqual({ created: false, current: { at: 2, kind: "moved" } });
  expect((await open(dir).read(KEY)).get("outcome.0")).toEqual({ at: 2, kind: "moved" });
});

it("a file that cannot be read stays where it is", async () => {
  const dir = await homeDir();
  const before = open(dir);
  await before.create(KEY, "submitted", { at: 1 }, "open");
  await before.create(KEY, "outcome.0", { at: 2, kind: "moved" }, "close");
  await before.swept();
  const [folder = ""] = readdirSync(dir).filter((name) => name.includes("~"));
  const broken = join(dir, folder, "reported.outcome.0.json");
  writeFileSync(broken, "half of a fa");
  utimesSync(join(dir, folder), MONTH_AGO, MONTH_AGO);
  const later = open(dir);
  await sweptBy(later);
  expect(existsSync(join(dir, folder, "submitted.json"))).toBe(false);
  expect(readFileSync(broken, "utf8")).toBe("half of a fa");
});

it("the first write waits for no housekeeping, and of a home of years each program does a part", async () => {
  const dir = await homeDir();
  const before = open(dir);
  for (let n = 0; n < 150; n += 1)
    await before.create({ ...KEY, id: `neg_${n}` }, "outcome.0", { at: 2, kind: "moved" });
  await before.swept();
  const folders = () => readdirSync(dir).filter((name) => name.includes("~") && !name.endsWith(".json"));
  for (const name of folders()) utimesSync(join(dir, name), MONTH_AGO, MONTH_AGO);
  const [first, second] = [open(dir), open(dir)];
  await first.create({ ...KEY, id: "mine" }, "decided.1", { at: 3 });
  expect(folders().length).toBeGreaterThan(100);
  await first.swept();
  expect(folders()).toHaveLength(51);
  await sweptBy(second, { ...KEY, id: "mine" });
  expect(folders()).toHaveLength(1);
  expect(await open(dir).list()).toHaveLength(151);
});

it("what is written while its folder is removed is written", async () => {
  const dir = await homeDir();
  const demand = { ...KEY, id: attemptsId("0".repeat(64)) };
  const before = open(dir);
  await before.create(demand, "attempt.1", { at: 1 });
  await before.swept();
  const [folder = ""] = readdirSync(dir).filter((name) => name.includes("~"));
  for (let n = 2; n < 30; n += 1) {
    utimesSync(join(dir, folder), MONTH_AGO, MONTH_AGO);
    const program = open(dir);
    await program.create({ ...KEY, id: `neg_${n}` }, "submitted", { at: 1 }); // begins to sweep
    expect((await program.create(demand, `attempt.${n}`, { at: n })).created).toBe(true);
    await program.swept();
    expect((await open(dir).read(demand)).get(`attempt.${n}`)).toEqual({ at: n });
  }
});
