import { describe, expect, it } from "vitest";
import { ACCEPT, FIVE_MINUTES } from "../ask/pause-support.ts";
import { confirms, submits } from "../support/backend.ts";
import { sendProfile } from "../support/profile.ts";
import { createWorld } from "../support/world.ts";
import { INTENT, paused } from "./engine-support.ts";

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
    expect(result.summary).toMatch(/There is a plan, but it holds no offers: (?:all \d+ agents|the only agent) left\./);
    expect([result.summary, ...progress].join("\n")).not.toMatch(/plan is ready|all offers are in/i);
  });

  it("an agent that left after its offer is counted once, as one that left", async () => {
    const world = await createWorld({ stepMs: 2_000 });
    const p = await world.process({ answer: () => ACCEPT });
    await p.call("towow_demand", { intent: INTENT });
    await world.clock.until(() => world.mock.negotiations()[0]?.state === "offering");
    const left = {
      agent_id: "agent_1",
      display_name: "Ann",
      resonance_score: 0.8,
      state: "exited",
      offer_content: "Me.",
    };
    world.rewrite = (body) =>
      (body as { participants?: unknown }).participants === undefined
        ? body
        : { ...(body as object), participants: [left] };
    const { result } = await p.call("towow_status", {});
    expect(result.summary).toContain("0 of 1 agent made an offer, 1 left.");
  });

  it("accept, cancelled before any agent was asked: that is said, whatever was seen on the way", async () => {
    const world = await createWorld({ stepMs: 5_000 });
    const p = await world.process({ answer: () => ACCEPT });
    const { negotiation_id } = (await p.call("towow_demand", { intent: INTENT })).result.data;
    await world.clock.until(() => world.mock.negotiations()[0]?.state === "encoding");
    expect((await p.call("towow_status", { negotiation_id })).result.data.state).toBe("encoding");
    await p.call("towow_demand", { negotiation_id, decision: "cancel" });
    const { result } = await p.call("towow_status", { negotiation_id });
    expect(result.summary).toMatch(/^You withdrew this demand\. No agent was asked\.$/m);
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
    expect(progress.join("\n")).toMatch(/without checking for resonance/);
    expect(progress.join("\n")).not.toMatch(/agents? resonated/);
  });

  it.each([
    ["en", "The Center opened a sub-negotiation under your id, with a demand you have not seen."],
    ["zh", "Center 以你的名义另发起了一次子协商，其中的需求你没有看过。"],
  ])("the Center opens a sub-negotiation: a sentence (%s)", async (lang, sentence) => {
    const world = await createWorld();
    const p = await world.process({ answer: () => ACCEPT, config: { lang }, feed: true });
    await p.call("towow_demand", { intent: `${INTENT} [[center=sub]]` });
    await p.call("towow_status", { wait: "done" });
    await world.clock.advance(2_000);
    const { result } = await p.call("towow_status", { view: "full" });
    expect(result.data.evidence?.center_calls).toContain("create_sub_demand");
    expect(result.warnings).not.toContain("suspicious_instructions");
    expect(result.data.sub_session_ids).toHaveLength(1);
    expect(result.warnings).toContain("sub_negotiation_open");
    expect(result.summary).toContain(sentence);
  });

  it("nobody waits for a sub-negotiation that was stopped with what opened it", async () => {
    const world = await createWorld({ stepMs: 2_000 });
    const p = await world.process({ answer: () => ACCEPT });
    const { negotiation_id } = (await p.call("towow_demand", { intent: `${INTENT} [[center=sub]]` })).result.data;
    const children = () => world.mock.negotiations().filter(({ depth }) => depth > 0);
    while (children().length === 0) await world.clock.advance(1_000);
    const args = { negotiation_id: children()[0]?.negotiation_id, wait: "done", view: "full" };
    world.mock.engine.cancel(negotiation_id);
    const { result } = await p.call("towow_status", args);
    expect(result.data.state).not.toBe("completed");
    expect(result.data.resume_with).toBeNull();
    expect(result.warnings).toContain("stopped_with_parent");
    expect(result.summary).toContain("The negotiation that opened this one is over");
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
  const words = decision === "edit" ? "confirmed with another text" : "confirmed";
  const pending = ", with no sign yet that the backend received it";
  expect(lost.result.error?.message).toContain(
    `already decided: ${words}${pending}, passed on by the AI, 2026-11-21T00:00:0`,
  );
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
      expect(result.error?.recovery_suggestion).toMatch(/Without a decision, it is withdrawn at 00:04:4/);
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
    expect(cancelled.result.error?.recovery_suggestion).toMatch(
      /A running program keeps trying until the backend has it/,
    );
    const again = await demand();
    expect(submits(world.mock)).toHaveLength(2);
    expect(again.result.error?.message).not.toContain(id);
    await world.clock.advance(5_000);
    expect(world.mock.negotiations()[0]).toMatchObject({ cancelled: true });
    const status = await p.call("towow_status", { negotiation_id: id });
    expect(status.result.error?.message).toContain(id);
    expect(status.result.error?.message).toContain("You withdrew it and it is over. The backend does not show how");
    expect(status.result.error?.recovery_suggestion).toMatch(/there is nothing to do/);
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
    expect(status.result.error?.message).toContain("Nobody decided in time, so it was withdrawn and is over.");
  });
});
