import { describe, expect, it } from "vitest";
import { NO_EVIDENCE } from "../../src/feed/evidence.ts";
import { HomeUnwritable } from "../../src/home/errors.ts";
import { silentLog } from "../../src/log.ts";
import { type Found, Reviews, RISK_CODES, reviewable } from "../../src/negotiation/risks.ts";
import { createWorld, ORIGIN } from "../support/world.ts";

const INTENT = "machine learning";
const ACCEPT = { action: "accept" as const, content: { decision: "accept" } };

/** A finished negotiation, and the queue of the person who submitted it. */
async function finished(steer: (world: Awaited<ReturnType<typeof createWorld>>) => void = () => {}, intent = INTENT) {
  const world = await createWorld();
  steer(world);
  const p = await world.process({ answer: () => ACCEPT });
  const { negotiation_id: id } = (await p.call("towow_demand", { intent })).result.data;
  await p.call("towow_status", { wait: "done" });
  const { negotiations } = p;
  const note = async () => {
    const negotiation = await negotiations.get(id, { fresh: true });
    const stage = await negotiations.stage(id, negotiation);
    const said = negotiations.says(stage, negotiation);
    return negotiations.reviews.note({ said, evidence: NO_EVIDENCE, lowScore: 0.55 });
  };
  return { world, p, id, negotiations, note: () => world.clock.run(note()) };
}

describe("the review queue", () => {
  it("takes note of what stands on too little, once, and keeps it for every program of the person", async () => {
    const { world, id, note, negotiations } = await finished(({ mock }) => mock.engine.offerWith(() => "exit"));
    expect(await note()).toContain("agents_exited");
    const [first] = await negotiations.reviews.pending();
    await world.clock.advance(60_000);
    await note();
    expect(await negotiations.reviews.pending()).toEqual([first]);
    expect(first).toMatchObject({ negotiation_id: id });
    const other = await world.process();
    expect(await other.negotiations.reviews.pending()).toEqual([first]);
  });

  it("the person's answer is remembered, by whichever program, and the first one stands", async () => {
    const { world, id, note } = await finished(({ mock }) => mock.engine.offerWith(() => "exit"));
    const codes = await note();
    const other = await world.process();
    expect(await other.negotiations.reviews.answer(id, codes, "fine", "terminal")).toEqual(
      expect.arrayContaining(codes),
    );
    expect(await other.negotiations.reviews.answer(id, codes, "concern", "page")).toEqual([]);
    expect(await note()).toEqual([]);
    expect(await other.negotiations.reviews.pending()).toEqual([]);
    expect(await other.negotiations.reviews.answered(id)).toEqual(new Set(codes));
    const written = await world.facts.read({ origin: ORIGIN, id });
    expect(written.get(`reviewed.${codes[0]}`)).toMatchObject({ verdict: "fine", by: "terminal" });
  });

  it("an answer that an AI passed on counts from no home", async () => {
    const { world, id, note, negotiations } = await finished(({ mock }) => mock.engine.offerWith(() => "exit"));
    const [code] = await note();
    const answer = { at: world.clock.now(), verdict: "fine", by: "argument" };
    await world.facts.create({ origin: ORIGIN, id }, `reviewed.${code}`, answer);
    expect((await negotiations.reviews.pending())[0]?.codes).toContain(code);
  });

  it("what is new after the answer waits again, and only that", async () => {
    const { world, id, note, negotiations } = await finished(({ mock }) => mock.engine.offerWith(() => "exit"));
    const codes = await note();
    await negotiations.reviews.answer(id, codes, "fine", "terminal");
    world.mock.engine.patch(id, { plan_output: "" });
    expect(await note()).toEqual(["plan_missing"]);
    expect((await negotiations.reviews.pending()).map(({ codes }) => codes)).toEqual([["plan_missing"]]);
  });

  it("what somebody else submitted is none of it", async () => {
    const { world, id, negotiations } = await finished();
    const stage = await negotiations.stage(id);
    const negotiation = { ...(await world.clock.run(negotiations.get(id))), plan_output: null };
    const note = (isOwn: boolean) => {
      const said = negotiations.says({ ...stage, isOwn }, negotiation);
      return negotiations.reviews.note({ said, evidence: NO_EVIDENCE, lowScore: 0.55 });
    };
    expect(await note(false)).toEqual([]);
    expect(await note(true)).toContain("plan_missing");
  });

  it("where nothing can be written a look stands, and it waits still", async () => {
    const { negotiations, id, world } = await finished(({ mock }) => mock.engine.offerWith(() => "exit"));
    const negotiation = await world.clock.run(negotiations.get(id));
    const stage = await negotiations.stage(id, negotiation);
    const full = {
      ...world.facts,
      read: (key: never) => world.facts.read(key),
      create: async () => {
        throw new HomeUnwritable({ path: "/", reason: "ENOSPC" });
      },
    };
    const reviews = new Reviews({ facts: full as never, clock: world.clock, log: silentLog, origin: ORIGIN });
    const said = negotiations.says(stage, negotiation);
    const noted = await reviews.note({ said, evidence: NO_EVIDENCE, lowScore: 0.55 });
    expect(noted).toContain("agents_exited");
  });
});

