import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runningMock } from "../support/backend.ts";
import { type Called, legacyClient } from "../support/clients.ts";
import { temporaryHome } from "../support/home.ts";
import { soon } from "../support/soon.ts";

it("one id for a call: in the result, the log, the evidence, and every request that it causes", async () => {
  const mock = await runningMock({ stepMs: 300 }); // still under way when its end is waited for
  const home = await temporaryHome();
  const session = await legacyClient({ env: { TOWOW_HOME: home, TOWOW_BACKEND_URL: mock.url } });
  const calls: Called[] = [];
  const call = async (name: string, args: Record<string, unknown>) => {
    const from = mock.journal.length;
    const called = await session.call(name, args);
    calls.push(called);
    const sent = mock.journal.slice(from).filter(({ path }) => !path.endsWith("/mcp-token"));
    expect(sent.length, name).toBeGreaterThan(0);
    expect(new Set(sent.map(({ requestId }) => requestId)), name).toEqual(new Set([called.requestId]));
    return called.result.data;
  };
  const pause = await call("towow_demand", { intent: "A designer", scene_id: mock.sceneId });
  await call("towow_demand", { ...pause.resume_with.params, decision: "accept" });
  await call("towow_status", { wait: "done" });
  await call("towow_status", { negotiation_id: "neg_0" });

  const ids = calls.map(({ requestId }) => requestId);
  expect(new Set(ids).size).toBe(4);
  const evidence = JSON.parse(await session.read("towow://evidence/recent"));
  expect(evidence.calls.map((one: { request_id: string }) => one.request_id).reverse()).toEqual(ids);
  const done = async () => {
    const log = (await readFile(join(home, "logs", "towow.log"), "utf8")).trim().split("\n");
    return log.map((line) => JSON.parse(line)).filter(({ event }) => event === "agent_tool_done");
  };
  await soon(async () => (await done()).map(({ request_id }) => request_id)).toEqual(ids);
});
