import { describe, expect, it } from "vitest";
import type { MockOptions } from "../../mock-backend/main.ts";
import { Standstill } from "../../mock-backend/standstill.ts";
import { ACCEPT, FIVE_MINUTES } from "../ask/pause-support.ts";
import { cancels, confirms, submits } from "../support/backend.ts";
import { sendProfile } from "../support/profile.ts";
import { createWorld, type ProcessOptions, type World } from "../support/world.ts";

/** What was seen at the real engine and told wrongly once: what is said of it now is what the backend did. */

/** Somebody of the sample scene can do that. */
const INTENT = "machine learning";
const NOT_BROADCAST = /not broadcast/i;
const REACHED = /By then the backend had broadcast it, and \d+ agents? had been asked\./;
const TOO_LATE = "Your decision came too late and had no effect";

async function paused({ mock = {}, ...options }: ProcessOptions & { mock?: MockOptions } = {}) {
  const world = await createWorld({ offerTimeoutMs: 100_000, ...mock });
  const p = await world.process(options);
  const { result } = await p.call("towow_demand", { intent: INTENT });
  expect(result.data.state).toBe("formulated");
  const params = result.data.resume_with.params as { negotiation_id: string; confirmation_id: string };
  return { world, p, params, id: params.negotiation_id };
}

const waitForOffers = (world: World) => world.mock.engine.offerWith(() => "hang");

describe("over the deadline", () => {
  it("the engine stands still and goes on: it asked agents before it took the withdrawal", async () => {
    const { world, p, id } = await paused();
    waitForOffers(world);
    await world.clock.advance(280_000);
    world.mock.standStill(30_000, 2_000);
    await world.clock.advance(45_000);
    const { result } = await p.call("towow_status", { negotiation_id: id });
    expect(result.summary).toMatch(/Nobody decided in time/);
    expect(result.summary).toMatch(REACHED);
    expect(result.data.open).toEqual([]);
  });

  it("the engine goes on and takes the withdrawal before it asks anybody: no more is claimed than that", async () => {
    const { world, p, id } = await paused();
    await world.clock.advance(280_000);
    world.mock.standStill(30_000, 10);
    await world.clock.advance(45_000);
    expect(world.mock.negotiations()[0]).toMatchObject({ confirmedBy: "timeout", participants: [] });
    const { result } = await p.call("towow_status", { negotiation_id: id });
    expect(result.summary).toContain("No agent was asked.");
    expect(result.summary).toContain("it may have begun to look for agents");
    expect(result.warnings).toContain("withdrawn_late");
    expect(result.summary).not.toMatch(NOT_BROADCAST);
  });

  it("the engine has looked for agents and found none when the withdrawal comes: it was broadcast, and that is said", async () => {
    const { world, p, id } = await paused();
    await world.clock.advance(280_000);
    world.mock.engine.patch(id, { candidates: [] });
    world.mock.standStill(30_000, 400);
    await world.clock.advance(45_000);
    expect(world.mock.negotiations()[0]).toMatchObject({ confirmedBy: "timeout", center_rounds: 1, cancelled: true });
    const { result } = await p.call("towow_status", { negotiation_id: id });
    expect(result.warnings).toContain("auto_confirmed");
    expect(result.summary).toContain("By then the backend had broadcast it.");
  });

  it("a withdrawal within the deadline says nothing of a late one", async () => {
    const { world, p, id } = await paused();
    await world.clock.advance(300_000);
    expect(world.mock.negotiations()[0]).toMatchObject({ cancelled: true, confirmedBy: undefined });
    const { result } = await p.call("towow_status", { negotiation_id: id });
    for (const code of ["withdrawn_late", "auto_confirmed"]) expect(result.warnings).not.toContain(code);
    expect(result.status).toBe("ok");
  });

  it("the program stands still and goes on: its withdrawal came behind the broadcast", async () => {
    const world = await createWorld({ offerTimeoutMs: 100_000 });
    const standstill = new Standstill(world.clock);
    const p = await world.process({ clock: standstill.clock });
    const demand = await p.call("towow_demand", { intent: INTENT });
    waitForOffers(world);
    await world.clock.advance(200_000);
    standstill.begin(110_000);
    await world.clock.advance(120_000);
    expect(cancels(world.mock)).toHaveLength(1);
    const { result } = await p.call("towow_status", { negotiation_id: demand.result.data.negotiation_id });
    expect(result.summary).toMatch(REACHED);
    expect(result.summary).not.toMatch(NOT_BROADCAST);
    expect(result.data.open).toEqual([]);
  });
});

