import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { legacyClient, modernClient } from "../support/clients.ts";
import { type Endpoint, modernRequest, openSession, rpc, send, startEndpoint, toolCall } from "../support/endpoint.ts";
import { sendProfile } from "../support/profile.ts";
import { soon } from "../support/soon.ts";

const PROFILE = {
  skills: ["TypeScript", "Python", "distributed systems"],
  bio: "Engineer who builds small, reliable services and likes to ship them.",
};
const INTENT = "I need a product designer for a hospital queue pilot";

let endpoint: Endpoint;
beforeAll(async () => {
  endpoint = await startEndpoint();
});
afterAll(() => endpoint.close());

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

/** A client of a fresh user. */
async function connected(connect: typeof legacyClient) {
  const token = await endpoint.token();
  return connect({ url: endpoint.url, headers: bearer(token) });
}

describe.each([
  ["2025 era, a session with forms", legacyClient],
  ["2026-07-28, forms", modernClient],
] as const)("%s", (_, connect) => {
  it("another mode is told to the client, by the session's stream or by its subscription", async () => {
    const session = await connected(connect);
    const before = session.listChanges();
    expect(await session.tools()).toHaveLength(4);
    await session.call("towow_set_mode", { mode: "developer" });
    await soon(() => session.listChanges()).toBeGreaterThan(before);
    expect(await session.tools()).toHaveLength(12);
  });
});

describe("a 2025-era client without sessions", () => {
  const client = async (query = "") => {
    const headers = { ...bearer(await endpoint.token()), "MCP-Protocol-Version": "2025-11-25" };
    const post = async (body: string) =>
      (await send(endpoint.port, { path: `/mcp${query}`, headers, body })).json.result;
    return { post, call: async (name: string, args = {}) => (await post(toolCall(name, args))).structuredContent };
  };

  it("is served all the same: join, demand, decide by argument, plan", async () => {
    const { call } = await client();
    await sendProfile(call, "towow_join", { scene: endpoint.sceneName, display_name: "Lin", profile_data: PROFILE });
    const demand = await call("towow_demand", { intent: INTENT });
    expect(demand.data).toMatchObject({ state: "formulated" });
    const { tool, params } = demand.data.resume_with;
    const decided = await call(tool, { ...params, decision: "accept" });
    expect(decided.data).toMatchObject({ decision: "accept", decided_by: "argument" });
    expect((await call("towow_status", { wait: "done" })).data.plan_output).toBeTruthy();
  });

  it("what it chooses holds for its next request", async () => {
    const { post, call } = await client();
    await call("towow_set_mode", { mode: "developer" });
    expect((await post(rpc("tools/list"))).tools).toHaveLength(12);
  });

  it.each([
    ["?mode=developer&toolset=readonly", 5],
    ["?mode=developer&exclude_tools=towow_action", 11],
    ["?allow_tools=towow_join,towow_status", 2],
  ])("an address with %s", async (query, count) => {
    const { post } = await client(query);
    const { tools } = await post(rpc("tools/list"));
    expect(tools.map(({ name }: { name: string }) => name)).toHaveLength(count);
  });
});

it("a mode in the address is pinned: it cannot be switched", async () => {
  const token = await endpoint.token();
  const session = await legacyClient({ url: `${endpoint.url}?mode=normal`, headers: bearer(token) });
  const refused = await session.call("towow_set_mode", { mode: "developer" });
  expect(refused.isError).toBe(true);
});

describe("the person of this machine, by the home's key", () => {
  const person = () => ({ url: endpoint.url, headers: bearer(endpoint.homeKey()) });

  it("has a session of their own for each client: a mode in one changes nothing in another", async () => {
    const [one, other] = [await legacyClient(person()), await legacyClient(person())];
    await one.call("towow_set_mode", { mode: "developer", persist: false });
    await soon(() => one.listChanges()).toBeGreaterThan(0);
    expect(await one.tools()).toHaveLength(12);
    expect(await other.tools()).toHaveLength(4);
  });
});

it("a 2026-era request needs no session; an answer whose stream broke can be had again in a session", async () => {
  const headers = bearer(await endpoint.token());
  const { headers: asked, body } = modernRequest("tools/list");
  const listed = await send(endpoint.port, { headers: { ...headers, ...asked }, body: body as string });
  expect([listed.status, listed.headers["mcp-session-id"], listed.json.result.tools.length]).toEqual([
    200,
    undefined,
    4,
  ]);

  const id = await openSession(endpoint.port, headers);
  const inSession = { ...headers, "Mcp-Session-Id": id, "MCP-Protocol-Version": "2025-11-25" };
  const called = await send(endpoint.port, { headers: inSession, body: toolCall("towow_status") });
  const resumed = await send(endpoint.port, {
    method: "GET",
    headers: { ...inSession, Accept: "text/event-stream", "Last-Event-ID": /^id: (.+)$/m.exec(called.text)?.[1] },
  });
  expect(resumed.json).toEqual(called.json);
  expect(resumed.json.result.structuredContent).toBeTruthy();
  expect((await send(endpoint.port, { method: "DELETE", headers: inSession })).status).toBe(200);
});
