import { describe, expect, it } from "vitest";
import type { Clock } from "../../src/clock.ts";
import { HomeUnwritable } from "../../src/home/errors.ts";
import { factName } from "../../src/negotiation/facts.ts";
import { ACCEPT, FIVE_MINUTES, INTENT, only, pauseWithoutForms } from "../ask/pause-support.ts";
import { cancels, confirms } from "../support/backend.ts";
import { endedAs, factsAbout, leaveDecision, outcomeOf } from "../support/facts.ts";
import { createWorld, ORIGIN, type World } from "../support/world.ts";

/** Corners of the core, each through the front door. */

const unknown = (world: World, route: "action" | "get") =>
  world.mock.faults.add({ route, kind: "status", status: 404, times: Number.POSITIVE_INFINITY });

describe("a negotiation that the backend has lost", () => {
  it.each(["cancel", "leave"] as const)(
    "is given up after the deadline, under %s, and the program goes on",
    async (on_unconfirmed) => {
      const world = await createWorld();
      const p = await world.process({ config: { on_unconfirmed } });
      const { negotiation_id: id } = await pauseWithoutForms(world, p);
      unknown(world, "action");
      unknown(world, "get");
      await world.clock.advance(FIVE_MINUTES + 180_000);
      expect(await outcomeOf(world, id!)).toMatchObject({ kind: "not_found" });
      expect([...world.runaway]).toEqual([]);
      world.mock.journal.length = 0;
      await world.clock.advance(60_000);
      expect(world.mock.journal).toEqual([]); // nothing is left to do
      expect(await endedAs(p.negotiations, id!)).toBe("gone");
    },
  );
});

it("a yes that its program could not send is not carried out in a state that this version does not know", async () => {
  const world = await createWorld();
  const killed = await world.process();
  const { negotiation_id } = await pauseWithoutForms(world, killed);
  await leaveDecision(world, killed, negotiation_id!, { kind: "accept" });
  world.mock.engine.setFormulatedText(negotiation_id!, "Nobody saw this");
  const get = { route: "get", kind: "wrong_shape", times: Number.POSITIVE_INFINITY } as const;
  const shown = { ...only(world), state: "awaiting_review", demand_formulated: "Nobody saw this" };
  world.mock.faults.add({ ...get, status: 200, body: JSON.stringify(shown) });
  const heir = await world.process();
  await heir.call("towow_status", { negotiation_id });
  await world.clock.advance(FIVE_MINUTES - 30_000);
  expect(confirms(world.mock).map(({ body }) => body)).toEqual([]);
});

it("confirmed and cancelled a moment later: it is not said that nothing was broadcast", async () => {
  const world = await createWorld({ stepMs: 5_000 });
  const p = await world.process({ answer: () => ACCEPT });
  const demand = await p.call("towow_demand", { intent: INTENT });
  const { negotiation_id } = demand.result.data;
  expect(confirms(world.mock)).toHaveLength(1);
  const cancelled = await p.call("towow_demand", { negotiation_id, decision: "cancel" });
  expect(cancelled.text).not.toMatch(/not broadcast|nobody was asked/i);
  const { reach } = await p.negotiations.stage(negotiation_id);
  expect(reach).not.toBe("not_broadcast");
});

it("a decision file that nobody can read neither stops the withdrawal nor is replaced", async () => {
  const world = await createWorld();
  const p = await world.process();
  const { negotiation_id } = await pauseWithoutForms(world, p);
  const newer = { at: world.clock.now(), kind: "delegate", by: "voice" };
  await world.facts.create({ origin: ORIGIN, id: negotiation_id! }, factName.decided(1), newer);
  await world.clock.advance(FIVE_MINUTES - 1_000);
  expect([...world.runaway]).toEqual([]);
  expect(only(world)).toMatchObject({ cancelled: true, confirmCount: 0 });
  const entries = await world.facts.read({ origin: ORIGIN, id: negotiation_id! });
  expect(entries.get("decided.1")).toEqual(newer);
});

it("decided in one program while another looks before its own decision: the second is told who was first", async () => {
  const world = await createWorld();
  const [first, second] = [await world.process(), await world.process()];
  const params = await pauseWithoutForms(world, first);
  world.mock.faults.add({ route: "get", kind: "delay", delayMs: 2_000, delayWhen: "before" });
  const late = second.start("towow_demand", { ...params, decision: "edit", confirmed_text: "Another text" });
  await world.clock.advance(500); // its facts are read, and its look is on its way
  const quick = await first.call("towow_demand", { ...params, decision: "accept" });
  expect(quick.result.data).toMatchObject({ decision: "accept" });
  const { result } = await world.clock.run(late);
  expect(result.error?.code).toBe("tool.negotiation.conflict.already_decided");
  expect(confirms(world.mock)).toHaveLength(1);
});

