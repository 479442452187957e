import { describe, expect, it } from "vitest";
import { cancels, confirms, submits } from "../support/backend.ts";
import type { Called, Form } from "../support/clients.ts";
import { sendProfile } from "../support/profile.ts";
import type { Task } from "../support/task-client.ts";
import { createWorld, PROFILE, type Process } from "../support/world.ts";
import { ACCEPT, FIVE_MINUTES, INTENT, only, pauseWithoutForms } from "./pause-support.ts";

/** A demand of the 2026 era, whose client goes on for ten rounds, as the SDK's does. */
async function roundsOf(p: Process, answer: (form: Form) => object): Promise<Called> {
  const request = p.taskClient({ elicitation: { form: {} } });
  const call = { name: "towow_demand", arguments: { intent: INTENT } };
  let again = {};
  for (let round = 0; round < 10; round++) {
    const { inputRequests, requestState, structuredContent } = (await request("tools/call", {
      ...call,
      ...again,
    })) as Task & Record<string, unknown>;
    if (structuredContent !== undefined) return { result: structuredContent } as Called;
    const responses = Object.entries(inputRequests ?? {}).map(([key, { params }]) => [key, answer(params as never)]);
    again = { inputResponses: Object.fromEntries(responses), requestState };
  }
  throw new Error("it asks on and on");
}

