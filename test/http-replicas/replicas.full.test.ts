import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { confirms, requests, submits } from "../support/backend.ts";
import type { Answerer } from "../support/clients.ts";
import { endpointClient } from "../support/endpoint-clients.ts";
import { hasRedis, valuesIn } from "../support/redis.ts";
import { type TwoReplicas, twoReplicas } from "./two-replicas.ts";

const ACCEPT: Answerer = () => ({ action: "accept", content: { decision: "accept" } });

describe.skipIf(!hasRedis())("two replicas of one endpoint (needs redis-server)", () => {
  let all: TwoReplicas;
  let redis: TwoReplicas["redis"];
  let mock: TwoReplicas["mock"];
  let deployment: TwoReplicas["deployment"];
  let token = "";
  let needs = 0;

  beforeAll(async () => {
    all = await twoReplicas({ args: ["--drain", "3"], env: { LANG: "en_US.UTF-8" } });
    ({ redis, mock, deployment, token } = all);
  });
  afterAll(() => all?.close());

  const at = (name: "a" | "b") => endpointClient("plain", deployment.replicas[name].mcp, { token });
  const demand = (intent = `A designer, number ${++needs}`) => ({
    intent,
    scene_id: mock.scenes()[0]?.scene_id ?? "",
  });
  const call = async (name: "a" | "b", tool: string, args: Record<string, unknown>) =>
    (await at(name)).call(tool, args);
  const negotiation = (id: string) => mock.negotiations().find((n) => n.negotiation_id === id);
  /** Asks at one replica and gives the call that decides. */
  async function paused(name: "a" | "b"): Promise<{ negotiation_id: string; confirmation_id: string }> {
    const { result } = await call(name, "towow_demand", demand());
    expect(result.data).toMatchObject({ state: "formulated", decision: null });
    return result.data.resume_with.params;
  }

  /** Whatever becomes of a test, the next one finds both replicas: else one red test would make red what stands behind it. */
  const ended = async (name: "a" | "b", how: "kill" | "drain") => {
    const code = await deployment.replicas[name][how]();
    onTestFinished(() => deployment.replicas[name].start());
    return code;
  };

  it("asked at one, decided at the other", async () => {
    const params = await paused("a");
    const { result } = await call("b", "towow_demand", { ...params, decision: "accept" });
    expect(result.data).toMatchObject({ decision: "accept", decided_by: "argument" });
    expect(negotiation(params.negotiation_id)).toMatchObject({ confirmCount: 1, confirmedBy: "user" });
    const late = await call("a", "towow_demand", { ...params, decision: "reject" });
    expect(late.result.error?.code).toBe("tool.negotiation.conflict.already_decided");
  });

  it("a question that one has signed is answered at the other", async () => {
    const order: string[] = [];
    let turn = 0;
    const route = () => {
      const name = (["a", "b"] as const)[turn++ % 2]!;
      order.push(name);
      return deployment.replicas[name].mcp;
    };
    const client = await endpointClient("2026", deployment.replicas.a.mcp, { token, route }, ACCEPT);
    turn = 0;
    order.length = 0;
    const { result } = await client.call("towow_demand", demand());
    expect(result.data).toMatchObject({ decision: "accept", decided_by: "form" });
    expect(client.forms).toHaveLength(1);
    expect(order.slice(0, 2)).toEqual(["a", "b"]);
    await client.close();
  });

  it("the same demand at both at once is one negotiation", async () => {
    const before = submits(mock).length;
    const args = demand();
    const both = await Promise.all([call("a", "towow_demand", args), call("b", "towow_demand", args)]);
    expect(new Set(both.map(({ result }) => result.data.negotiation_id)).size).toBe(1);
    expect(submits(mock)).toHaveLength(before + 1);
  });

  it("the one that asked is killed: the person decides at the other", async () => {
    const params = await paused("a");
    await ended("a", "kill");
    const { result } = await call("b", "towow_demand", { ...params, decision: "edit", confirmed_text: "A nurse" });
    expect(result.data).toMatchObject({ decision: "edit" });
    expect(negotiation(params.negotiation_id)).toMatchObject({ confirmCount: 1, demand_formulated: "A nurse" });
  });

  it("a drain leaves the pause open; the other adopts it with the next call, and says so", async () => {
    const { negotiation_id } = await paused("b");
    expect(await ended("b", "drain")).toBe(0);
    expect(negotiation(negotiation_id)).toMatchObject({ state: "formulated", cancelled: false });
    const { result } = await call("a", "towow_demand", { negotiation_id });
    // Its log says where it doubted its own heartbeat: then it takes nobody to be gone for fifteen seconds.
    expect(result.warnings, deployment.replicas.a.stderr().slice(-4_000)).toContain("pause_was_unguarded");
    expect(result.summary).toContain("A running program watches it again");
    const rejected = await call("a", "towow_demand", { negotiation_id, decision: "reject" });
    expect(rejected.result.warnings).not.toContain("pause_was_unguarded"); // told once
    expect(negotiation(negotiation_id)).toMatchObject({ cancelled: true, confirmCount: 0 });
  });

  it("a drain sends the edit whose confirm was lost: no other replica has its text", async () => {
    const params = await paused("b");
    mock.faults.add({ route: "confirm", kind: "drop_before" });
    const { result } = await call("b", "towow_demand", { ...params, decision: "edit", confirmed_text: "A nurse" });
    expect(result.error?.code).toBe("tool.backend.timeout.outcome_unknown");
    expect(await ended("b", "drain")).toBe(0);
    expect(negotiation(params.negotiation_id)).toMatchObject({ confirmCount: 1, confirmedText: "A nurse" });
  });

  it("without Redis nothing is confirmed and everybody is told why; with it again everything is there", async () => {
    const params = await paused("a");
    const before = confirms(mock).length;
    const { negotiation_id } = await running();
    const looks = () => requests(mock, "GET", new RegExp(negotiation_id)).length;
    const looked = looks();
    const waiting = call("b", "towow_status", { negotiation_id, wait: "done" });
    waiting.catch(() => {});
    await expect.poll(looks, { interval: 5 }).toBeGreaterThan(looked); // it waits now
    await redis.stop();
    const refused = await call("b", "towow_demand", { ...params, decision: "accept" });
    expect(refused.result.error?.code).toBe("tool.config.unavailable.store");
    const ready = await fetch(`http://127.0.0.1:${deployment.replicas.a.port}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([503, { status: "store_unreachable" }]);
    expect((await waiting).result.error?.code).toBe("tool.config.unavailable.store");
    expect(confirms(mock)).toHaveLength(before + 1); // of `running`, before
    await redis.start();
    await expect
      .poll(
        async () => {
          const called = await call("b", "towow_demand", { ...params, decision: "accept" }).catch(() => undefined);
          return called?.result.data?.decision ?? called?.result.error?.code;
        },
        { interval: 500 },
      )
      .toBe("accept");
    const again = await call("a", "towow_demand", { ...params, decision: "accept" });
    expect(again.result.error?.code).toBe("tool.negotiation.conflict.already_decided");
    expect(negotiation(params.negotiation_id)?.confirmCount).toBe(1);
  });

  it("the store holds no token and no text", async () => {
    const { negotiation_id } = await running();
    await call("b", "towow_status", { negotiation_id, wait: "done" });
    const client = new Redis(redis.url);
    const keys = await client.keys("*");
    const held = [...keys, ...(await valuesIn(client, keys))];
    client.disconnect();
    const all = held.join("\n");
    expect(all).toContain(negotiation_id);
    const { plan_output } = negotiation(negotiation_id) as { plan_output: string };
    for (const secret of [token, "designer", "A nurse", plan_output.slice(0, 20)]) expect(all).not.toContain(secret);
  });

  /** A confirmed one that is still under way. */
  async function running() {
    const params = await paused("a");
    await call("a", "towow_demand", { ...params, decision: "accept" });
    return params;
  }
});
