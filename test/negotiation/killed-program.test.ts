import { describe, expect, it } from "vitest";
import type { Clock } from "../../src/clock.ts";
import { TIMES } from "../../src/negotiation/plan.ts";
import { FIVE_MINUTES, only, pauseWithoutForms } from "../ask/pause-support.ts";
import { cancels, confirms } from "../support/backend.ts";
import { factsAbout, fillDiskExceptFor, leaveDecision, outcomeOf } from "../support/facts.ts";
import { createWorld, type World } from "../support/world.ts";

/** What a killed program leaves is finished or withdrawn by another one, and said by one. */

/** The clock of a program whose timers stand still from `stop` on, until it goes on. */
function stoppable(world: World) {
  let due: (() => void)[] | undefined;
  const { after, now, monotonic } = world.clock;
  const later: Clock["after"] = (ms, fire) => {
    let isCancelled = false;
    const goOff = () => isCancelled || fire();
    const cancel = after(ms, () => void (due === undefined ? goOff() : due.push(goOff)));
    return () => {
      isCancelled = true;
      cancel();
    };
  };
  const sleep: Clock["sleep"] = (ms, signal) =>
    new Promise((resolve, reject) => {
      const cancel = later(ms, resolve);
      signal?.addEventListener("abort", () => {
        cancel();
        reject(signal.reason);
      });
    });
  return {
    clock: { after: later, now, monotonic, sleep },
    stop: () => {
      due = [];
    },
    goOn: () => {
      const fired = due ?? [];
      due = undefined;
      for (const fire of fired) fire();
    },
  };
}

describe("what a killed process leaves", () => {
  it("is taken over at a first call that is refused", async () => {
    const world = await createWorld();
    const killed = await world.process();
    await pauseWithoutForms(world, killed);
    world.dead.add(killed.pid);
    const heir = await world.process();
    const refused = await heir.call("towow_action", {});
    expect(refused.result.error?.code).toBe("tool.policy.blocked.inactive_tool");
    await world.clock.advance(FIVE_MINUTES + 5_000);
    expect(only(world)).toMatchObject({ cancelled: true, confirmedBy: undefined });
  });

  it("is found by one that was called before there was a pause, and never again", async () => {
    const world = await createWorld();
    const idle = await world.process();
    await idle.call("towow_status", {});
    const killed = await world.process();
    await pauseWithoutForms(world, killed);
    world.dead.add(killed.pid);
    await world.clock.advance(FIVE_MINUTES + 5_000);
    expect(only(world)).toMatchObject({ cancelled: true, confirmedBy: undefined });
  });

  it("is taken over by one that had made its first call before", async () => {
    const world = await createWorld();
    const killed = await world.process();
    const other = await world.process();
    const params = await pauseWithoutForms(world, killed);
    await other.call("towow_status", { negotiation_id: params.negotiation_id });
    world.dead.add(killed.pid);
    await other.call("towow_status", { negotiation_id: params.negotiation_id });
    await world.clock.advance(FIVE_MINUTES + 5_000);
    expect(only(world)).toMatchObject({ cancelled: true, confirmedBy: undefined });
  });

  it("is withdrawn by the end of one that had seen it alive", async () => {
    const world = await createWorld();
    const [killed, other] = [await world.process(), await world.process()];
    const { negotiation_id } = await pauseWithoutForms(world, killed);
    await other.call("towow_status", { negotiation_id });
    world.dead.add(killed.pid);
    await world.clock.run(other.negotiations.shutdown());
    expect(only(world)).toMatchObject({ cancelled: true, confirmCount: 0 });
  });

  it("though it hangs and looks alive, is withdrawn before the deadline by whoever knows it", async () => {
    const world = await createWorld();
    const { clock, stop } = stoppable(world);
    const hanging = await world.process({ clock });
    const { negotiation_id } = await pauseWithoutForms(world, hanging);
    const other = await world.process();
    await other.call("towow_status", { negotiation_id });
    stop();
    await world.clock.advance(FIVE_MINUTES - 11_000);
    expect(cancels(world.mock)).toEqual([]);
    await world.clock.advance(10_000);
    expect(only(world)).toMatchObject({ cancelled: true, confirmedBy: undefined, confirmCount: 0 });
  });

  it("an edit that did not arrive is undone, and one that was stopped and goes on sends it no more", async () => {
    const world = await createWorld();
    const { clock, stop, goOn } = stoppable(world);
    const stopped = await world.process({ clock });
    const params = await pauseWithoutForms(world, stopped);
    world.mock.faults.add({ route: "confirm", kind: "drop_before" });
    void stopped.start("towow_demand", { ...params, decision: "edit", confirmed_text: "A nurse instead" });
    await world.clock.until(() => confirms(world.mock).length === 1, { stepMs: 1 });
    stop();
    world.silentMs.set(stopped.pid, 600_000);
    const heir = await world.process();
    await heir.call("towow_status", { negotiation_id: params.negotiation_id });
    await world.clock.advance(20_000);
    expect((await factsAbout(world, params.negotiation_id!)).undone.get(1)).toMatchObject({ why: "edit_lost" });
    goOn();
    await world.clock.advance(20_000);
    expect(confirms(world.mock)).toHaveLength(1);
    expect(only(world).state).toBe("formulated");
  });

  for (const [name, waitMs, faults] of [
    ["an edit, looked at within five seconds", 0, false],
    ["a rejection, while the backend fails once", 10_000, true],
  ] as const)
    it(`${name}: is not broadcast`, async () => {
      const world = await createWorld();
      const killed = await world.process();
      const params = await pauseWithoutForms(world, killed);
      const original = String(only(world).demand_formulated);
      const decision = faults ? { kind: "reject" as const } : { kind: "edit" as const, text: "A nurse instead" };
      await leaveDecision(world, killed, params.negotiation_id!, decision);
      await world.clock.advance(waitMs);
      if (faults) world.mock.faults.add({ route: "action", kind: "drop_before" });
      const heir = await world.process();
      for (let i = 0; i < 3; i++) {
        await heir.call("towow_status", { negotiation_id: params.negotiation_id });
        await world.clock.advance(20_000);
      }
      await world.clock.advance(FIVE_MINUTES);
      expect(only(world).confirmedText).not.toBe(original);
    });
});