it("another program that shows a negotiation writes nothing about a decision whose program is running", async () => {
  const world = await createWorld();
  const [first, second] = [await world.process(), await world.process()];
  const params = await pauseWithoutForms(world, first);
  world.mock.faults.add({ route: "confirm", kind: "delay", delayMs: 3_000, delayWhen: "after" });
  const deciding = first.start("towow_demand", { ...params, decision: "accept" });
  await world.clock.until(() => confirms(world.mock).length === 1);
  world.mock.engine.patch(params.negotiation_id!, { demand_formulated: "A text of somebody else" });
  await second.call("towow_status", { negotiation_id: params.negotiation_id });
  const { undone } = await factsAbout(world, params.negotiation_id!);
  expect([...undone.keys()]).toEqual([]); // whether it had no effect is not the second one's to say
  await world.clock.run(deciding);
});

it("a negotiation whose facts cannot be read keeps no program from ending", async () => {
  const world = await createWorld();
  const p = await world.process();
  const { negotiation_id } = await pauseWithoutForms(world, p);
  world.dead.add(p.pid);
  const heir = await world.process();
  const { read } = world.facts;
  world.facts.read = async () => {
    throw new HomeUnwritable({ path: "/home", reason: "EISDIR" });
  };
  await heir.call("towow_status", { negotiation_id });
  const from = world.clock.now();
  await world.clock.run(heir.negotiations.shutdown(), { limitMs: 60_000 });
  expect(world.clock.now() - from).toBeLessThan(30_000);
  world.facts.read = read;
});

it("a no that a killed program wrote, found behind the plan, had no effect: nobody is said to have confirmed", async () => {
  const world = await createWorld();
  const killed = await world.process();
  const { negotiation_id: id } = await pauseWithoutForms(world, killed);
  world.mock.engine.confirm(id!, "Another text", "other");
  await world.clock.until(() => only(world).state === "completed");
  await leaveDecision(world, killed, id!, { kind: "reject" });
  const heir = await world.process();
  await heir.call("towow_status", { negotiation_id: id });
  await world.clock.advance(30_000);
  const { undone, outcomes } = await factsAbout(world, id!);
  expect(undone.get(1)).toMatchObject({ why: "too_late" });
  expect([...outcomes.values()].map(({ kind }) => kind)).not.toContain("confirmed");
  expect(confirms(world.mock)).toEqual([]);
});

it("a text that took long has its whole time: the deadline counts from the last look without it", async () => {
  const world = await createWorld({ stepMs: 10_000 });
  const p = await world.process();
  const begun = world.clock.now();
  const { result } = await p.call("towow_demand", { intent: INTENT });
  expect(result.data.state).toBe("formulated");
  const lateMs = world.clock.now() - begun;
  expect(lateMs).toBeGreaterThan(30_000);
  const { submitted, formulated } = await factsAbout(world, result.data.negotiation_id);
  expect((formulated?.deadline_at ?? 0) - (submitted?.deadline_at ?? 0)).toBeGreaterThan(lateMs / 2);
  await world.clock.advance(FIVE_MINUTES - 35_000);
  expect(world.clock.now() - begun).toBeGreaterThan(FIVE_MINUTES);
  expect(cancels(world.mock)).toEqual([]);
  await world.clock.advance(30_000);
  expect(only(world)).toMatchObject({ cancelled: true, confirmCount: 0 });
  expect(only(world).confirmedBy).toBeUndefined();
});

it("a question that cannot be read is not in the way of one that can", async () => {
  const world = await createWorld();
  const p = await world.process();
  const { create, read } = world.facts;
  let broken: string | undefined;
  world.facts.create = async (key, name, ...rest) => {
    if (name.startsWith("asked.")) broken ??= name;
    return name === broken ? { created: false, current: undefined } : create(key, name, ...rest);
  };
  world.facts.read = async (key) => new Map([...(await read(key)), ...(broken ? [[broken, undefined] as const] : [])]);
  const params = await pauseWithoutForms(world, p);
  const { result } = await p.call("towow_demand", { ...params, decision: "accept" });
  expect(result).toMatchObject({ error: null, data: { decision: "accept" } });
  expect(confirms(world.mock)).toHaveLength(1);
});

it("a clock that is set back while the text is written withdraws nothing before its time", async () => {
  const world = await createWorld({ stepMs: 5_000 });
  let offsetMs = 0;
  const { monotonic, after, sleep } = world.clock;
  const clock: Clock = { now: () => world.clock.now() + offsetMs, monotonic, after, sleep };
  const p = await world.process({ clock });
  const demand = p.start("towow_demand", { intent: INTENT });
  await world.clock.until(() => world.mock.negotiations()[0]?.state === "formulating");
  offsetMs = -60_000;
  await world.clock.run(demand);
  await world.clock.advance(200_000);
  expect(cancels(world.mock)).toEqual([]);
  await world.clock.advance(120_000);
  expect(world.mock.negotiations()[0]).toMatchObject({ cancelled: true, confirmedBy: undefined });
});
