import { createMockBackend, type MockBackend } from "../../mock-backend/main.ts";
import { type Deployment, deploy } from "../support/deployment.ts";
import { type RedisServer, startRedis } from "../support/redis.ts";

export interface TwoReplicas {
  redis: RedisServer;
  mock: MockBackend;
  deployment: Deployment;
  /** Ada's. */
  token: string;
  close(): Promise<void>;
}

/** Two replicas of one endpoint with a Redis and a mock of their own. The caller closes them. */
export async function twoReplicas(options: Partial<Parameters<typeof deploy>[0]>): Promise<TwoReplicas> {
  const redis = await startRedis({ durable: true });
  const mock = createMockBackend({ seed: 4, stepMs: 150 });
  const { url: backendUrl } = await mock.listen();
  const answer = await fetch(`${backendUrl}/v1/api/auth/mcp-token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ user_id: "ada" }),
  });
  const { api_token: token } = (await answer.json()) as { api_token: string };
  const deployment = await deploy({ storeUrl: redis.url, backendUrl, ...options });
  return {
    redis,
    mock,
    deployment,
    token,
    async close() {
      await deployment.close();
      await mock.close();
      await redis.close();
    },
  };
}
