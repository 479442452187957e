import { describe, expect, it } from "vitest";
import { cancels, confirms, submits } from "../support/backend.ts";
import type { Answer } from "../support/clients.ts";
import { createWorld, PROFILE, type Process, type World } from "../support/world.ts";

const INTENT = "A designer for a hospital queue pilot";
const ACCEPT: Answer = { action: "accept", content: { decision: "accept" } };
const LONG = "Wanted: somebody who knows hospital software. ".repeat(45).slice(0, 2_000);
const FIVE_MINUTES = 300_000;

/** Submits through a client without forms and gives back the call that decides. */
async function pauseWithoutForms(world: World, process: Process) {
  const demand = await process.call("towow_demand", { intent: INTENT });
  expect(demand.result.data.state).toBe("formulated");
  expect(confirms(world.mock)).toHaveLength(0);
  return demand.result.data.resume_with.params as Record<string, string>;
}
const only = (world: World) => {
  const [negotiation, ...more] = world.mock.negotiations();
  expect(more).toEqual([]);
  return negotiation!;
};

describe("no confirm without a decision", () => {
  it("parallel calls: two accepts at once confirm once", async () => {
    const world = await createWorld();
    const p = await world.process();
    const params = await pauseWithoutForms(world, p);
    const both = Promise.all([1, 2].map(() => p.start("towow_demand", { ...params, decision: "accept" })));
    const results = await world.clock.run(both);
    expect(confirms(world.mock)).toHaveLength(1);
    expect(results.map((r) => r.result.error?.code ?? "ok").sort()).toEqual([
      "ok",
      "tool.negotiation.conflict.already_decided",
    ]);
  });

  it("parallel calls: the demand and a second decision while its form is open", async () => {
    const world = await createWorld();
    let reply: (answer: Answer) => void = () => {};
    const p = await world.process({ answer: () => new Promise((resolve) => (reply = resolve)) });
    const first = p.start("towow_demand", { intent: INTENT });
    await world.clock.until(() => p.forms.length === 1);
    const second = p.start("towow_demand", { negotiation_id: only(world).negotiation_id, decision: "accept" });
    await world.clock.until(() => p.forms.length === 2);
    expect(confirms(world.mock)).toHaveLength(0);
    reply({ action: "decline" });
    await world.clock.run(second);
    expect(only(world)).toMatchObject({ cancelled: true, confirmCount: 0 });
    void first.catch(() => {});
  });

  it("two processes deciding at once: one wins, the other is told who was first", async () => {
    const world = await createWorld();
    const a = await world.process();
    const b = await world.process();
    const params = await pauseWithoutForms(world, a);
    const [first, second] = await world.clock.run(
      Promise.all([
        a.start("towow_demand", { ...params, decision: "accept" }),
        b.start("towow_demand", { ...params, decision: "edit", confirmed_text: "Another text" }),
      ]),
    );
    expect(confirms(world.mock)).toHaveLength(1);
    const loser = [first, second].find((r) => r.isError);
    expect(loser?.result.error).toMatchObject({ code: "tool.negotiation.conflict.already_decided" });
    expect(loser?.text).toMatch(/accept|edit/);
    expect(only(world).confirmCount).toBe(1);
  });

  it("a forged confirmation id confirms nothing, and the guard goes on", async () => {
    const world = await createWorld();
    const p = await world.process();
    const params = await pauseWithoutForms(world, p);
    const forged = await p.call("towow_demand", { ...params, confirmation_id: "forged", decision: "accept" });
    expect(forged.result.error?.code).toBe("tool.negotiation.invalid.confirmation_id");
    const missing = await p.call("towow_demand", { negotiation_id: params.negotiation_id, decision: "accept" });
    expect(missing.result.error?.code).toBe("tool.negotiation.invalid.confirmation_id");
    await world.clock.advance(FIVE_MINUTES);
    expect(only(world)).toMatchObject({ cancelled: true, confirmCount: 0 });
  });

  it("a confirmation id of another negotiation confirms neither", async () => {
    const world = await createWorld();
    const p = await world.process();
    const first = await pauseWithoutForms(world, p);
    const second = (await p.call("towow_demand", { intent: `${INTENT}, again` })).result.data.resume_with.params;
    const mixed = await p.call("towow_demand", {
      negotiation_id: first.negotiation_id,
      confirmation_id: second.confirmation_id,
      decision: "accept",
    });
    expect(mixed.result.error?.code).toBe("tool.negotiation.invalid.confirmation_id");
    expect(confirms(world.mock)).toHaveLength(0);
  });

  it("a reused confirmation id confirms once", async () => {
    const world = await createWorld();
    const p = await world.process();
    const params = await pauseWithoutForms(world, p);
    await p.call("towow_demand", { ...params, decision: "accept" });
    const again = await p.call("towow_demand", { ...params, decision: "accept" });
    expect(again.result.error?.code).toBe("tool.negotiation.conflict.already_decided");
    expect(confirms(world.mock)).toHaveLength(1);
  });

  it("the process killed in the pause: a later one finds it, asks again and guards it", async () => {
    const world = await createWorld();
    const killed = await world.process();
    const params = await pauseWithoutForms(world, killed);
    world.dead.add(killed.pid);
    const heir = await world.process();
    const status = await heir.call("towow_status", { negotiation_id: params.negotiation_id });
    expect(status.result.data.open).toHaveLength(1);
    expect(status.result.data.resume_with.params.confirmation_id).toBeTruthy();
    await world.clock.advance(FIVE_MINUTES);
    expect(only(world)).toMatchObject({ cancelled: true, confirmCount: 0 });
    const after = await heir.call("towow_status", { negotiation_id: params.negotiation_id });
    expect(after.result.summary).toContain("withdrawn");
  });

  it("killed between a decision and its request: the next process carries the same decision out, once", async () => {
    const world = await createWorld();
    const killed = await world.process();
    const { negotiation_id } = await pauseWithoutForms(world, killed);
    const record = await world.history.get(negotiation_id!);
    await world.history.decide(negotiation_id!, {
      kind: "accept",
      by: "form",
      at: world.clock.now(),
      owner: { instance: "killed", pid: killed.pid },
      text_hash: record!.confirmation!.formulated_hash,
    });
    world.dead.add(killed.pid);
    await world.clock.advance(10_000);
    const heir = await world.process();
    await heir.call("towow_status", { negotiation_id });
    expect(confirms(world.mock)).toHaveLength(1);
    expect(only(world).confirmedBy).toBe("user");
  });

  it("the call cancelled by the client while the form is open: nothing sent, withdrawn before the deadline", async () => {
    const world = await createWorld();
    const p = await world.process({ answer: () => new Promise<Answer>(() => {}) });
    const abort = new AbortController();
    const call = p.start("towow_demand", { intent: INTENT }, { signal: abort.signal });
    call.catch(() => {});
    await world.clock.until(() => p.forms.length === 1);
    abort.abort();
    await world.clock.advance(FIVE_MINUTES);
    expect(confirms(world.mock)).toHaveLength(0);
    expect(only(world)).toMatchObject({ cancelled: true, confirmCount: 0, confirmedBy: undefined });
  });

  it("the call cancelled by the client during the submit: the demand is known and guarded", async () => {
    const world = await createWorld();
    world.mock.faults.add({ route: "submit", kind: "delay", delayMs: 2_000, delayWhen: "after" });
    const p = await world.process();
    const abort = new AbortController();
    const call = p.start("towow_demand", { intent: INTENT }, { signal: abort.signal });
    call.catch(() => {});
    await world.clock.until(() => submits(world.mock).length === 1);
    abort.abort();
    await world.clock.advance(FIVE_MINUTES + 5_000);
    expect(only(world)).toMatchObject({ cancelled: true, confirmCount: 0 });
  });

  it("a submit followed by silence is withdrawn before the backend broadcasts it", async () => {
    const world = await createWorld();
    const p = await world.process({ flags: { mode: "developer" } });
    await p.call("towow_submit_demand", { scene_id: world.sceneId, intent: INTENT });
    await world.clock.advance(FIVE_MINUTES);
    expect(only(world)).toMatchObject({ cancelled: true, confirmCount: 0, confirmedBy: undefined });
    const status = await p.call("towow_status");
    expect(status.result.summary).toContain("withdrawn");
  });

  it("the deadline passing in the pause: withdrawn at 285 s, and a late yes is told so", async () => {
    const world = await createWorld();
    const p = await world.process();
    const params = await pauseWithoutForms(world, p);
    await world.clock.advance(280_000);
    expect(cancels(world.mock)).toHaveLength(0);
    await world.clock.advance(8_000);
    expect(cancels(world.mock)).toHaveLength(1);
    const late = await p.call("towow_demand", { ...params, decision: "accept" });
    expect(late.result.error).toMatchObject({ code: "tool.negotiation.conflict.already_decided" });
    expect(late.text).toContain("withdraw");
    expect(only(world)).toMatchObject({ cancelled: true, confirmCount: 0 });
  });

  it("a backend that fails while the guard withdraws is asked until it has happened", async () => {
    const world = await createWorld();
    const p = await world.process();
    await pauseWithoutForms(world, p);
    world.mock.faults.add({ route: "action", kind: "status", status: 503, times: 4 });
    await world.clock.advance(FIVE_MINUTES - 1_000);
    expect(only(world)).toMatchObject({ cancelled: true, confirmCount: 0 });
  });

  it.each([7, 40])("of %i s to decide, enough is left for a withdrawal that fails at first", async (seconds) => {
    const world = await createWorld({ confirmTimeoutMs: seconds * 1_000 });
    const p = await world.process({ config: { confirm_deadline_s: seconds } });
    await pauseWithoutForms(world, p);
    world.mock.faults.add({ route: "action", kind: "status", status: 503, times: 2 });
    await world.clock.advance(seconds * 1_000);
    expect(only(world)).toMatchObject({ cancelled: true, confirmCount: 0 });
  });

  it.each([
    ["by form", ACCEPT],
    ["by argument", undefined],
  ])("a text that changes between question and answer is asked about again (%s)", async (_, answer) => {
    const world = await createWorld();
    const changed = "The text is another one now.";
    const change = () => {
      world.mock.engine.setFormulatedText(only(world).negotiation_id, changed);
    };
    let asked = 0;
    const p = await world.process(
      answer && {
        answer: () => {
          if (asked++ === 0) change();
          return answer;
        },
      },
    );
    if (answer) {
      const demand = await p.call("towow_demand", { intent: INTENT });
      expect(p.forms).toHaveLength(2);
      expect(p.forms[1]?.message).toContain(changed);
      expect(demand.result.data.decision).toBe("accept");
    } else {
      const params = await pauseWithoutForms(world, p);
      change();
      const again = await p.call("towow_demand", { ...params, decision: "accept" });
      expect(again.result.warnings).toContain("text_changed");
      expect(again.result.data).toMatchObject({ decision: null, formulated_text: changed });
      expect(confirms(world.mock)).toHaveLength(0);
      const { params: fresh } = again.result.data.resume_with;
      await p.call("towow_demand", { ...fresh, decision: "accept" });
    }
    expect(confirms(world.mock)).toHaveLength(1);
    expect(only(world).confirmedText).toBe(changed);
  });
});