/** The backend's deadline is shorter than ours: it has broadcast, and nobody here has seen it yet. */
const SHORT = { confirmTimeoutMs: 120_000 };
const LATE_MS = 121_000;

describe.each(["cancel", "leave"] as const)("a no behind the backend's deadline, under %s", (on_unconfirmed) => {
  it.each(["reject", "decline"])("%s while agents are asked: stopped, and who was asked is said", async (how) => {
    const answer = async () => {
      await world.clock.sleep(LATE_MS);
      return { action: "decline" } as const;
    };
    const world = await createWorld({ ...SHORT, offerTimeoutMs: 100_000 });
    waitForOffers(world);
    const p = await world.process({ config: { on_unconfirmed }, ...(how === "decline" && { answer }) });
    const demand = await p.call("towow_demand", { intent: INTENT });
    if (how === "reject") await world.clock.advance(LATE_MS);
    const { params } = demand.result.data.resume_with ?? {};
    const { result } = how === "decline" ? demand : await p.call("towow_demand", { ...params, decision: "reject" });
    expect(world.mock.negotiations()[0]).toMatchObject({ confirmedBy: "timeout", cancelled: true });
    expect(result.data.decision).toBe("reject");
    expect(result.summary).toMatch(REACHED);
    expect(result.summary).not.toMatch(NOT_BROADCAST);
    const status = await p.call("towow_status", { negotiation_id: result.data.negotiation_id });
    expect(status.result.summary).toMatch(REACHED);
    expect(status.result.data.open).toEqual([]);
  });

  it("reject before anybody was asked: that, and no more", async () => {
    const { world, p, params } = await paused({ mock: { ...SHORT, stepMs: 5_000 }, config: { on_unconfirmed } });
    await world.clock.until(() => world.mock.negotiations()[0]?.state === "encoding");
    const { result } = await p.call("towow_demand", { ...params, decision: "reject" });
    expect(result.summary).toContain("No agent was asked.");
    expect(result.summary).not.toMatch(NOT_BROADCAST);
  });

  it("reject of what is over: the result itself says that it came too late", async () => {
    const { world, p, params, id } = await paused({ mock: SHORT, config: { on_unconfirmed } });
    await world.clock.advance(LATE_MS + 10_000);
    const { result } = await p.call("towow_demand", { ...params, decision: "reject" });
    expect(result).toMatchObject({ status: "degraded", error: null, data: { decision: null, state: "completed" } });
    expect(result.warnings).toEqual(expect.arrayContaining(["decision_too_late", "auto_confirmed"]));
    expect(result.summary).toContain(TOO_LATE);
    const status = await p.call("towow_status", { negotiation_id: id });
    expect(status.result.warnings).toContain("decision_too_late");
    expect(status.result.data.open).toEqual([]);
  });
});

describe("a yes after the backend confirmed by itself", () => {
  it.each([
    ["accept", {}],
    ["edit", { confirmed_text: "Mine" }],
  ])("%s: too late, without effect, and not open any more", async (decision, extra) => {
    const { world, p, params } = await paused({ mock: SHORT });
    await world.clock.advance(LATE_MS + 10_000);
    const { result } = await p.call("towow_demand", { ...params, decision, ...extra });
    expect(confirms(world.mock)).toEqual([]);
    expect(result).toMatchObject({ status: "degraded", data: { decision: null } });
    expect(result.warnings).toEqual(expect.arrayContaining(["decision_too_late", "auto_confirmed"]));
    expect(result.summary).toContain(TOO_LATE);
    expect((await p.call("towow_status", { view: "full" })).result.data.open).toEqual([]);
  });

  it("an edit that was overtaken on its way: the same", async () => {
    const { world, p, params, id } = await paused({ mock: SHORT });
    await world.clock.advance(105_000);
    world.mock.faults.add({ route: "confirm", kind: "delay", delayMs: 20_000, delayWhen: "before" });
    const { result } = await p.call("towow_demand", { ...params, decision: "edit", confirmed_text: "Mine" });
    expect(world.mock.negotiations()[0]).toMatchObject({ confirmedBy: "timeout", confirmCount: 0 });
    expect(result.warnings).toContain("decision_too_late");
    expect(result.summary).toContain(TOO_LATE);
    const status = await p.call("towow_status", { negotiation_id: id });
    expect(status.result.warnings).toContain("decision_too_late");
    expect(status.result.data.open).toEqual([]);
  });

  it("one that a status had seen: who went on is named", async () => {
    const { world, p, params, id } = await paused({ mock: SHORT });
    await world.clock.advance(LATE_MS);
    await p.call("towow_status", { negotiation_id: id });
    const { result } = await p.call("towow_demand", { ...params, decision: "accept" });
    expect(result.error?.code).toBe("tool.negotiation.conflict.already_decided");
    expect(result.error?.message).toContain("auto_confirmed, by backend, 2026-11-21T00:02:0");
  });
});