/** A program was killed with this decided and not sent; `heir` runs in the same home. */
async function killedWith(decision: Parameters<typeof leaveDecision>[3]) {
  const world = await createWorld();
  const killed = await world.process();
  const { negotiation_id: id = "" } = await pauseWithoutForms(world, killed);
  await leaveDecision(world, killed, id, decision);
  return { world, id, heir: await world.process() };
}

it("a yes goes again only when what its program sent must have arrived, and once", async () => {
  const { world, id, heir } = await killedWith({ kind: "accept" });
  await heir.call("towow_status", { negotiation_id: id });
  await world.clock.advance(TIMES.settlingMs - 2_000);
  expect(confirms(world.mock)).toEqual([]);
  await world.clock.advance(10_000);
  expect(confirms(world.mock)).toHaveLength(1);
});

it("a yes to the backend's own text is no lost edit, though its program died and the text is another one now", async () => {
  const { world, id, heir } = await killedWith({ kind: "accept" });
  world.mock.engine.setFormulatedText(id, "Another text");
  await heir.call("towow_status", { negotiation_id: id });
  await world.clock.advance(20_000);
  const { result } = await heir.call("towow_status", { negotiation_id: id, view: "full" });
  expect((await factsAbout(world, id)).undone.get(1)).toMatchObject({ why: "no_effect" });
  expect(result.warnings).not.toContain("edit_lost");
  expect(result.data).toMatchObject({ state: "formulated", demand_formulated: "Another text" });
  expect(confirms(world.mock)).toEqual([]);
});

it("an edit lost with its program is no yes: nobody decided again, and the withdrawal says so", async () => {
  const { world, id, heir } = await killedWith({ kind: "edit", text: "A nurse instead" });
  await heir.call("towow_list_scenes"); // takes over
  await world.clock.advance(FIVE_MINUTES);
  expect(only(world)).toMatchObject({ cancelled: true, confirmedBy: undefined });
  const { result } = await heir.call("towow_status", { negotiation_id: id });
  expect(result.summary).toContain("Your own text was lost with the program that was sending it.");
  expect(result.summary).not.toContain("that the yes took effect");
});

it("a lost edit is said by every result for as long as the text waits, not by the first one alone", async () => {
  const { world, id, heir } = await killedWith({ kind: "edit", text: "A nurse instead" });
  await heir.call("towow_list_scenes"); // takes over
  await world.clock.advance(20_000);
  expect((await factsAbout(world, id)).undone.get(1)).toMatchObject({ why: "edit_lost" });
  for (const tool of ["towow_status", "towow_demand", "towow_status"])
    expect((await heir.call(tool, { negotiation_id: id })).result.warnings).toContain("edit_lost");
  await heir.call("towow_demand", { negotiation_id: id, decision: "reject" });
  expect((await heir.call("towow_status", { negotiation_id: id })).result.warnings).not.toContain("edit_lost");
});

it("what the person is owed is given by a later result, where the one that would have given it fails", async () => {
  const world = await createWorld();
  const killed = await world.process();
  await pauseWithoutForms(world, killed);
  const id = only(world).negotiation_id;
  world.dead.add(killed.pid);
  const heir = await world.process();
  await heir.call("towow_list_scenes"); // takes over
  await world.clock.advance(20_000);
  world.mock.engine.setFormulatedText(id, "Another text"); // which has to be asked about anew
  const free = fillDiskExceptFor(world, "reported");
  const failed = await heir.call("towow_status", { negotiation_id: id });
  expect(failed.result.error?.code).toBe("tool.config.unavailable.home_unwritable");
  free();
  const { result } = await heir.call("towow_status", { negotiation_id: id });
  expect(result.warnings).toContain("pause_was_unguarded");
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

it("an edit whose program died was in time: when the backend goes on by itself, it is not called late", async () => {
  const world = await createWorld();
  const killed = await world.process({ config: { on_unconfirmed: "leave" } });
  const { negotiation_id: id = "" } = await pauseWithoutForms(world, killed);
  await leaveDecision(world, killed, id, { kind: "edit", text: "Mine" });
  const p = await world.process({ config: { on_unconfirmed: "leave" } });
  p.negotiations.recoverSoon();
  await world.clock.advance(20_000); // it is undone
  world.dead.add(p.pid);
  await world.clock.advance(300_000);
  const heir = await world.process({ config: { on_unconfirmed: "leave" } });
  const { result } = await heir.call("towow_status", { negotiation_id: id });
  expect(result.warnings).toContain("auto_confirmed");
  expect(result.warnings).not.toContain("decision_too_late");
});

it("no call waits for more than some seconds for what a killed program left", async () => {
  const world = await createWorld();
  const killed = await world.process();
  const { negotiation_id: id = "" } = await pauseWithoutForms(world, killed);
  await leaveDecision(world, killed, id, { kind: "reject" });
  for (let i = 0; i < 20; i++)
    world.mock.faults.add({ route: "action", kind: "delay", delayMs: 60_000, delayWhen: "before" });
  const heir = await world.process();
  const from = world.clock.now();
  await heir.call("towow_status", {});
  expect(world.clock.now() - from).toBe(5_000);
  expect(only(world).cancelled).toBe(false);
});
