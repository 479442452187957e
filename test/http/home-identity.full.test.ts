import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cli } from "../support/cli.ts";
import { legacyClient, modernClient } from "../support/clients.ts";
import { type Endpoint, rpc, send, startEndpoint, toolCall } from "../support/endpoint.ts";
import { hasNginx, startStockNginx } from "../support/nginx.ts";
import { sendProfile } from "../support/profile.ts";

const PROFILE = { skills: ["design", "research", "figma"], bio: "Designer of calm hospital software, in Hangzhou." };

let endpoint: Endpoint;
beforeAll(async () => {
  endpoint = await startEndpoint();
});
afterAll(() => endpoint.close());

const bearer = (value: string) => ({ Authorization: `Bearer ${value}` });

/** All that a stranger needs for a broadcast in this home's name: join, submit, and say yes. */
async function broadcast(port: number, headers: Record<string, string>): Promise<number[]> {
  const statuses: number[] = [];
  const call = async (name: string, args: object) => {
    const { status, json } = await send(port, { headers, body: toolCall(name, args) });
    statuses.push(status);
    return json?.result?.structuredContent;
  };
  await sendProfile(call, "towow_join", { scene: endpoint.sceneName, display_name: "Lin", profile_data: PROFILE });
  const demand = await call("towow_demand", { intent: "I need a product designer" });
  const { params = {} } = demand?.data?.resume_with ?? {};
  await call("towow_demand", { ...params, decision: "accept" });
  return statuses;
}

const confirmed = () => endpoint.mock.negotiations().filter(({ confirmCount }) => confirmCount > 0).length;

describe("the home's identity is for those who prove it", () => {
  it.skipIf(!hasNginx())(
    "a stranger behind a stock nginx, without a token: nothing is asked, nothing confirmed",
    async () => {
      const nginx = await startStockNginx(endpoint.port);
      try {
        const before = endpoint.mock.journal.length;
        expect(await broadcast(nginx.port, {})).toEqual([401, 401, 401]);
        for (const connect of [legacyClient, modernClient])
          await expect(connect({ url: `http://127.0.0.1:${nginx.port}/mcp` })).rejects.toThrow();
        expect(endpoint.mock.journal.length).toBe(before);
        expect(confirmed()).toBe(0);
        const owner = await send(nginx.port, { headers: bearer(endpoint.homeKey()), body: rpc("ping") });
        expect(owner.status).toBe(200); // who proves it may come through a proxy
      } finally {
        await nginx.close();
      }
    },
  );

  it("a program on loopback, without a token or with a wrong key: the same", async () => {
    const key = endpoint.homeKey();
    const before = endpoint.mock.journal.length;
    expect(await broadcast(endpoint.port, {})).toEqual([401, 401, 401]);
    for (const wrong of [`${key}A`, key.slice(0, -1), key.toUpperCase().replace("TOWOW-HOME-", "towow-home-")])
      expect(await broadcast(endpoint.port, bearer(wrong))).toEqual([401, 401, 401]);
    expect(endpoint.mock.journal.length).toBe(before); // a key is no token: no backend gets to see one
    expect(confirmed()).toBe(0);
  });

  it("the key: named as a path, in a file of the home's owner, and nowhere else", async () => {
    const path = join(endpoint.home, "home.key");
    const key = endpoint.homeKey();
    expect(key).toMatch(/^towow-home-[A-Za-z0-9_-]{43}$/);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await expect.poll(() => endpoint.out()).toContain(path);
    expect(await broadcast(endpoint.port, bearer(key))).toEqual([200, 200, 200, 200]);
    expect(confirmed()).toBe(1);
    expect(endpoint.out() + endpoint.log()).not.toContain(key);
  });

  it("what one call has chosen holds for the next one at once, in a session too", async () => {
    const session = await legacyClient({ url: endpoint.url, headers: bearer(endpoint.homeKey()) });
    const scene_id = endpoint.mock.scenes().at(-1)?.scene_id;
    await sendProfile(session.call, "towow_join", { scene: scene_id, display_name: "Lin", profile_data: PROFILE });
    const { result } = await session.call("towow_demand", { intent: "I need somebody at once" });
    expect(result.error).toBeNull();
    expect(endpoint.mock.negotiations().at(-1)).toMatchObject({ scene_id });
    const status = await session.call("towow_status");
    expect(status.result.data.negotiation_id).toBe(result.data.negotiation_id);
  });

  it("forget erases it, and from then on it opens nothing", async () => {
    const key = endpoint.homeKey();
    const env = { TOWOW_HOME: endpoint.home };
    const forgotten = await cli(["forget", "--identity", "--yes", "--force"], { env });
    expect(forgotten.status, forgotten.stderr).toBe(0);
    expect(existsSync(join(endpoint.home, "home.key"))).toBe(false);
    expect((await send(endpoint.port, { headers: bearer(key), body: rpc("ping") })).status).toBe(401);
  });
});

it.each([
  ["a public address", ["--public-url", "https://towow.example"]],
  ["other names", ["--allowed-hosts", "towow.internal"]],
])("an endpoint with %s is for others: it makes no key", async (_, args) => {
  const open = await startEndpoint({ args });
  try {
    expect(existsSync(join(open.home, "home.key"))).toBe(false);
    expect(open.out()).not.toContain("home.key");
  } finally {
    await open.close();
  }
});