describe("seen means seen whole", () => {
  it("a text of 2,000 characters is never pressed into a form, and returned whole", async () => {
    const world = await createWorld();
    world.mock.engine.formulateWith(() => LONG);
    const p = await world.process({ answer: () => ACCEPT });
    const demand = await p.call("towow_demand", { intent: INTENT });
    expect(p.forms).toHaveLength(0);
    expect(demand.result.data).toMatchObject({ formulated_text: LONG, decision: null });
    expect(demand.text).toContain(LONG);
    expect(confirms(world.mock)).toHaveLength(0);

    const { params } = demand.result.data.resume_with;
    const decided = await p.call("towow_demand", { ...params, decision: "accept" });
    expect(p.forms).toHaveLength(1);
    expect(p.forms[0]?.message).not.toContain(LONG);
    expect(p.forms[0]?.message).toContain("2000 characters");
    expect(decided.result.data).toMatchObject({ decision: "accept", decided_by: "form" });
    expect(only(world).confirmedText).toBe(LONG);
  });

  it("a decision argument never confirms by itself where the client has forms", async () => {
    const world = await createWorld();
    world.mock.engine.formulateWith(() => LONG);
    const p = await world.process({ answer: () => ({ action: "cancel" }) });
    const demand = await p.call("towow_demand", { intent: INTENT });
    const { params } = demand.result.data.resume_with;
    for (const decision of ["accept", "edit"])
      await p.call("towow_demand", { ...params, decision, ...(decision === "edit" && { confirmed_text: "Mine" }) });
    expect(p.forms.length).toBeGreaterThan(0);
    expect(confirms(world.mock)).toHaveLength(0);
  });

  it("an edited long text is shown whole before a form asks about it", async () => {
    const world = await createWorld();
    const p = await world.process({ answer: () => ({ action: "cancel" }) });
    const demand = await p.call("towow_demand", { intent: INTENT });
    p.forms.length = 0;
    const { params } = demand.result.data.resume_with;
    const shown = await p.call("towow_demand", { ...params, decision: "edit", confirmed_text: LONG });
    expect(p.forms).toHaveLength(0);
    expect(shown.result.data.formulated_text).toBe(LONG);
    await p.call("towow_demand", shown.result.data.resume_with.params);
    expect(p.forms).toHaveLength(1);
    expect(p.forms[0]?.message).toContain("2000 characters");
    expect(confirms(world.mock)).toHaveLength(0);
  });

  it("invisible characters are shown as escapes, and the raw text is what goes out", async () => {
    const world = await createWorld();
    const raw = "Designer\u202E wanted\u{E0041}";
    world.mock.engine.formulateWith(() => raw);
    const p = await world.process({ answer: () => ACCEPT });
    await p.call("towow_demand", { intent: INTENT });
    expect(p.forms[0]?.message).toContain("Designer\\u{202E} wanted\\u{E0041}");
    expect(only(world).confirmedText).toBe(raw);
  });
});

