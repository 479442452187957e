import { describe, expect, it, onTestFinished } from "vitest";
import { cancels, confirms } from "../support/backend.ts";
import { type Answer, legacyClient, modernClient, READING_MS } from "../support/clients.ts";
import { buttonIn } from "../support/decision-page.ts";
import { modernRequest, send, startEndpoint } from "../support/endpoint.ts";
import { freePort } from "../support/free-port.ts";
import { httpBrowser } from "../support/http-browser.ts";
import { hasRedis, startRedis } from "../support/redis.ts";
import { answer, asks, decided, demand, FOLLOWS, type Request, until } from "../support/task-client.ts";

/** A person who says no after a look at it. */
const declining = async (): Promise<Answer> => {
  await new Promise((resolve) => setTimeout(resolve, READING_MS));
  return { action: "decline" };
};

/** The store of an endpoint goes while a person decides: a no goes out by every surface, a yes by none (contract §10). */

const INTENT = "A designer for a hospital queue pilot";
const CLIENTS = [
  ["2025 era", legacyClient],
  ["2026-07-28", modernClient],
] as const;

async function setUp(env: Record<string, string> = {}) {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const redis = await startRedis();
  const endpoint = await startEndpoint({
    args: ["--port", `${port}`, "--public-url", origin, "--store", redis.url],
    env: {
      TOWOW_STATE_KEY: Buffer.alloc(32, 7).toString("base64"),
      TOWOW_WAIT_BUDGET_S: "1",
      TOWOW_ON_UNCONFIRMED: "leave",
      ...env,
    },
  });
  onTestFinished(async () => {
    await endpoint.close();
    await redis.close();
  });
  const token = await endpoint.token();
  const target = { url: endpoint.url, headers: { Authorization: `Bearer ${token}` } };
  const sceneId = endpoint.mock.scenes()[0]?.scene_id ?? "";
  return { endpoint, redis, origin, token, target, sceneId };
}

const REFUSED = [{ cancelled: true, confirmCount: 0 }];
const OPEN = [{ cancelled: false, confirmCount: 0 }];

