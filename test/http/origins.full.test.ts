import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createMockBackend, type MockBackend } from "../../mock-backend/main.ts";
import { cancels, confirms, submits } from "../support/backend.ts";
import { type Endpoint, send, startEndpoint, toolCall } from "../support/endpoint.ts";
import { hasRedis, type RedisServer, startRedis } from "../support/redis.ts";

/** Two endpoints for two backends that hand out the same ids, with one store and a caller who uses one token at both. */
describe.skipIf(!hasRedis())("one store, two backends", () => {
  let redis: RedisServer;
  let a: Endpoint;
  let b: Endpoint;
  let mocks: MockBackend[] = [];
  const endpoint = async () => {
    const mock = createMockBackend({ seed: 7, stepMs: 10, auth: false });
    mocks.push(mock);
    const { url } = await mock.listen();
    return startEndpoint({
      args: ["--store", redis.url],
      env: { TOWOW_STATE_KEY: Buffer.alloc(32, 7).toString("base64") },
      backend: { mock, url },
    });
  };
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.close());
  beforeEach(async () => {
    [a, b] = [await endpoint(), await endpoint()];
  });
  afterEach(async () => {
    await Promise.all([a.close(), b.close()]);
    for (const mock of mocks) await mock.close();
    mocks = [];
  });
  const call = async (at: Endpoint, name: string, args: object = {}) => {
    const headers = { Authorization: "Bearer one-token", "X-Towow-User-Id": "u-1" };
    return (await send(at.port, { headers, body: toolCall(name, args) })).json.result.structuredContent;
  };
  const sceneOf = ({ mock }: Endpoint) => mock.scenes()[0]?.scene_id;

  it("decisions, open pauses and the last negotiation are each backend's own", async () => {
    const intent = "A designer for two backends";
    const atA = await call(a, "towow_demand", { intent, scene_id: sceneOf(a) });
    expect((await call(b, "towow_status")).error?.code).toBe("tool.negotiation.not_found.none_yet");
    expect((await call(b, "towow_demand", { ...atA.data.resume_with.params, decision: "accept" })).error?.code).toBe(
      "tool.negotiation.not_found.unknown_negotiation",
    );
    const atB = await call(b, "towow_demand", { intent, scene_id: sceneOf(b) });
    expect(atB.data.negotiation_id).toBe(atA.data.negotiation_id);
    expect([submits(a.mock).length, submits(b.mock).length]).toEqual([1, 1]);

    const crossed = await call(b, "towow_demand", { ...atA.data.resume_with.params, decision: "accept" });
    expect(crossed.error?.code).toBe("tool.negotiation.invalid.confirmation_id");
    expect((await call(b, "towow_demand", { ...atB.data.resume_with.params, decision: "reject" })).error).toBeNull();
    expect([cancels(a.mock).length, cancels(b.mock).length]).toEqual([0, 1]);
    expect((await call(a, "towow_status")).data.open).toHaveLength(1);
    const accepted = await call(a, "towow_demand", { ...atA.data.resume_with.params, decision: "accept" });
    expect(accepted.data.decision).toBe("accept");
    expect([confirms(a.mock).length, confirms(b.mock).length]).toEqual([1, 0]);
  });

  it("a wait at one is told nothing of the other", async () => {
    const submit = (at: Endpoint) => call(at, "towow_demand", { intent: "Waiting", scene_id: sceneOf(at) });
    const [one, two] = [await submit(a), await submit(b)];
    expect(one.data.negotiation_id).toBe(two.data.negotiation_id);
    const { negotiation_id } = one.data;
    await call(b, "towow_demand", { ...two.data.resume_with.params, decision: "accept" });
    const done = await call(b, "towow_status", { negotiation_id, wait: "done" });
    expect(done.data.state).toBe("completed");
    const still = await call(a, "towow_status", { negotiation_id, wait: "done" }); // ends at once: the person is asked
    expect(still.data.state).toBe("formulated");
  });
});
