import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ACCEPT, INTENT, only, pauseWithoutForms } from "../ask/pause-support.ts";
import { cancels, confirms } from "../support/backend.ts";
import { createWorld, type World } from "../support/world.ts";

/** What another program decides in the very moment in which this one does. */

const hash = (text: string) => createHash("sha256").update(text).digest("hex");
const ALREADY = "tool.negotiation.conflict.already_decided";
const OTHER = { instance: "another", pid: 7 };

/** Another program writes its decision just before the first one that is written here. */
function decidesFirst(world: World, decision: object): void {
  const { create } = world.facts;
  let isFirst = true;
  world.facts.create = async (key, name, value, index) => {
    if (name === "decided.1" && isFirst) {
      isFirst = false;
      await create(key, name, { at: world.clock.now(), by: "argument", owner: OTHER, ...decision }, "open");
    }
    return create(key, name, value, index);
  };
}

async function asked() {
  const world = await createWorld();
  const p = await world.process();
  const params = await pauseWithoutForms(world, p);
  const text = String(only(world).demand_formulated);
  const yes = {
    question_id: params.confirmation_id,
    text_hash: hash(text),
    formulated_hash: hash(text),
    display: { surface: "argument", rendered_hash: hash(text), author: "network" },
  };
  return { world, p, params, yes };
}

describe("another program decides in the same moment", () => {
  it("a no that was meant for an open question does not end what was just confirmed", async () => {
    const { world, p, params, yes } = await asked();
    decidesFirst(world, { kind: "accept", ...yes });
    const { result } = await p.call("towow_demand", { negotiation_id: params.negotiation_id, decision: "reject" });
    expect(result.error?.code).toBe(ALREADY);
    expect(cancels(world.mock)).toHaveLength(0);
  });

  it("its edit is another text, though its program is gone: this one is not sent in its name", async () => {
    const { world, p, params, yes } = await asked();
    decidesFirst(world, { kind: "edit", ...yes, text_hash: hash("its text") });
    world.dead.add(OTHER.pid);
    const { result } = await p.call("towow_demand", { ...params, decision: "edit", confirmed_text: "This text" });
    expect(result.error?.code).toBe(ALREADY);
    expect(confirms(world.mock).map(({ body }) => body)).not.toContainEqual(
      expect.objectContaining({ confirmed_text: "This text" }),
    );
  });

  it("the same yes of a program that is gone is carried out here, once", async () => {
    const { world, p, params, yes } = await asked();
    decidesFirst(world, { kind: "accept", ...yes });
    world.dead.add(OTHER.pid);
    const { result } = await p.call("towow_demand", { ...params, decision: "accept" });
    expect(result.data).toMatchObject({ decision: "accept" });
    expect(only(world)).toMatchObject({ confirmCount: 1 });
  });

  it("its no comes right behind this yes, and it is killed: nothing is said to go out, nor to have gone out", async () => {
    const { world, p, params } = await asked();
    const other = await world.process();
    const { create } = world.facts;
    world.facts.create = async (key, name, value, index) => {
      if (name === "outcome.2") return new Promise(() => {}); // it is killed before it can write that
      return create(key, name, value, index);
    };
    world.mock.faults.add({ route: "confirm", kind: "delay", delayMs: 500, delayWhen: "after" });
    const yes = p.start("towow_demand", { ...params, decision: "edit", confirmed_text: "This text" });
    await world.clock.advance(5);
    void other.start("towow_demand", { negotiation_id: params.negotiation_id, decision: "cancel" });
    await world.clock.advance(5);
    world.dead.add(other.pid);
    const { result } = await world.clock.run(yes);
    expect(confirms(world.mock)).toHaveLength(1);
    expect(result.summary).toContain("You withdrew this demand. No agent was asked.");
    expect(result.summary).not.toMatch(/Confirmed|goes out|went out|broadcast/);
  });

  it("that of a running one is its own to carry out", async () => {
    const { world, p, params, yes } = await asked();
    decidesFirst(world, { kind: "accept", ...yes });
    const { result } = await p.call("towow_demand", { ...params, decision: "accept" });
    expect(result.error?.code).toBe(ALREADY);
  });
});