describe("somebody else confirmed with another text", () => {
  it.each([undefined, "accept", "edit"])("and here comes %s: it is another text, not ours", async (decision) => {
    const { world, p, params, id } = await paused();
    world.mock.engine.confirm(id, "Another text", "other");
    await world.clock.advance(3_000);
    const { result } = await (decision === undefined
      ? p.call("towow_status", { negotiation_id: id })
      : p.call("towow_demand", { ...params, decision, ...(decision === "edit" && { confirmed_text: "Mine" }) }));
    expect(world.mock.negotiations()[0]).toMatchObject({ confirmedBy: "other", confirmedText: "Another text" });
    expect(result.status).toBe("degraded");
    expect(result.warnings).toEqual(expect.arrayContaining(["auto_confirmed", "other_text_broadcast"]));
    expect(result.summary).toContain("The text that was broadcast is not one that you were shown here.");
    if (decision !== undefined) expect(result.summary).toContain(TOO_LATE);
    expect((await p.call("towow_status", { view: "full" })).result.data.open).toEqual([]);
  });

  it("and a reject comes a moment later: not said to be unbroadcast", async () => {
    const { world, p, params, id } = await paused();
    world.mock.engine.confirm(id, "Another text", "other");
    await world.clock.advance(60);
    const { result } = await p.call("towow_demand", { ...params, decision: "reject" });
    expect(result.summary).not.toMatch(NOT_BROADCAST);
  });
});

describe("on the way to the plan", () => {
  it("every agent exited: no offer is claimed, and no agent takes part", async () => {
    const world = await createWorld();
    world.mock.engine.offerWith(() => "exit");
    const p = await world.process({ answer: () => ACCEPT });
    await p.call("towow_demand", { intent: INTENT });
    const progress: string[] = [];
    const { result } = await p.call("towow_status", { wait: "done" }, { onProgress: (m) => progress.push(m) });
    expect(result.data.participants.length).toBeGreaterThan(0);
    expect(result).toMatchObject({
      status: "degraded",
      warnings: ["degraded_formulation", "agents_exited", "review_pending"],
    });
    expect(result.summary).toMatch(/There is a plan, but no offer in it: all \d+ agents? left\./);
    expect([result.summary, ...progress].join("\n")).not.toMatch(/plan is ready|all offers are in/i);
  });

  it("accept, later cancel: cancelled by the person, behind the broadcast; no plan is missing", async () => {
    const world = await createWorld({ stepMs: 2_000 });
    const p = await world.process({ answer: () => ACCEPT });
    const { negotiation_id } = (await p.call("towow_demand", { intent: INTENT })).result.data;
    await p.call("towow_demand", { negotiation_id, decision: "cancel" });
    const { result } = await p.call("towow_status", { negotiation_id });
    expect(result).toMatchObject({ status: "ok", warnings: [] });
    expect(result.summary).toMatch(/^You cancelled this negotiation\. By then the backend had broadcast it/);
  });

  it("the encoder fails: nobody resonated, and nobody is said to have", async () => {
    const world = await createWorld();
    const p = await world.process({ answer: () => ACCEPT });
    const progress: string[] = [];
    const onProgress = (message: string) => progress.push(message);
    await p.call("towow_demand", { intent: `${INTENT} [[encode=fail]]` }, { onProgress });
    const { result } = await p.call("towow_status", { wait: "done" }, { onProgress });
    expect(result).toMatchObject({
      status: "degraded",
      warnings: ["degraded_resonance", "degraded_formulation", "review_pending"],
    });
    expect(result.summary).toContain("The backend could not compare texts");
    expect(progress.join("\n")).toMatch(/were asked without any resonance/);
    expect(progress.join("\n")).not.toMatch(/Resonance found/);
  });

  it.each([
    ["en", "The Center opened a sub-negotiation: a demand went out under your id that you have not seen."],
    ["zh", "Center 自行发起了一次子协商：有一条你没有看过的需求以你的 ID 发出。"],
  ])("the Center opens a sub-negotiation: a sentence (%s)", async (lang, sentence) => {
    const world = await createWorld();
    const p = await world.process({ answer: () => ACCEPT, config: { lang } });
    await p.call("towow_demand", { intent: `${INTENT} [[center=sub]]` });
    const { result } = await p.call("towow_status", { wait: "done" });
    expect(result.data.sub_session_ids).toHaveLength(1);
    expect(result.warnings).toContain("sub_negotiation_open");
    expect(result.summary).toContain(sentence);
  });
});

