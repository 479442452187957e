import { describe, expect, it } from "vitest";
import { FIVE_MINUTES, INTENT, only, pauseWithoutForms } from "../ask/pause-support.ts";
import { cancels, confirms, submits } from "../support/backend.ts";
import type { Answer } from "../support/clients.ts";
import { leaveDecision } from "../support/facts.ts";
import { createWorld } from "../support/world.ts";

/** Nobody decides any more: killed, cancelled, silent or too late. The demand is withdrawn before the deadline. */

describe("no confirm without a decision", () => {
  it("listed as open a moment before it is written down: who looked then guards it all the same", async () => {
    const world = await createWorld();
    const heir = await world.process();
    const { create } = world.facts;
    world.facts.create = async (key, name, value, index) => {
      if (name === "submitted") {
        await create(key, "shown.early", { at: 0 }, "open");
        await heir.negotiations.recover();
      }
      return create(key, name, value, index);
    };
    const killed = await world.process();
    await pauseWithoutForms(world, killed);
    world.dead.add(killed.pid);
    await world.clock.advance(FIVE_MINUTES);
    expect(only(world)).toMatchObject({ cancelled: true, confirmCount: 0 });
  });

  it.each([
    [300, 285],
    [40, 30],
  ])("of a deadline after %i s it is withdrawn after %i s, and not before", async (confirm_deadline_s, after) => {
    const world = await createWorld();
    await pauseWithoutForms(world, await world.process({ config: { confirm_deadline_s } }));
    await world.clock.advance(after * 1_000 - 2_000);
    expect(cancels(world.mock)).toHaveLength(0);
    await world.clock.advance(2_500);
    expect(cancels(world.mock)).toHaveLength(1);
  });

  it("killed between a decision and its request: the next process carries the same decision out, once", async () => {
    const world = await createWorld();
    const killed = await world.process();
    const { negotiation_id } = await pauseWithoutForms(world, killed);
    await leaveDecision(world, killed, negotiation_id!, { kind: "accept" });
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

  it.each([
    ["11 MB", { plan_output: "x".repeat(11_000_000) }],
    ["2,000 participants", { participants: Array.from({ length: 2_000 }, (_, n) => ({ agent_id: `a${n}` })) }],
    ["a text of 60,000 characters", { demand_formulated: "字".repeat(60_000) }],
    ["30,000 values", { participants: [{ agent_id: "a", offer_content: new Array(30_000).fill(0) }] }],
    [
      "1,000 keys that clean to one name, of each of 16 agents",
      {
        participants: Array.from({ length: 16 }, (_, n) => ({
          agent_id: `a${n}`,
          offer_content: Object.fromEntries(
            Array.from({ length: 1_000 }, (_unused, i) => [
              i.toString(2).replaceAll("0", "\u200B").replaceAll("1", "\u200C"),
              i,
            ]),
          ),
        })),
      },
    ],
  ])("an answer that cannot be read (%s) keeps nobody from withdrawing in time", async (_, hostile) => {
    const world = await createWorld();
    const p = await world.process();
    const { negotiation_id } = await pauseWithoutForms(world, p);
    world.mock.engine.patch(negotiation_id ?? "", hostile as never);
    await p.call("towow_status", { negotiation_id }); // whatever it says
    await world.clock.advance(280_000);
    expect(cancels(world.mock)).toHaveLength(0);
    await world.clock.advance(19_000);
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

it("a program that ends in the pause withdraws before any time has passed: Claude Code kills half a second later", async () => {
  const world = await createWorld();
  const p = await world.process();
  await pauseWithoutForms(world, p);
  const [from, before] = [world.clock.now(), world.mock.journal.length];
  const ended = p.negotiations.shutdown("withdraw");
  await world.clock.advance(0);
  expect(only(world)).toMatchObject({ cancelled: true, confirmCount: 0 });
  expect(world.mock.journal.slice(before).map(({ path, at }) => [path.split("/").at(-1), at])).toEqual([
    ["action", from],
  ]);
  await world.clock.run(ended);
});