it("what another program has decided since is read before this one decides: it is refused, and tries to write nothing", async () => {
  const { world, p, params } = await asked();
  const other = await world.process();
  await other.call("towow_demand", { ...params, decision: "accept" });
  const { create } = world.facts;
  const tried: string[] = [];
  world.facts.create = async (key, name, value, index) => {
    tried.push(name);
    return create(key, name, value, index);
  };
  const no = p.negotiations.decide({ negotiationId: params.negotiation_id ?? "", kind: "reject", by: "page" });
  await expect(world.clock.run(no)).rejects.toMatchObject({ code: ALREADY });
  expect(tried).not.toContain("decided.1");
  expect(cancels(world.mock)).toHaveLength(0);
});

it("a yes whose answer was lost is not sent again once another session has stopped the demand", async () => {
  const { world, p, params } = await asked();
  const other = await world.process();
  world.mock.faults.add({ route: "confirm", kind: "drop_before" });
  void p.start("towow_demand", { ...params, decision: "accept" }).catch(() => {});
  await world.clock.advance(2_000);
  expect(confirms(world.mock)).toHaveLength(1);
  world.mock.faults.add({ route: "action", kind: "drop_before", times: Number.POSITIVE_INFINITY });
  void other.negotiations.cancel(String(params.negotiation_id), "terminal").catch(() => {});
  await world.clock.advance(20_000);
  expect(cancels(world.mock).length).toBeGreaterThan(0);
  expect(confirms(world.mock)).toHaveLength(1);
});

it("a no to the text stops nothing that went out without anybody's decision; a stop does", async () => {
  const world = await createWorld({ confirmTimeoutMs: 20_000 });
  const p = await world.process({ config: { on_unconfirmed: "leave" } });
  const { negotiation_id: negotiationId = "" } = await pauseWithoutForms(world, p);
  await world.clock.advance(21_000);
  expect(only(world)).toMatchObject({ confirmedBy: "timeout" });
  await p.call("towow_status", { negotiation_id: negotiationId });
  const no = { negotiationId, kind: "reject", by: "page" } as const;
  const refused = p.negotiations.decide({ ...no, onlyUndecided: true });
  await expect(world.clock.run(refused)).rejects.toMatchObject({ code: ALREADY });
  expect(cancels(world.mock)).toHaveLength(0);
  await world.clock.run(p.negotiations.decide(no));
  expect(cancels(world.mock)).toHaveLength(1);
});

it("what a model submitted that had read others' texts is accepted in a form", async () => {
  const world = await createWorld();
  const p = await world.process({ config: { mode: "developer" }, answer: () => ACCEPT });
  await p.deps.session.taint.mark(undefined);
  const { result } = await p.call("towow_submit_demand", { scene_id: world.sceneId, intent: INTENT });
  const { negotiation_id } = result.data;
  const [key] = await world.facts.list();
  expect((await world.facts.read(key!)).get("submitted")).toMatchObject({ tainted: true });
  const confirmed = await p.call("towow_confirm", { negotiation_id });
  expect(confirmed.result.data).toMatchObject({ decision: "accept", decided_by: "form" });
  expect(only(world)).toMatchObject({ confirmCount: 1 });
});

it("a withdrawal that is said twice at once is one, and both are told so", async () => {
  const world = await createWorld();
  const p = await world.process({ config: { mode: "developer" } });
  const { negotiation_id } = await pauseWithoutForms(world, p);
  const no = { negotiation_id, action: "cancel" };
  const both = await Promise.all([p.call("towow_action", no), p.call("towow_action", no)]);
  expect(both.map(({ result }) => result.error?.code)).toEqual([undefined, undefined]);
  expect(only(world)).toMatchObject({ cancelled: true });
  expect(cancels(world.mock)).toHaveLength(1);
});