describe.skipIf(!hasRedis())("a store that goes while the question stands", () => {
  describe.each(CLIENTS)("%s", (_, connect) => {
    const inForm = async (say: () => Promise<Answer> | Answer) => {
      const { endpoint, redis, target, sceneId } = await setUp({ TOWOW_WAIT_BUDGET_S: "20" });
      const session = await connect(target, async () => {
        await redis.stop();
        return say();
      });
      const called = await session.call("towow_demand", { intent: INTENT, scene_id: sceneId });
      return { called, mock: endpoint.mock };
    };

    it("a form that is declined", async () => {
      const { called, mock } = await inForm(declining);
      expect(mock.negotiations()).toMatchObject(REFUSED);
      expect(called.result).toMatchObject({ error: null, data: { decision: "reject", decided_by: "form" } });
      expect(called.text).toMatch(/not broadcast/i);
    });

    it("a form that says yes sends nothing", async () => {
      const { called, mock } = await inForm(() => ({ action: "accept", content: { decision: "accept" } }));
      expect(confirms(mock)).toEqual([]);
      expect(called.result.error?.code).toBe("tool.config.unavailable.store");
    });

    /** The page of a demand, and the browser in which its person has looked at it. */
    const onPage = async () => {
      const at = await setUp({ TOWOW_CONFIRMATION_POLICY: "strict" });
      const session = await connect(at.target);
      const linkIn = (text: string) => /https?:\/\/\S+\/approve\/[\w-]+\/[\w-]+\/[\w-]+/.exec(text)?.[0];
      let called = await session.call("towow_demand", { intent: INTENT, scene_id: at.sceneId });
      const { negotiation_id } = called.result.data;
      while (linkIn(called.text) === undefined) called = await session.call("towow_demand", { negotiation_id });
      const link = linkIn(called.text) ?? "";
      const hers = httpBrowser(at.endpoint.port, at.origin);
      await hers.ask(link, { token: at.token });
      expect((await hers.ask(link)).status).toBe(200);
      return { ...at, session, link, hers, another: () => httpBrowser(at.endpoint.port, at.origin) };
    };

    it("the page's Withdraw, in the browser in which it stands", async () => {
      const { endpoint, redis, link, hers, another } = await onPage();
      await redis.stop();
      const page = await hers.decide(link, { decision: "reject" });
      expect([page.status, /Withdrawn/.test(page.text)]).toEqual([200, true]);
      expect(endpoint.mock.negotiations()).toMatchObject(REFUSED);
      expect((await another().ask(link)).status).toBe(403);
    });

    it("the page's yes sends nothing, and nobody else's browser gets in", async () => {
      const { endpoint, redis, token, link, hers, another } = await onPage();
      const yes = String(buttonIn((await hers.ask(link)).text, "broadcast"));
      await redis.stop();
      await hers.ask(`${link}/act`, { do: yes });
      expect(confirms(endpoint.mock)).toEqual([]);
      const stranger = another();
      expect((await stranger.ask(link, { token })).status).toBeGreaterThanOrEqual(400);
      expect((await stranger.decide(link, { decision: "reject" })).status).toBe(403);
      expect(endpoint.mock.negotiations()).toMatchObject(OPEN);
    });

    it("a browser that was revoked is not known again because the store is gone", async () => {
      const { endpoint, redis, origin, token, link, hers, another } = await onPage();
      const phone = another();
      await phone.ask(`${origin}/browsers`, { token });
      expect((await phone.ask(`${origin}/browsers`, { forget: "firefox-linux" })).text).toContain("Revoked just now");
      await redis.stop();
      expect((await hers.decide(link, { decision: "reject" })).status).toBe(403);
      expect(endpoint.mock.negotiations()).toMatchObject(OPEN);
    });
  });

  it("a no that only this replica knows keeps it, though an error breaks it: it ends when the no has arrived", async () => {
    const { endpoint, redis, target, sceneId } = await setUp({ TOWOW_WAIT_BUDGET_S: "20" });
    const session = await modernClient(target);
    const { result } = await session.call("towow_demand", { intent: INTENT, scene_id: sceneId });
    await redis.stop();
    for (const route of ["get", "action"] as const)
      endpoint.mock.faults.add({ route, kind: "drop_before", times: Number.POSITIVE_INFINITY });
    await session.call("towow_demand", { ...result.data.resume_with.params, decision: "reject" });
    endpoint.crash(new Error("broken"));
    // One try a second: longer than the last words of a program that an error ends.
    const from = cancels(endpoint.mock).length;
    await expect.poll(() => cancels(endpoint.mock).length - from).toBeGreaterThan(5);
    endpoint.mock.faults.clear();
    expect(await endpoint.exited).toBe(1);
    expect(endpoint.mock.negotiations()).toMatchObject(REFUSED);
  });

  it.each(["update", "cancel"] as const)("a task, by tasks/%s", async (how) => {
    const { endpoint, redis, target, sceneId } = await setUp();
    const request: Request = async (method, params = {}) => {
      const sent = modernRequest(method, params, FOLLOWS);
      const name = (params as { taskId?: string }).taskId;
      const headers = { ...sent.headers, ...(name && { "Mcp-Name": name }), ...target.headers };
      const { json } = await send(endpoint.port, { ...sent, headers });
      return json.result ?? { error: json.error };
    };
    const { taskId } = await demand(request, sceneId, INTENT);
    const task = await until(request, taskId, asks);
    await redis.stop();
    const said =
      how === "cancel" ? await request("tasks/cancel", { taskId }) : await answer(request, task, decided("reject"));
    expect(said.error).toBeUndefined();
    expect(endpoint.mock.negotiations()).toMatchObject(REFUSED);
    const seen = await request("tasks/get", { taskId });
    expect(`${seen.statusMessage}\n${JSON.stringify(seen.result)}`).toMatch(/not broadcast|no agent was asked/i);
  });
});
