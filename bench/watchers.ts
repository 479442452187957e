// Backend reads for one negotiation of about 18 s with 1, 10 and 100 people who wait for it at two real replicas.
// Run: npm run bench:watchers. Needs redis-server; time is real, so the run takes a minute and a half.

import { createMockBackend } from "../mock-backend/main.ts";
import { deploy } from "../test/support/deployment.ts";
import { endpointClient } from "../test/support/endpoint-clients.ts";
import { startRedis } from "../test/support/redis.ts";

const STEP_MS = 1_900;

async function measure(watchers: number) {
  const redis = await startRedis();
  const mock = createMockBackend({ seed: 11, stepMs: STEP_MS });
  const { url: backendUrl } = await mock.listen();
  const deployment = await deploy({ storeUrl: redis.url, backendUrl, env: { TOWOW_LOG_LEVEL: "warn" } });
  const ports = [deployment.replicas.a.mcp, deployment.replicas.b.mcp];
  const tokenOf = async (user_id: string): Promise<string> => {
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify({ user_id }) };
    const grant = (await (await fetch(`${backendUrl}/v1/api/auth/mcp-token`, init)).json()) as { api_token: string };
    return grant.api_token;
  };
  const clients = await Promise.all(
    Array.from({ length: watchers }, async (_, i) => {
      const token = await tokenOf(`watcher-${i}`);
      return endpointClient("plain", ports[i % 2]!, { token, userId: `watcher-${i}` });
    }),
  );
  const owner = await endpointClient("plain", `${ports[0]}?mode=developer`, { token: await tokenOf("ada") });
  const call = async (name: string, args: Record<string, unknown>) => (await owner.call(name, args)).result.data;
  const scene_id = mock.scenes()[0]!.scene_id;
  const made = await call("towow_submit_demand", { scene_id, user_id: "ada", intent: "A designer", min_score: 0 });
  const { negotiation_id } = made as { negotiation_id: string };
  const paused = await call("towow_demand", { negotiation_id });
  await call("towow_demand", { ...paused.resume_with.params, decision: "accept" });

  const from = Date.now();
  mock.journal.length = 0;
  const results = await Promise.all(
    clients.map((client) => client.call("towow_status", { negotiation_id, wait: "done" })),
  );
  const seconds = (Date.now() - from) / 1000;
  const done = results.filter(({ result }) => result.data?.state === "completed").length;
  const reads = mock.journal.filter((e) => e.method === "GET" && e.path.endsWith(negotiation_id)).length;
  await deployment.close();
  await mock.close();
  await redis.close();
  return { watchers, done, seconds, reads };
}

console.log(
  "| people who wait | told of the end | seconds | backend reads | of these, each one's first | later ones |",
);
console.log("|---|---|---|---|---|---|");
for (const watchers of [1, 10, 100]) {
  const { done, seconds, reads } = await measure(watchers);
  console.log(`| ${watchers} | ${done} | ${seconds.toFixed(1)} | ${reads} | ${watchers} | ${reads - watchers} |`);
}