describe("policy and edges", () => {
  it("an engine that is not waiting yet is asked again, and confirmed once", async () => {
    const world = await createWorld({ notWaitingMs: 2_000 });
    const p = await world.process({ answer: () => ACCEPT });
    const demand = await p.call("towow_demand", { intent: INTENT });
    expect(demand.result.data.decision).toBe("accept");
    expect(only(world).confirmCount).toBe(1);
  });

  it("after a confirm the old state is not asked about again", async () => {
    const world = await createWorld();
    const p = await world.process({ answer: () => ACCEPT });
    await p.call("towow_demand", { intent: INTENT });
    const { negotiation_id } = only(world);
    world.mock.engine.patch(negotiation_id, { state: "formulated" });
    const again = await p.call("towow_demand", { negotiation_id });
    expect(p.forms).toHaveLength(1);
    expect(again.result.data.decision).toBe("accept");
  });

  it("shutdown withdraws at once what is undecided and leaves decided ones alone", async () => {
    const world = await createWorld();
    const p = await world.process();
    const decided = await pauseWithoutForms(world, p);
    await p.call("towow_demand", { ...decided, decision: "accept" });
    const open = (await p.call("towow_demand", { intent: `${INTENT}, second` })).result.data.negotiation_id;
    await world.clock.run(p.negotiations.shutdown());
    const states = Object.fromEntries(world.mock.negotiations().map((n) => [n.negotiation_id, n.cancelled]));
    expect(states).toEqual({ [decided.negotiation_id!]: false, [open]: true });
  });

  it("a call that still waits when the program ends is told so", async () => {
    const world = await createWorld({ stepMs: 5_000 });
    const p = await world.process();
    const waiting = p.start("towow_demand", { intent: INTENT });
    await world.clock.until(() => world.mock.negotiations().length === 1);
    await world.clock.run(p.negotiations.shutdown());
    const { result } = await world.clock.run(waiting);
    expect(result.error).toMatchObject({
      code: "tool.negotiation.unavailable.shutting_down",
      next_steps: ["towow_status"],
    });
    expect(only(world)).toMatchObject({ cancelled: true, confirmCount: 0 });
  });

  it("a text that is not there yet is waited for, and asked about in the same call", async () => {
    const world = await createWorld({ stepMs: 5_000 });
    const p = await world.process({ config: { mode: "developer" }, answer: () => ACCEPT });
    const demand = { intent: INTENT, scene_id: world.sceneId };
    const { negotiation_id } = (await p.call("towow_submit_demand", demand)).result.data;
    expect(only(world).state).not.toBe("formulated");
    const { result } = await p.call("towow_confirm", { negotiation_id });
    expect(result.data.decision).toBe("accept");
    expect(p.forms).toHaveLength(1);
  });

  it("a second process that saw the pause begin does not withdraw it when it ends: the first still runs", async () => {
    const world = await createWorld({ stepMs: 5_000 });
    const first = await world.process();
    const second = await world.process();
    const demanding = first.start("towow_demand", { intent: INTENT });
    await world.clock.until(() => world.mock.negotiations().length === 1);
    const { negotiation_id } = only(world);
    await second.call("towow_status", { negotiation_id, wait: "done" });
    await world.clock.run(demanding);
    expect(only(world).state).toBe("formulated");
    await world.clock.run(second.negotiations.shutdown());
    expect(cancels(world.mock)).toHaveLength(0);
    await world.clock.advance(FIVE_MINUTES);
    expect(only(world)).toMatchObject({ cancelled: true, confirmCount: 0 }); // the first one's own guard
  });

  it("progress values rise across the rounds of one call", async () => {
    const world = await createWorld();
    const p = await world.process({ answer: () => ACCEPT });
    const values: number[] = [];
    await p.call("towow_demand", { intent: INTENT }, { onProgress: (_, value) => values.push(value) });
    expect(values.length).toBeGreaterThan(1);
    expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
  });

  it.each(["2025", "2026"])(
    "a person who changes the text again and again gets a result in the end, and goes on (%s)",
    async (era) => {
      const world = await createWorld();
      let typed = 0;
      const change = ({ requestedSchema: { properties } }: Form) =>
        "confirmed_text" in properties
          ? ({ action: "accept", content: { confirmed_text: `${++typed}. ${"a longer text ".repeat(40)}` } } as const)
          : ({ action: "accept", content: { decision: "edit" } } as const);
      const p = await world.process({ answer: change });
      const { result } = era === "2025" ? await p.call("towow_demand", { intent: INTENT }) : await roundsOf(p, change);
      expect(result).toMatchObject({ error: null, data: { decision: null, resume_with: { tool: "towow_demand" } } });
      expect(result.summary).toMatch(/^Not decided yet: nothing was sent\./);
      expect(cancels(world.mock)).toHaveLength(0);
      expect(submits(world.mock)).toHaveLength(1);
      const forms = p.forms.length;
      await p.call("towow_demand", result.data.resume_with.params);
      expect(p.forms.length).toBeGreaterThan(forms);
    },
  );

  it.each(["towow_demand", "towow_confirm"])("%s by resume_with, word for word, decides nothing", async (tool) => {
    const world = await createWorld();
    const p = await world.process({ flags: { mode: "developer" } });
    const params = await pauseWithoutForms(world, p);
    expect(params.confirmation_id).toBeDefined();
    const { result } = await p.call(tool, params);
    expect(result).toMatchObject({ error: null, data: { decision: null, state: "formulated" } });
    expect([confirms(world.mock), cancels(world.mock)]).toEqual([[], []]);
    const again = result.data.resume_with;
    const { result: decided } = await p.call(again.tool, { ...again.params, decision: "accept" });
    expect(decided.data.decision).toBe("accept");
  });

  it.each([
    ["does not answer", { kind: "delay", delayMs: 3_600_000 }],
    ["breaks off", { kind: "drop_before" }],
    ["fails", { kind: "status", status: 500 }],
  ] as const)("a yes that meets a backend that %s is not carried out, and is not taken for done", async (_, fault) => {
    const world = await createWorld();
    const { faults } = world.mock;
    const p = await world.process({
      answer: () => {
        if (p.forms.length === 1) faults.add({ route: "get", times: Number.POSITIVE_INFINITY, ...fault });
        return ACCEPT;
      },
    });
    const { result } = await p.call("towow_demand", { intent: INTENT });
    expect(result.error?.message).toContain("nothing was broadcast");
    expect(result.error?.recovery_suggestion).toMatch(/^Try again.+Without a decision, it is withdrawn at/);
    expect(confirms(world.mock)).toHaveLength(0);
    faults.clear();
    const again = await p.call("towow_demand", { negotiation_id: only(world).negotiation_id });
    expect(again.result).toMatchObject({ error: null, data: { decision: "accept" } });
    expect(submits(world.mock)).toHaveLength(1);
  });

  it("personal data that went out and is hidden afterwards is said to be hidden there only", async () => {
    const world = await createWorld();
    const p = await world.process();
    const asked = await p.call("towow_demand", { intent: `${INTENT}. Call 13800138000.` });
    expect(asked.text).not.toContain("hidden in this result only");
    const { params } = asked.result.data.resume_with;
    const { text } = await p.call("towow_demand", { ...params, decision: "accept" });
    expect(only(world).confirmedText).toContain("13800138000");
    for (const shown of [text, (await p.call("towow_status", { view: "full" })).text]) {
      expect(shown).toContain("[phone hidden]");
      expect(shown).toContain("hidden in this result only");
    }
  });

  it("joining as an agent takes the degraded warning away", async () => {
    const world = await createWorld();
    const p = await world.process();
    const before = await p.call("towow_demand", { intent: INTENT });
    expect(before.result.warnings).toContain("submitter_not_registered");
    await sendProfile(p.call, "towow_join", { scene: world.sceneId, display_name: "Lin", profile_data: PROFILE });
    const after = await p.call("towow_demand", { intent: `${INTENT}, now` });
    expect(after.result.warnings).toEqual([]);
  });
});