it("while it goes on, only what cannot wait for its end calls for a look; the own cancel never does", () => {
  const all = RISK_CODES.map((code): Found => ({ code, severity: "high", evidence_path: "/state" }));
  const during = reviewable(all, false);
  expect(during).toContain("sub_negotiation_open");
  expect(during).not.toContain("single_offer");
  expect(reviewable(all, true)).toEqual(
    RISK_CODES.filter((code) => code !== "cancelled" && code !== "degraded_formulation"),
  );
  expect(reviewable([{ code: "agents_exited", severity: "low", evidence_path: "/participants" }], true)).toEqual([]);
});

describe("a backend that stays away", () => {
  const waiting = async (faults: number) => {
    const world = await createWorld();
    const p = await world.process({ answer: () => ACCEPT });
    const { negotiation_id: id } = (await p.call("towow_demand", { intent: INTENT })).result.data;
    world.mock.faults.add({ route: "get", kind: "status", status: 503, times: faults });
    const { result } = await p.call("towow_status", { wait: "done" });
    return { world, p, id, result };
  };

  it("ends the wait and waits for the person's second look, until they have had it", async () => {
    const { world, p, id, result } = await waiting(50);
    expect(result.error?.code).toMatch(/^tool\.backend\.unavailable/);
    const { reviews } = (await world.process()).negotiations;
    expect(await reviews.pending()).toMatchObject([{ negotiation_id: id, codes: ["backend_away"] }]);
    await p.call("towow_status", { wait: "change" });
    expect(await reviews.pending()).toHaveLength(1);
    expect(await reviews.answer(id, ["backend_away"], "fine", "terminal")).toEqual(["backend_away"]);
    expect(await reviews.pending()).toEqual([]);
  });

  it("is named in the results once it is over, also where nothing else calls for a look", async () => {
    const { world, p, id } = await waiting(50);
    world.mock.faults.clear();
    await p.call("towow_status", { wait: "done" });
    const { reviews } = p.negotiations;
    const others = ((await reviews.of(id))?.codes ?? []).filter((code) => code !== "backend_away");
    await reviews.answer(id, others, "fine", "terminal");
    const warnings = async () => (await p.call("towow_status", { negotiation_id: id })).result.warnings;
    expect(await warnings()).toContain("review_pending");
    await reviews.answer(id, ["backend_away"], "fine", "terminal");
    expect(await warnings()).not.toContain("review_pending");
  });

  it("for a moment only, it is no reason to look", async () => {
    const { p, result } = await waiting(1);
    expect(result.error).toBeNull();
    expect((await p.negotiations.reviews.pending()).flatMap(({ codes }) => codes)).not.toContain("backend_away");
  });
});
