import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endpointClient } from "../support/endpoint-clients.ts";
import { httpBrowser } from "../support/http-browser.ts";
import { hasNginx } from "../support/nginx.ts";
import { hasRedis, valuesIn } from "../support/redis.ts";
import { agentAt } from "../support/relay.ts";
import { type TwoReplicas, twoReplicas } from "./two-replicas.ts";

const JSON_HEADERS = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };

describe.skipIf(!hasRedis() || !hasNginx())("browsers at two replicas (needs redis-server and nginx)", () => {
  let all: TwoReplicas;
  let redis: TwoReplicas["redis"];
  let mock: TwoReplicas["mock"];
  let deployment: TwoReplicas["deployment"];
  let token = "";

  beforeAll(async () => {
    all = await twoReplicas({
      nginx: true,
      args: ["--token-page", "on"],
      env: { LANG: "en_US.UTF-8", TOWOW_CONFIRMATION_POLICY: "strict" },
    });
    ({ redis, mock, deployment, token } = all);
  });
  afterAll(() => all?.close());

  it("signed in at one, a browser decides at both; revoked at one, at neither; the store holds no secret", async () => {
    const { origin, port } = new URL(deployment.mcp);
    const browser = httpBrowser(Number(port), origin);
    const pageAt = async (name: "a" | "b") => {
      const client = await endpointClient("plain", deployment.replicas[name].mcp, { token });
      const intent = `A designer, ${Math.random()}`;
      const { text, result } = await client.call("towow_demand", { intent, scene_id: mock.scenes()[0]?.scene_id });
      const link = /https?:\/\/\S+\/approve\/([ab])\/[\w-]+\/[\w-]+/.exec(text);
      expect(link?.[1]).toBe(name);
      return { link: String(link?.[0]), id: result.data.negotiation_id as string };
    };
    const confirmed = (id: string) => mock.negotiations().find((n) => n.negotiation_id === id)?.confirmCount;
    const [a, b] = [await pageAt("a"), await pageAt("b")];
    expect((await browser.ask(a.link)).status).toBe(403);
    expect((await browser.ask(a.link, { token })).status).toBe(303);
    for (const { link, id } of [a, b]) {
      expect((await browser.decide(link, { decision: "accept" })).status).toBe(200);
      expect(confirmed(id)).toBe(1);
    }
    const [secret = ""] = browser.cookies.values();
    const client = new Redis(redis.url);
    const keys = await client.keys("*");
    const stored = JSON.stringify([keys, await valuesIn(client, keys)]);
    client.disconnect();
    for (const hidden of [secret, token]) expect(stored).not.toContain(hidden);
    expect(stored).toContain("firefox-linux");

    // Whichever replica is asked shows the same browsers.
    for (let n = 0; n < 4; n++) expect((await browser.ask(`${origin}/browsers`)).text).toContain("Firefox on Linux");
    // The page that says how clients connect is behind the balancer as well.
    expect((await browser.ask(`${origin}/`)).text).toContain("/mcp");
    await browser.ask(`${origin}/browsers`, { forget: "firefox-linux" });
    for (const name of ["a", "b"] as const) {
      const { link, id } = await pageAt(name);
      expect((await browser.decide(link, { decision: "accept" })).status).toBe(403);
      expect(confirmed(id)).toBe(0);
    }
  });

  it("a visitor gets a token, and a program finds where to sign in, through the load balancer", async () => {
    const { origin, port } = new URL(deployment.mcp);
    const browser = httpBrowser(Number(port), origin);
    const [, form] = /<form[^>]* action="([^"]+)"/.exec((await browser.ask(`${origin}/`)).text) ?? [];
    const { status, text } = await browser.ask(`${origin}${form}`, {});
    expect([status, /towow_[\w-]{20,}/.test(text)]).toEqual([200, true]);
    const { headers } = await fetch(deployment.mcp, { method: "POST", body: "{}", headers: JSON_HEADERS });
    const [, document = ""] = /resource_metadata="([^"]+)"/.exec(headers.get("www-authenticate") ?? "") ?? [];
    expect(document.startsWith(origin)).toBe(true);
    expect((await fetch(document)).status).toBe(200);
  });

  it("a person's room stays at its replica, through the load balancer, and an agent's WebSocket finds it", async () => {
    const { origin, port } = new URL(deployment.mcp);
    const client = await endpointClient("plain", deployment.mcp, { token });
    await client.call("towow_demand", { intent: `A designer, ${Math.random()}`, scene_id: mock.scenes()[0]?.scene_id });
    const browser = httpBrowser(Number(port), origin);
    const room = String((await browser.ask(`${origin}/room`)).headers.location);
    expect(room).toMatch(/^\/room\/[ab]$/);
    expect((await browser.ask(`${origin}${room}`, { token })).status).toBe(303);
    // What waits for its person is what it begins with.
    const page = async () => (await browser.ask(`${origin}${room}`)).text;
    await expect.poll(page).toContain('"stage":"decision"');
    for (let n = 0; n < 4; n++) expect(await page()).toContain('"stage":"decision"');
    const shown = (await browser.ask(`${origin}${room}/agent`)).text;
    const agent = await agentAt(String(/ws:[^<\s]+/.exec(shown)?.[0]));
    expect((await agent.ask("relay.join", { role: "agent", sessionId: "default" })).type).toBe("relay.joined");
    await agent.ask("session.start", {});
    expect((await agent.ask("snapshot.get", {})).payload.uiSpec.stage).toBe("decision");
    expect(await page()).toContain('value="removeAgent?');
  });
});
