import { describe, expect, it } from "vitest";
import { pauseWithoutForms } from "../ask/pause-support.ts";
import { cancels, confirms } from "../support/backend.ts";
import { leaveDecision } from "../support/facts.ts";
import { createWorld, type Process, type World } from "../support/world.ts";

/** A yes that arrived though its answer was lost, and a withdrawal that the same program sent after it. */

/** The plan is ready before a second try for the withdrawal. */
const INTENT = "machine learning [[resonate=none]]";
const FIVE_MINUTES = 300_000;
const OTHERS = "Somebody else's machine learning";

describe("a yes whose answer is lost as its program ends, where the withdrawal then comes too late", () => {
  for (const [decision, confirmed_text] of [["accept"], ["edit", "A nurse instead"]] as const)
    it(`${decision}: is what went out, in its own result and for the next program`, async () => {
      const { world, p, params } = await paused();
      world.mock.faults.add({ route: "confirm", kind: "empty" });
      const { result } = await endAfter(world, p, { ...params, decision, ...(confirmed_text && { confirmed_text }) });
      expect(world.mock.negotiations()[0]).toMatchObject({ confirmedBy: "user", confirmCount: 1, cancelled: false });
      expect(result.data).toMatchObject({ decision });
      expect(result.warnings).toContain("confirm_answer_lost");
      const later = await statusOfNext(world, p, params.negotiation_id);
      for (const { warnings } of [result, later]) {
        expect(warnings).not.toContain("decision_too_late");
        expect(warnings).not.toContain("auto_confirmed");
      }
    });

  it("is too late where the text that went out is somebody else's", async () => {
    const { world, p, params } = await paused();
    world.mock.faults.add({ route: "confirm", kind: "drop_before" });
    const meanwhile = () => void world.mock.engine.confirm(params.negotiation_id, OTHERS, "other");
    const { result } = await endAfter(world, p, { ...params, decision: "accept" }, { meanwhile });
    expect(world.mock.negotiations()[0]).toMatchObject({ confirmedText: OTHERS, cancelled: false });
    expect(result.data).toMatchObject({ decision: null });
    expect(result.warnings).toEqual(expect.arrayContaining(["decision_too_late", "auto_confirmed"]));
  });
});

it("a yes that never arrives, nor its withdrawal: the same text goes out at the deadline, and not as the person's", async () => {
  const { world, p, params } = await paused();
  for (const route of ["confirm", "action"] as const)
    world.mock.faults.add({ route, kind: "drop_before", times: 1_000 });
  await p.call("towow_demand", { ...params, decision: "accept" });
  await world.clock.advance(FIVE_MINUTES + 60_000);
  expect(world.mock.negotiations()[0]).toMatchObject({ confirmedBy: "timeout", confirmCount: 0 });
  const { result } = await p.call("towow_demand", { negotiation_id: params.negotiation_id });
  expect(result.data).toMatchObject({ decision: null, state: "completed" });
  expect(result.warnings).toEqual(expect.arrayContaining(["decision_too_late", "auto_confirmed"]));
});

it("a yes whose effect only the answer to its withdrawal shows is not said to have had none", async () => {
  const { world, p, params } = await paused("machine learning");
  world.mock.engine.offerWith(() => "hang");
  world.mock.faults.add({ route: "confirm", kind: "empty" });
  await endAfter(world, p, { ...params, decision: "accept" }, { lastCancel: 200 });
  expect(world.mock.negotiations()[0]).toMatchObject({ confirmedBy: "user", cancelled: true });
  const { summary } = await statusOfNext(world, p, params.negotiation_id);
  expect(summary).toMatch(/It had already been broadcast, and 1 agent was asked\./);
  expect(summary).not.toMatch(/not take effect|no effect/);
});

