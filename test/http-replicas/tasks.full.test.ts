import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMockBackend, type MockBackend } from "../../mock-backend/main.ts";
import { confirms } from "../support/backend.ts";
import { type Deployment, deploy } from "../support/deployment.ts";
import { hasRedis, type RedisServer, startRedis } from "../support/redis.ts";
import { answer, decided, declaring, demand, FOLLOWS, type Request, type Task, until } from "../support/task-client.ts";

describe.skipIf(!hasRedis())("background tasks at two replicas (needs redis-server)", () => {
  let redis: RedisServer;
  let mock: MockBackend;
  let deployment: Deployment;
  const tokens: Record<string, string> = {};
  let ids = 0;

  beforeAll(async () => {
    redis = await startRedis({ durable: true });
    mock = createMockBackend({ seed: 4, stepMs: 60 });
    const { url: backendUrl } = await mock.listen();
    for (const user_id of ["ada", "bob"]) {
      const init = {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ user_id }),
      };
      const answered = await fetch(`${backendUrl}/v1/api/auth/mcp-token`, init);
      tokens[user_id] = ((await answered.json()) as { api_token: string }).api_token;
    }
    deployment = await deploy({ storeUrl: redis.url, backendUrl, args: [], env: { LANG: "en_US.UTF-8" } });
  });
  afterAll(async () => {
    await deployment?.close();
    await mock?.close();
    await redis?.close();
  });

  /** Each request goes to the next of the replicas, as behind a load balancer that knows nothing. */
  const client = (user: string, ...names: ("a" | "b")[]): Request => {
    let turn = 0;
    return async (method, params = {}) => {
      const { taskId, name, uri } = params as { taskId?: string; name?: string; uri?: string };
      const target = taskId ?? name ?? uri;
      const response = await fetch(deployment.replicas[names[turn++ % names.length]!].mcp, {
        method: "POST",
        headers: {
          authorization: `Bearer ${tokens[user]}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": method,
          ...(target !== undefined && { "mcp-name": target }),
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: ++ids, method, params: { ...params, _meta: declaring(FOLLOWS) } }),
      });
      const body = await response.text();
      const message = JSON.parse(body.startsWith("{") ? body : (/^data: (.*)$/m.exec(body)?.[1] ?? "{}"));
      return (message.result ?? { error: message.error ?? { code: response.status, message: body } }) as Task;
    };
  };

  it("begun at one, asked, answered and finished at either; another user's is none", async () => {
    const both = client("ada", "a", "b");
    const begun = await demand(client("ada", "a"), mock.scenes()[0]?.scene_id ?? "");
    expect(begun.status, JSON.stringify(begun)).toBe("working");
    const { taskId } = begun;
    const asked = await until(both, taskId, ({ status }) => status === "input_required");
    const again = await until(both, taskId, ({ status }) => status === "input_required");
    expect(Object.keys(again.inputRequests!)).toEqual(Object.keys(asked.inputRequests!));
    for (const method of ["tasks/get", "tasks/cancel", "tasks/update"])
      expect((await client("bob", "a", "b")(method, { taskId, inputResponses: {} })).error?.code).toBe(-32602);
    const [at, other] = [client("ada", "b"), client("ada", "a")];
    await Promise.all([answer(at, asked, decided("accept")), answer(other, asked, decided("accept"))]);
    const over = await until(both, taskId, ({ status }) => status === "completed");
    expect(over.result.structuredContent.data.plan_output).toBeTruthy();
    expect(over.createdAt).toBe(begun.createdAt);
    expect(confirms(mock)).toHaveLength(1);
  });
});
