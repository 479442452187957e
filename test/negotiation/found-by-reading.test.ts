import { expect, it } from "vitest";
import { FIVE_MINUTES, INTENT, only, pauseWithoutForms } from "../ask/pause-support.ts";
import { confirms } from "../support/backend.ts";
import { factsAbout, fillDiskBehindSubmits, fillDiskExceptFor, leaveDecision, outcomeOf } from "../support/facts.ts";
import { createWorld } from "../support/world.ts";

/** What somebody found who read the core from its first line to its last. */

it("a yes to the backend's own text is no lost edit, though its program died and the text is another one now", async () => {
  const world = await createWorld();
  const killed = await world.process();
  const { negotiation_id: id = "" } = await pauseWithoutForms(world, killed);
  await leaveDecision(world, killed, id, { kind: "accept" });
  world.mock.engine.setFormulatedText(id, "Another text");
  const heir = await world.process();
  await heir.call("towow_status", { negotiation_id: id });
  await world.clock.advance(20_000);
  const { result } = await heir.call("towow_status", { negotiation_id: id, view: "full" });
  expect((await factsAbout(world, id)).undone.get(1)).toMatchObject({ why: "no_effect" });
  expect(result.warnings).not.toContain("edit_lost");
  expect(result.data).toMatchObject({ state: "formulated", demand_formulated: "Another text" });
  expect(confirms(world.mock)).toEqual([]);
});

it("what the person is owed is given by a later result, where the one that would have given it fails", async () => {
  const world = await createWorld();
  const killed = await world.process();
  const { negotiation_id: id = "" } = await pauseWithoutForms(world, killed);
  await leaveDecision(world, killed, id, { kind: "edit", text: "A nurse instead" });
  const heir = await world.process();
  await heir.call("towow_list_scenes"); // takes over
  await world.clock.advance(20_000);
  expect((await factsAbout(world, id)).undone.get(1)).toMatchObject({ why: "edit_lost" });
  const free = fillDiskExceptFor(world, "reported");
  const failed = await heir.call("towow_status", { negotiation_id: id });
  expect(failed.result.error?.code).toBe("tool.config.unavailable.home_unwritable");
  free();
  const { result } = await heir.call("towow_status", { negotiation_id: id });
  expect(result.warnings).toContain("edit_lost");
});

it("of two programs that give the same result one gives what the person is owed", async () => {
  const world = await createWorld();
  const killed = await world.process();
  const { negotiation_id: id = "" } = await pauseWithoutForms(world, killed);
  await leaveDecision(world, killed, id, { kind: "reject" });
  const [a, b] = [await world.process(), await world.process()];
  await a.call("towow_list_scenes"); // takes over
  await world.clock.advance(FIVE_MINUTES);
  expect(await outcomeOf(world, id)).toMatchObject({ kind: "cancelled", owed: true });
  const given = await world.clock.run(Promise.all([a, b].map(({ negotiations }) => negotiations.takeOwed(id))));
  expect(given.flat()).toEqual(["rejected"]);
});

it("a program that dies between writing the end and closing it leaves nothing open for ever", async () => {
  const world = await createWorld();
  const killed = await world.process();
  const { negotiation_id: id = "" } = await pauseWithoutForms(world, killed);
  const { create } = world.facts;
  world.facts.create = (key, name, value) => create(key, name, value); // nothing is closed any more
  await killed.call("towow_demand", { negotiation_id: id, decision: "cancel" });
  world.dead.add(killed.pid);
  world.facts.create = create;
  expect(await outcomeOf(world, id)).toMatchObject({ kind: "cancelled" });
  expect(await world.facts.listOpen()).toHaveLength(1);
  const next = await world.process();
  await next.call("towow_status", { negotiation_id: id });
  await world.clock.advance(1_000);
  expect(await world.facts.listOpen()).toEqual([]);
});

it("so does one that nobody has answered for in more than a day", async () => {
  const world = await createWorld();
  const killed = await world.process();
  const { negotiation_id: id = "" } = await pauseWithoutForms(world, killed);
  world.dead.add(killed.pid);
  await world.clock.advance(2 * 24 * 3_600_000);
  const next = await world.process();
  await next.call("towow_list_scenes");
  await world.clock.advance(10_000);
  expect(await world.facts.listOpen()).toEqual([]);
  expect((await factsAbout(world, id)).outcomes.size).toBe(0); // how it ended is the backend's to say
});

it("what a full disk kept from being written is said by the program that knows it", async () => {
  const world = await createWorld();
  const p = await world.process();
  const { negotiation_id: id = "" } = await pauseWithoutForms(world, p);
  fillDiskBehindSubmits(world);
  await world.clock.advance(FIVE_MINUTES + 10_000);
  expect(only(world)).toMatchObject({ cancelled: true });
  const { result } = await p.call("towow_status", { negotiation_id: id, view: "full" });
  expect(result.summary).toContain("Nobody decided in time");
  expect(result.warnings).not.toContain("plan_missing");
});

it("a demand that a model submits while its program ends is not left to the backend, though others are", async () => {
  const world = await createWorld();
  const config = { mode: "developer", on_unconfirmed: "leave" };
  const p = await world.process({ config });
  const submit = { scene_id: world.sceneId, user_id: "user_test", intent: INTENT };
  world.mock.faults.add({ route: "submit", kind: "delay", delayMs: 2_000, delayWhen: "after" });
  world.mock.faults.add({ route: "submit", kind: "delay", delayMs: 2_000, delayWhen: "after" });
  const submitted = Promise.all([
    p.negotiations.submit(submit, { tainted: true }),
    p.negotiations.submit({ ...submit, intent: "A nurse" }),
  ]);
  await world.clock.advance(1_000);
  await world.clock.run(p.negotiations.shutdown("leave"));
  await submitted;
  await world.clock.advance(5_000);
  const ended = world.mock.negotiations().map(({ demand_raw, cancelled }) => [demand_raw, cancelled]);
  expect(Object.fromEntries(ended)).toEqual({ [INTENT]: true, "A nurse": false });
});

it("what was submitted under cancel is withdrawn in time, whatever the setting is by then", async () => {
  const world = await createWorld();
  const killed = await world.process({ config: { on_unconfirmed: "cancel" } });
  const { negotiation_id: id = "" } = await pauseWithoutForms(world, killed);
  world.dead.add(killed.pid);
  const heir = await world.process({ config: { on_unconfirmed: "leave" } });
  const { result } = await heir.call("towow_status", { negotiation_id: id, view: "full" });
  expect(result.summary).not.toContain("broadcast by the backend");
  await world.clock.advance(FIVE_MINUTES + 10_000);
  expect(only(world)).toMatchObject({ cancelled: true, confirmCount: 0 });
  expect((await factsAbout(world, id)).decided).toMatchObject([{ kind: "withdraw", by: "guard" }]);
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
