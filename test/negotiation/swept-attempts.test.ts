import { createHash } from "node:crypto";
import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { nanoid } from "nanoid";
import { expect, it } from "vitest";
import { silentLog } from "../../src/log.ts";
import { attemptsId } from "../../src/negotiation/facts.ts";
import { createFactFiles } from "../../src/negotiation/stores/home-facts.ts";
import { Attempts, lostSubmits } from "../../src/negotiation/submit.ts";
import { temporaryHome } from "../support/home.ts";
import { ManualClock } from "../support/manual-clock.ts";

const hash = (text: string) => createHash("sha256").update(text).digest("hex");
const DAY_MS = 24 * 3_600_000;
const DEMAND = { origin: "https://network.test", id: attemptsId(hash("a demand")) };

/** The programs of one home. */
async function home({ isAlive = false } = {}) {
  const dir = join(await temporaryHome(), "history");
  const clock = new ManualClock(Date.now());
  const program = (instance: string) => {
    let swept = Promise.resolve();
    const inBackground = (work: Promise<void>) => {
      swept = work;
    };
    const facts = createFactFiles({ dir, newId: nanoid, now: clock.now, inBackground });
    const owner = { instance, pid: 1 };
    const attempts = new Attempts({ facts, clock, log: silentLog, owner, isAlive: async () => isAlive } as never);
    const begin = () =>
      attempts.begin(DEMAND, { sceneId: "s", allowDuplicate: false, isWanted: async () => true }).then(
        (begun) => ("attempt" in begun ? begun.attempt : undefined),
        ({ code }) => code,
      );
    return { facts, begin, swept: () => swept };
  };
  return { dir, clock, program };
}

it("of a demand whose old attempts another program removed, two programs begin no submit at once", async () => {
  const { dir, clock, program } = await home();
  const first = program("first");
  await (await first.begin()).answered({ negotiation_id: "neg_1" });
  const [folder = ""] = readdirSync(dir).filter((name) => name.startsWith("demand-"));
  const old = (clock.now() - 2 * DAY_MS) / 1000;
  utimesSync(join(dir, folder), old, old);
  const second = program("second");
  await second.facts.create({ ...DEMAND, id: "neg_2" }, "submitted", { at: 1 });
  await second.swept();
  expect(readdirSync(dir)).not.toContain(folder);

  await clock.advance(300_000);
  expect(await first.begin()).toHaveProperty("answered");
  const third = program("third");
  expect(await third.begin()).toBe("tool.negotiation.conflict.submit_outcome_open");
  const at = { origin: DEMAND.origin, now: clock.now(), isAlive: async () => false };
  expect(await lostSubmits(third.facts, at)).toHaveLength(1);
});

it("nor where the first of them is gone and a later one stands", async () => {
  const { clock, program } = await home();
  const gone = { instance: "gone", pid: 2 };
  const { facts, begin } = program("first");
  await facts.create(DEMAND, "attempt.2", { at: clock.now(), owner: gone, scene_id: "s" });
  expect(await begin()).toBe("tool.negotiation.conflict.submit_outcome_open");
  const at = { origin: DEMAND.origin, now: clock.now(), isAlive: async () => false };
  expect(await lostSubmits(facts, at)).toEqual([{ at: clock.now(), sceneId: "s" }]);
});

const YEAR_MS = 365 * DAY_MS;
const OTHER = { instance: "other", pid: 2 };

it.each([
  ["whose answer was lost", { lost: true }],
  ["whose program ended", undefined],
  ["that has its negotiation", { negotiation_id: "neg_1" }],
])("an attempt of a year ahead, by its clock, %s stands in nobody's way", async (_, answer) => {
  const { clock, program } = await home();
  const { facts, begin } = program("first");
  await facts.create(DEMAND, "attempt.1", { at: clock.now() + YEAR_MS, owner: OTHER, scene_id: "s" });
  if (answer !== undefined) await facts.create(DEMAND, "answer.1", answer);
  expect(await begin()).toHaveProperty("answered");
  const at = { origin: DEMAND.origin, now: clock.now(), isAlive: async () => false };
  expect(await lostSubmits(program("second").facts, at)).not.toContainEqual(
    expect.objectContaining({ at: clock.now() + YEAR_MS }),
  );
});

it("one that is still on its way is waited for, whatever the clock says by now", async () => {
  const { clock, program } = await home({ isAlive: true });
  const { facts, begin } = program("first");
  await facts.create(DEMAND, "attempt.1", { at: clock.now() + YEAR_MS, owner: OTHER, scene_id: "s" });
  const from = clock.now();
  expect(await clock.run(begin())).toHaveProperty("answered");
  expect(clock.now() - from).toBeGreaterThanOrEqual(40_000);
});

it("a clock set back a little leaves an open submit open", async () => {
  const { clock, program } = await home();
  const { facts, begin } = program("first");
  await facts.create(DEMAND, "attempt.1", { at: clock.now() + 300_000, owner: OTHER, scene_id: "s" });
  expect(await begin()).toBe("tool.negotiation.conflict.submit_outcome_open");
});