describe("a withdrawal that counts as done because reads fail when it is said to come too late", () => {
  const failingReads = (world: World) =>
    world.mock.faults.add({ route: "get", kind: "drop_before", skip: 1, times: 1_000 });

  it("is shown to have had no effect by the plan: nor had the yes before it, where the text is somebody else's", async () => {
    const { world, p, params } = await paused();
    world.mock.faults.add({ route: "confirm", kind: "drop_before" });
    const meanwhile = () => {
      failingReads(world);
      world.mock.engine.confirm(params.negotiation_id, OTHERS, "other");
    };
    await endAfter(world, p, { ...params, decision: "accept" }, { meanwhile });
    world.mock.faults.clear();
    const { data, warnings } = await askNext(world, p, params.negotiation_id, "towow_demand");
    expect(data).toMatchObject({ decision: null });
    expect(warnings).toEqual(expect.arrayContaining(["decision_too_late", "auto_confirmed"]));
    expect(warnings).not.toContain("confirmed_text_mismatch");
  });

  it("leaves the yes before it as what went out, where that arrived", async () => {
    const { world, p, params } = await paused();
    world.mock.faults.add({ route: "confirm", kind: "empty" });
    await endAfter(world, p, { ...params, decision: "accept" }, { meanwhile: () => failingReads(world) });
    world.mock.faults.clear();
    const { data, warnings } = await askNext(world, p, params.negotiation_id, "towow_demand");
    expect(data).toMatchObject({ decision: "accept" });
    expect(warnings).not.toContain("decision_too_late");
    expect(warnings).not.toContain("auto_confirmed");
  });
});

describe("an edit that never arrives is withdrawn before the backend sends its own text", () => {
  for (const [reads, fault] of [
    ["are slow", { kind: "delay", delayMs: 700 }],
    ["fail", { kind: "status", status: 503 }],
  ] as const) {
    it(`at the deadline, where reads ${reads}`, async () => {
      const { world, p, params } = await paused();
      world.mock.faults.add({ route: "confirm", kind: "drop_before", times: 1_000 });
      void p.start("towow_demand", { ...params, decision: "edit", confirmed_text: "A nurse instead" });
      await world.clock.until(() => confirms(world.mock).length === 1, { stepMs: 1 });
      world.mock.faults.add({ route: "get", times: 1_000, ...fault });
      await world.clock.advance(FIVE_MINUTES);
      expect(world.mock.negotiations()[0]).toMatchObject({ confirmedBy: undefined, cancelled: true });
    });

    it(`at the program's end, where reads ${reads}`, async () => {
      const { world, p, params } = await paused();
      world.mock.faults.add({ route: "confirm", kind: "drop_before", times: 1_000 });
      void p.start("towow_demand", { ...params, decision: "edit", confirmed_text: "A nurse instead" });
      await world.clock.until(() => confirms(world.mock).length === 1, { stepMs: 1 });
      world.mock.faults.add({ route: "get", times: 1_000, ...fault });
      expect(await world.clock.run(p.negotiations.shutdown())).toEqual([]);
      expect(world.mock.negotiations()[0]).toMatchObject({ confirmedBy: undefined, cancelled: true });
    });
  }
});

it("a yes that did not arrive goes again when its effect has been looked for, and not at once", async () => {
  const { world, p, params } = await paused();
  world.mock.faults.add({ route: "confirm", kind: "drop_before" });
  void p.start("towow_demand", { ...params, decision: "accept" });
  await world.clock.advance(60_000);
  const [lost, again] = confirms(world.mock);
  const between = world.mock.journal.slice(world.mock.journal.indexOf(lost!) + 1, world.mock.journal.indexOf(again!));
  expect(between).toContainEqual(expect.objectContaining({ method: "GET", status: 200 }));
  expect(world.mock.negotiations()[0]).toMatchObject({ confirmedBy: "user", confirmCount: 1 });
});