describe("policy and edges", () => {
  it("strict: an argument never confirms", async () => {
    const world = await createWorld();
    const p = await world.process({ config: { confirmation_policy: "strict" } });
    const params = await pauseWithoutForms(world, p);
    expect(params.confirmation_id).toBeUndefined();
    const id = (await world.history.get(params.negotiation_id!))?.confirmation?.id;
    const refused = await p.call("towow_demand", { ...params, confirmation_id: id, decision: "accept" });
    expect(refused.result.error?.code).toBe("tool.policy.blocked.confirmation_required");
    expect(confirms(world.mock)).toHaveLength(0);
  });

  it("leave: the backend goes on by itself, and the status says so", async () => {
    const world = await createWorld();
    const p = await world.process({ config: { on_unconfirmed: "leave" } });
    await pauseWithoutForms(world, p);
    await world.clock.advance(FIVE_MINUTES + 10_000);
    const status = await p.call("towow_status", { wait: "done" });
    expect(status.result.warnings).toContain("auto_confirmed");
    expect(status.result.status).toBe("degraded");
    expect(cancels(world.mock)).toHaveLength(0);
  });

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

  it("an own negotiation can be cancelled after it was confirmed", async () => {
    const world = await createWorld({ stepMs: 5_000 });
    const p = await world.process({ answer: () => ACCEPT });
    const demand = await p.call("towow_demand", { intent: INTENT });
    const { negotiation_id } = demand.result.data;
    const cancelled = await p.call("towow_demand", { negotiation_id, decision: "cancel" });
    expect(cancelled.result.data.state).toBe("completed");
    expect(only(world).cancelled).toBe(true);
    const status = await p.call("towow_status");
    expect(status.result.summary).toContain("cancelled");
  });

  it("progress values rise across the rounds of one call", async () => {
    const world = await createWorld();
    const p = await world.process({ answer: () => ACCEPT });
    const values: number[] = [];
    await p.call("towow_demand", { intent: INTENT }, { onProgress: (_, value) => values.push(value) });
    expect(values.length).toBeGreaterThan(1);
    expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
  });

  it("joining as an agent takes the degraded warning away", async () => {
    const world = await createWorld();
    const p = await world.process();
    const before = await p.call("towow_demand", { intent: INTENT });
    expect(before.result.warnings).toContain("submitter_not_registered");
    await p.call("towow_join", { scene: world.sceneId, display_name: "Lin", profile_data: PROFILE });
    const after = await p.call("towow_demand", { intent: `${INTENT}, now` });
    expect(after.result.warnings).toEqual([]);
  });
});
