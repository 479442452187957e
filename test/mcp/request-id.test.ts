import { expect, it } from "vitest";
import type { Answer } from "../support/clients.ts";
import { createWorld, PROFILE } from "../support/world.ts";

/** A world in which each call tells the request ids that reached the backend while it ran. */
async function start(answer?: () => Answer) {
  const world = await createWorld();
  const p = await world.process({ flags: { mode: "developer" }, ...(answer && { answer }) });
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const from = world.mock.journal.length;
    const raw = await world.clock.run(p.client.callTool({ name, arguments: args }, { timeout: 600_000 }));
    const sent = world.mock.journal.slice(from);
    const id = (raw._meta as Record<string, unknown>)["towow/request_id"];
    expect(id).toMatch(/^[\w-]{21}$/);
    // biome-ignore lint/suspicious/noExplicitAny: each test knows the data of the tool it calls
    return { id, sent, data: (raw.structuredContent as any).data };
  };
  return { world, p, call };
}

it("every request that a call causes carries the call's id", async () => {
  const { world, call } = await start();
  const scene_id = world.sceneId;
  const ids = new Set<unknown>();
  const expectOwn = async (name: string, args: Record<string, unknown>, atLeast = 1) => {
    const called = await call(name, args);
    expect(called.sent.length, name).toBeGreaterThanOrEqual(atLeast);
    for (const entry of called.sent) expect(entry.requestId, `${name} ${entry.method} ${entry.path}`).toBe(called.id);
    ids.add(called.id);
    return called.data;
  };
  await expectOwn("towow_create_scene", { name: "A", description: "B" });
  await expectOwn("towow_list_agents", { scene_id });
  const sending = async (name: string, args: Record<string, unknown>) =>
    expectOwn(name, { ...args, ...(await expectOwn(name, args, 0)).resume_with.params });
  await sending("towow_join", { scene: scene_id, display_name: "Lin", profile_data: PROFILE });
  await sending("towow_register_agent", { scene_id, agent_id: "x", display_name: "X", profile_data: PROFILE });
  const asked = await expectOwn("towow_demand", { intent: "A designer" }, 2);
  await expectOwn("towow_demand", { ...asked.resume_with.params, decision: "accept" }, 2);
  await expectOwn("towow_list_scenes", {});
  await expectOwn("towow_status", { wait: "done" }, 3);
  await expectOwn("towow_get_negotiation", { negotiation_id: asked.negotiation_id, fresh: true });
  const { negotiation_id } = await expectOwn("towow_submit_demand", { scene_id, intent: "Another one" });
  await expectOwn("towow_action", { negotiation_id, action: "cancel" });
  const refused = await expectOwn("towow_demand", { intent: "A third one" }, 2);
  await expectOwn("towow_demand", { ...refused.resume_with.params, decision: "reject" });
  expect(ids.size).toBe(15);
});

it("a repeated request, and a decision in a form, too; the guard has an id of its own", async () => {
  const { world, p, call } = await start(() => ({ action: "accept", content: { decision: "accept" } }));
  world.mock.faults.add({ route: "get", kind: "status", status: 503, times: 1 });
  const { id, sent, data } = await call("towow_demand", { intent: "A designer" });
  const confirm = sent.find(({ path }) => path.endsWith("/confirm"));
  expect([confirm?.requestId, data.decision]).toEqual([id, "accept"]);
  expect(sent.filter(({ fault }) => fault !== undefined)).toHaveLength(1);

  const { sent: submitted } = await call("towow_submit_demand", { scene_id: world.sceneId, intent: "Another one" });
  await world.clock.advance(300_000);
  const cancel = world.mock.journal.find(({ path }) => path.endsWith("/action"));
  expect(cancel?.requestId).toMatch(/^[\w-]{21}$/);
  expect(cancel?.requestId).not.toBe(submitted[0]?.requestId);
  expect(p.forms).toHaveLength(1);
});