it("a yes that did not arrive goes again, though each read takes more than a moment", async () => {
  const { world, p, params } = await paused();
  world.mock.faults.add({ route: "confirm", kind: "drop_before" });
  world.mock.faults.add({ route: "get", kind: "delay", delayMs: 2_000, times: 1_000 });
  void p.start("towow_demand", { ...params, decision: "accept" });
  await world.clock.advance(60_000);
  expect(world.mock.negotiations()[0]).toMatchObject({ confirmedBy: "user", confirmCount: 1, cancelled: false });
});

describe("a yes within the last seconds whose answer is lost", () => {
  it("is given a moment to show its effect, and not withdrawn behind it", async () => {
    const { world, p, params } = await lateYes();
    world.mock.faults.add({ route: "confirm", kind: "plain_500_after", delayMs: 4_000, delayWhen: "before" });
    await p.call("towow_demand", params);
    await world.clock.advance(20_000);
    expect(cancels(world.mock)).toEqual([]);
    expect(world.mock.negotiations()[0]).toMatchObject({ confirmedBy: "user", cancelled: false });
    const { result } = await p.call("towow_demand", { negotiation_id: params.negotiation_id });
    expect(result.data).toMatchObject({ decision: "accept", state: "completed" });
  });

  it("that a killed program left: its effect is looked for, not without end while no time passes", async () => {
    const world = await createWorld();
    const killed = await world.process();
    const { negotiation_id: id = "" } = await pauseWithoutForms(world, killed);
    await leaveDecision(world, killed, id, { kind: "accept" });
    await world.clock.advance(287_000);
    world.mock.faults.add({ route: "confirm", kind: "plain_500_after" });
    const p = await world.process();
    p.negotiations.recoverSoon();
    await world.clock.advance(20_000);
    expect([...world.runaway]).toEqual([]);
    expect(world.mock.negotiations()[0]).toMatchObject({ confirmedBy: "user", cancelled: false });
  });

  it("that never arrived is withdrawn in time", async () => {
    const { world, p, params } = await lateYes();
    world.mock.faults.add({ route: "confirm", kind: "drop_before", delayMs: 4_000, times: 1_000 });
    await p.call("towow_demand", params);
    await world.clock.advance(20_000);
    expect(world.mock.negotiations()[0]).toMatchObject({ confirmedBy: undefined, cancelled: true });
    expect([...world.runaway]).toEqual([]);
  });
});

/** Said just before the margin begins. */
async function lateYes() {
  const world = await createWorld({ stepMs: 1_500 });
  const p = await world.process();
  const { result } = await p.call("towow_demand", { intent: "machine learning" });
  await world.clock.advance(283_000);
  return { world, p, params: { ...result.data.resume_with.params, decision: "accept" } };
}

async function paused(intent = INTENT) {
  const world = await createWorld();
  const p = await world.process();
  const { result } = await p.call("towow_demand", { intent });
  return { world, p, params: result.data.resume_with.params as { negotiation_id: string; confirmation_id: string } };
}

/** Ends the program before its backend shows any effect of the decision; the first withdrawal is lost as well. */
async function endAfter(
  world: World,
  p: Process,
  decision: Record<string, unknown>,
  { meanwhile = () => {}, lastCancel = 409 }: { meanwhile?: () => void; lastCancel?: number } = {},
) {
  world.mock.faults.add({ route: "action", kind: "drop_before" });
  const told = p.start("towow_demand", decision);
  await world.clock.until(() => confirms(world.mock).length === 1, { stepMs: 1 });
  meanwhile();
  await world.clock.run(p.negotiations.shutdown());
  expect(cancels(world.mock).map(({ fault, status }) => fault ?? status)).toEqual(["drop_before", lastCancel]);
  return world.clock.run(told);
}

const statusOfNext = (world: World, ended: Process, id: string) => askNext(world, ended, id, "towow_status");

async function askNext(world: World, ended: Process, id: string, tool: "towow_demand" | "towow_status") {
  world.dead.add(ended.pid);
  const next = await world.process();
  return (await next.call(tool, { negotiation_id: id })).result;
}
