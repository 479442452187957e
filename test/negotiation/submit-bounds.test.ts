import { createHash } from "node:crypto";
import { join } from "node:path";
import { nanoid } from "nanoid";
import { describe, expect, it, vi } from "vitest";
import { silentLog } from "../../src/log.ts";
import { attemptsId } from "../../src/negotiation/facts.ts";
import { createFactFiles } from "../../src/negotiation/stores/home-facts.ts";
import { Attempts, lostSubmits } from "../../src/negotiation/submit.ts";
import { temporaryHome } from "../support/home.ts";
import { ManualClock } from "../support/manual-clock.ts";

const hash = (text: string) => createHash("sha256").update(text).digest("hex");
const DEMAND = { origin: "https://network.test", id: attemptsId(hash("a demand")) };
const OPEN = "tool.negotiation.conflict.submit_outcome_open";
const OTHER = { instance: "another", pid: 1 };
const [DEDUPE_MS, REFUSE_MS, IN_FLIGHT_MS, DAY_MS] = [120_000, 600_000, 40_000, 86_400_000];

/** A home in which a program has submitted the demand so long ago, with that answer. */
async function home(agoMs: number, answer?: object) {
  const dir = join(await temporaryHome(), "history");
  const clock = new ManualClock(Date.now());
  const facts = createFactFiles({ dir, newId: nanoid, now: clock.now, inBackground: () => {} });
  await facts.create(DEMAND, "attempt.1", { at: clock.now() - agoMs, owner: OTHER, scene_id: "s" });
  if (answer !== undefined) await facts.create(DEMAND, "answer.1", answer);
  return { facts, clock };
}

/** Another program that submits the same: what comes of it, and how often and how long it waited. */
async function again(agoMs: number, answer?: object, { isAlive = false } = {}) {
  const { facts, clock } = await home(agoMs, answer);
  const owner = { instance: "this", pid: 1 };
  const attempts = new Attempts({ facts, clock, log: silentLog, owner, isAlive: async () => isAlive } as never);
  const waits = vi.spyOn(clock, "sleep");
  const begun = attempts.begin(DEMAND, { sceneId: "s", allowDuplicate: false, isWanted: async () => true }).then(
    (it) => ("attempt" in it ? "begins" : it.duplicateOf),
    ({ code, params }) => `${code} ${params?.minutes ?? ""}`,
  );
  return { said: await clock.run(begun), waits: waits.mock.calls.map(([ms]) => ms) };
}

describe("the same demand once more", () => {
  it("is the first one for two minutes, and its own from then on", async () => {
    const answer = { negotiation_id: "neg_1" };
    expect((await again(DEDUPE_MS - 1, answer)).said).toBe("neg_1");
    expect((await again(DEDUPE_MS, answer)).said).toBe("begins");
  });

  it("is refused for ten minutes after an answer that was lost, and the minutes left are said", async () => {
    const lost = { lost: true };
    expect((await again(0, lost)).said).toBe(`${OPEN} 10`);
    expect((await again(60_001, lost)).said).toBe(`${OPEN} 9`);
    expect((await again(REFUSE_MS - 1, lost)).said).toBe(`${OPEN} 1`);
    expect((await again(REFUSE_MS, lost)).said).toBe("begins");
  });

  it("waits 40 s for a program that lives, looking four times a second, and not at all for one that does not", async () => {
    const { said, waits } = await again(0, undefined, { isAlive: true });
    expect([said, waits.length, new Set(waits)]).toEqual([`${OPEN} 10`, IN_FLIGHT_MS / 250, new Set([250])]);
    const waited = async (...given: Parameters<typeof again>) => (await again(...given)).waits.length;
    expect(await waited(IN_FLIGHT_MS - 1, undefined, { isAlive: true })).toBe(1);
    expect(await waited(IN_FLIGHT_MS, undefined, { isAlive: true })).toBe(0);
    expect(await waited(0)).toBe(0);
    expect(await waited(0, { lost: true }, { isAlive: true })).toBe(0);
  });

  it("an attempt from a clock that was ten minutes ahead is open; from further ahead, one that nobody can date", async () => {
    expect((await again(-REFUSE_MS)).said).toContain(OPEN);
    expect((await again(-REFUSE_MS - 1)).said).toBe("begins");
  });
});

it("what was lost is told of for a day, the newest first; what is on its way for 40 s is not lost yet", async () => {
  const shown = async (agoMs: number, answer?: object, isAlive = false) => {
    const { facts, clock } = await home(agoMs, answer);
    const lost = await lostSubmits(facts, { origin: DEMAND.origin, now: clock.now(), isAlive: async () => isAlive });
    return lost.filter(({ at }) => at === clock.now() - agoMs).length;
  };
  expect(await shown(DAY_MS, { lost: true })).toBe(1);
  expect(await shown(DAY_MS + 1, { lost: true })).toBe(0);
  expect(await shown(-DAY_MS - 1, { lost: true })).toBe(0);
  expect(await shown(IN_FLIGHT_MS - 1, undefined, true)).toBe(0);
  expect(await shown(IN_FLIGHT_MS, undefined, true)).toBe(1);
  expect(await shown(1_000, undefined, false)).toBe(1);
  expect(await shown(1_000, { negotiation_id: "neg_1" })).toBe(0);
  const { facts, clock } = await home(REFUSE_MS, { lost: true });
  await facts.create(DEMAND, "attempt.2", { at: clock.now(), owner: OTHER });
  const lost = await lostSubmits(facts, { origin: DEMAND.origin, now: clock.now(), isAlive: async () => false });
  expect(lost.map(({ at }) => clock.now() - at)).toEqual([0, REFUSE_MS]);
  const elsewhere = { origin: "https://another.test", now: clock.now(), isAlive: async () => false };
  expect(await lostSubmits(facts, elsewhere)).toEqual([]);
});