it("accept and edit at once in one session: the second is told what the first was, who, and when", async () => {
  const { world, p, params } = await paused();
  const [accept, edit] = await world.clock.run(
    Promise.all([
      p.start("towow_demand", { ...params, decision: "accept" }),
      p.start("towow_demand", { ...params, decision: "edit", confirmed_text: "Mine" }),
    ]),
  );
  expect(confirms(world.mock)).toHaveLength(1);
  const [won, lost] = accept.isError ? [edit, accept] : [accept, edit];
  const { decision } = won.result.data;
  expect(["accept", "edit"]).toContain(decision);
  expect(lost.result.error?.code).toBe("tool.negotiation.conflict.already_decided");
  expect(lost.result.error?.message).toContain(`already decided: ${decision}, by argument, 2026-11-21T00:00:0`);
});

describe("a formulation that makes every look at it fail", () => {
  async function broken(config = {}) {
    const world = await createWorld();
    const p = await world.process({ flags: { mode: "developer" }, config });
    const profile_data = { skills: ["design"], bio: "Designs." };
    await sendProfile(p.call, "towow_register_agent", { scene_id: world.sceneId, display_name: "Lin", profile_data });
    const intent = `${INTENT} [[formulation=list]]`;
    const demand = () => p.call("towow_demand", { intent, scene_id: world.sceneId });
    const first = await demand();
    const id = world.mock.negotiations()[0]?.negotiation_id ?? "";
    return { world, p, id, demand, first };
  }

  it("the error names the negotiation, by when it is withdrawn, and how to go on; so does the status", async () => {
    const { p, id, first } = await broken();
    for (const { result } of [
      first,
      await p.call("towow_status", {}),
      await p.call("towow_status", { negotiation_id: id }),
    ]) {
      expect(result.error?.code).toBe("tool.backend.unavailable.server_error");
      expect(result.error?.message).toContain(id);
      expect(result.error?.recovery_suggestion).toMatch(new RegExp(`negotiation_id ${id} and decision cancel`));
      expect(result.error?.recovery_suggestion).toMatch(/Undecided, it will be withdrawn at 00:04:4/);
      expect(result.error?.resume_with?.params).toEqual({ negotiation_id: id });
    }
  });

  it("in Chinese as well", async () => {
    const { id, first } = await broken({ lang: "zh" });
    expect(first.result.error?.recovery_suggestion).toContain(`negotiation_id ${id} 和 decision cancel`);
  });

  it("cancelled: what is written tells it, and the same demand is a new one", async () => {
    const { world, p, id, demand } = await broken();
    const cancelled = await p.call("towow_demand", { negotiation_id: id, decision: "cancel" });
    expect(cancelled.result.error?.message).toContain(id);
    expect(cancelled.result.error?.recovery_suggestion).toMatch(/This program goes on until the backend has it/);
    const again = await demand();
    expect(submits(world.mock)).toHaveLength(2);
    expect(again.result.error?.message).not.toContain(id);
    await world.clock.advance(5_000);
    expect(world.mock.negotiations()[0]).toMatchObject({ cancelled: true });
    const status = await p.call("towow_status", { negotiation_id: id });
    expect(status.result.error?.message).toContain(id);
    expect(status.result.error?.message).toContain("You cancelled this negotiation. Whether it had been broadcast");
    expect(status.result.error?.recovery_suggestion).toMatch(/nothing needs to be done/);
  });

  it("left alone: withdrawn in time, said so, and the same demand is a new one after two minutes", async () => {
    const { world, p, id, demand } = await broken();
    await demand();
    expect(submits(world.mock)).toHaveLength(1); // a model that tries again
    await world.clock.advance(121_000);
    await demand();
    expect(submits(world.mock)).toHaveLength(2);
    await world.clock.advance(FIVE_MINUTES);
    for (const one of world.mock.negotiations()) expect(one).toMatchObject({ cancelled: true, confirmedBy: undefined });
    const status = await p.call("towow_status", { negotiation_id: id });
    expect(status.result.error?.message).toContain("Nobody decided in time, so the demand was withdrawn.");
  });
});
