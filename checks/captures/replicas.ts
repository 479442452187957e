import { deploy } from "../../test/support/deployment.ts";
import { startRedis } from "../../test/support/redis.ts";
import type { Place } from "../journeys/place.ts";

/** Two replicas with one store, behind the balancer of `deploy/nginx.conf`. Needs redis-server and nginx. */
export async function startReplicas(
  { backendUrl }: Place,
  lang: "en" | "zh",
): Promise<{ url: string; close: () => Promise<void> }> {
  const redis = await startRedis();
  const args = ["--lang", lang];
  const deployment = await deploy({ storeUrl: redis.url, backendUrl, nginx: true, args, env: { LANG: "C.UTF-8" } });
  return {
    url: deployment.mcp,
    async close() {
      await deployment.close();
      await redis.close();
    },
  };
}
