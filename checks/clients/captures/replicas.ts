import { deploy } from "../../../test/support/deployment.ts";
import { startRedis } from "../../../test/support/redis.ts";
import type { Place } from "../journeys/place.ts";

export interface Replicas {
  url: string;
  /** SIGKILL to one after the other; each is started again before the next one goes. */
  restart: () => Promise<void>;
  close: () => Promise<void>;
}

/** Two replicas with one store, behind the balancer of `deploy/nginx.conf`. Needs redis-server and nginx. */
export async function startReplicas({ backendUrl }: Place, lang: "en" | "zh"): Promise<Replicas> {
  const redis = await startRedis();
  const args = ["--lang", lang];
  const deployment = await deploy({ storeUrl: redis.url, backendUrl, nginx: true, args, env: { LANG: "C.UTF-8" } });
  return {
    url: deployment.mcp,
    async restart() {
      for (const replica of Object.values(deployment.replicas)) {
        await replica.kill();
        await replica.start();
      }
    },
    async close() {
      await deployment.close();
      await redis.close();
    },
  };
}
