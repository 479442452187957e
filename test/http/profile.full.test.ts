import { describe, expect, it, onTestFinished } from "vitest";
import { legacyClient, modernClient } from "../support/clients.ts";
import { modernRequest, openSession, rpc, send, startEndpoint, toolCall } from "../support/endpoint.ts";
import { answer, asks, decided, demand, FOLLOWS, type Request, until } from "../support/task-client.ts";

const PROFILE = { skills: ["design", "research", "figma"], bio: "Designer of calm hospital software." };

async function served(env: Record<string, string> = {}) {
  const endpoint = await startEndpoint({ env: { TOWOW_MODE: "developer", ...env } });
  onTestFinished(() => endpoint.close());
  const { mock } = endpoint;
  const writes = () => mock.journal.filter(({ method, path }) => method === "POST" && !path.endsWith("/mcp-token"));
  const sceneId = mock.scenes()[0]?.scene_id ?? "";
  return { endpoint, writes, sceneId };
}

const calls = (sceneId: string) =>
  [
    ["towow_submit_demand", { scene_id: sceneId, intent: "A designer" }],
    ["towow_demand", { scene_id: sceneId, intent: "A designer" }],
    ["towow_register_agent", { scene_id: sceneId, display_name: "Ann", profile_data: PROFILE }],
    ["towow_join", { scene: sceneId, display_name: "Ann", profile_data: PROFILE }],
    ["towow_create_scene", { name: "n", description: "d" }],
    ["towow_action", { negotiation_id: "neg_1", action: "cancel" }],
    ["towow_confirm", { negotiation_id: "neg_1" }],
  ] as const;

describe.each([
  ["2025 era", "token", legacyClient],
  ["2026-07-28", "home key", modernClient],
] as const)("what tools may do, chosen in the address (%s, %s)", (_, who, connect) => {
  it("dry_run: what would be sent is shown, and nothing is", async () => {
    const { endpoint, writes, sceneId } = await served();
    const bearer = who === "token" ? await endpoint.token() : endpoint.homeKey();
    const headers = { authorization: `Bearer ${bearer}` };
    const dry = await connect({ url: `${endpoint.url}?profile=dry_run`, headers });
    for (const [tool, args] of calls(sceneId)) {
      const { result } = await dry.call(tool, args);
      if (result.error === null) expect(result.warnings, tool).toContain("dry_run");
    }
    const { result } = await dry.call("towow_submit_demand", { scene_id: sceneId, intent: "A designer" });
    expect(result.meta.would_send).toMatchObject({ method: "POST", body: { intent: "A designer" } });
    expect(writes()).toEqual([]);
    expect(endpoint.mock.negotiations()).toEqual([]);

    const live = await connect({ url: endpoint.url, headers });
    const { result: sent } = await live.call("towow_submit_demand", { scene_id: sceneId, intent: "A designer" });
    expect(sent.meta.would_send).toBeUndefined();
    expect(writes()).toHaveLength(1);
  });

  it("dry_run: an open question stays open", async () => {
    const { endpoint, sceneId } = await served();
    const bearer = who === "token" ? await endpoint.token() : endpoint.homeKey();
    const headers = { authorization: `Bearer ${bearer}` };
    const live = await connect({ url: endpoint.url, headers });
    const { result: submitted } = await live.call("towow_submit_demand", { scene_id: sceneId, intent: "A designer" });
    const { negotiation_id } = submitted.data;
    await expect.poll(() => endpoint.mock.negotiations()[0]?.state).toBe("formulated");
    const dry = await connect({ url: `${endpoint.url}?profile=dry_run`, headers });
    expect((await dry.call("towow_status", { negotiation_id })).result.error).toBeNull();
    for (const [tool, args] of [
      ["towow_confirm", { decision: "reject" }],
      ["towow_action", { action: "cancel" }],
    ] as const) {
      const { result } = await dry.call(tool, { negotiation_id, ...args });
      expect(result.meta.would_send?.body, JSON.stringify(result)).toMatchObject({ action: "cancel" });
    }
    expect(endpoint.mock.negotiations()).toMatchObject([{ cancelled: false }]);
    const { result } = await live.call("towow_confirm", { negotiation_id, decision: "reject" });
    expect(result).toMatchObject({ error: null, data: { decision: "reject" } });
    expect(endpoint.mock.negotiations()).toMatchObject([{ cancelled: true }]);
  });

  it("read_only: writes are refused, reads are not", async () => {
    const { endpoint, writes, sceneId } = await served();
    const headers = { authorization: `Bearer ${await endpoint.token()}` };
    const reader = await connect({ url: `${endpoint.url}?profile=read_only`, headers });
    for (const [tool, args] of calls(sceneId))
      expect((await reader.call(tool, args)).result.error?.code, tool).toBe("tool.policy.blocked.profile");
    expect((await reader.call("towow_list_scenes")).result.error).toBeNull();
    expect(writes()).toEqual([]);
  });
});

describe.each(["token", "home key"])("a background task, asked for with another address (%s)", (who) => {
  async function waiting(query: string) {
    const { endpoint, sceneId } = await served();
    const bearer = who === "token" ? await endpoint.token() : endpoint.homeKey();
    const client =
      (path: string): Request =>
      async (method, params = {}) => {
        const { headers, body } = modernRequest(method, params, FOLLOWS);
        const { taskId } = params as { taskId?: string };
        const more = { Authorization: `Bearer ${bearer}`, ...(taskId !== undefined && { "Mcp-Name": taskId }) };
        const { json } = await send(endpoint.port, { path, headers: { ...headers, ...more }, body: String(body) });
        return json.result ?? json;
      };
    const live = client("/mcp");
    const { taskId } = await demand(live, sceneId);
    const task = await until(live, taskId, asks);
    const only = () => endpoint.mock.negotiations()[0];
    return { live, other: client(`/mcp?${query}`), task, taskId, only };
  }

  it.each(["profile=read_only", "exclude_tools=towow_demand,towow_confirm"])(
    "%s: it asks nothing there, and takes a no alone",
    async (query) => {
      const { other, task, taskId, only } = await waiting(query);
      const seen = await other("tasks/get", { taskId });
      expect([seen.status, seen.inputRequests]).toEqual(["working", undefined]);
      await answer(other, task, decided("accept"));
      expect(only()).toMatchObject({ confirmCount: 0, cancelled: false });
      await answer(other, task, decided("reject")); // answered once it is noted, and carried out then
      await expect.poll(only).toMatchObject({ confirmCount: 0, cancelled: true });
    },
  );

  it("profile=dry_run: to end it there ends it for nobody else", async () => {
    const { live, other, taskId, only } = await waiting("profile=dry_run");
    await other("tasks/cancel", { taskId });
    expect(only()).toMatchObject({ cancelled: false });
    const task = await live("tasks/get", { taskId });
    expect(task.status).toBe("input_required");
    await answer(live, task, decided("reject"));
    await expect.poll(only).toMatchObject({ cancelled: true });
  });
});

it("a session of one address serves no request by another: it would send what that one promises not to", async () => {
  const { endpoint, writes, sceneId } = await served();
  const Authorization = `Bearer ${await endpoint.token()}`;
  const headers = { Authorization, "Mcp-Session-Id": await openSession(endpoint.port, { Authorization }) };
  const submit = (path: string) =>
    send(endpoint.port, {
      path,
      headers,
      body: toolCall("towow_submit_demand", { scene_id: sceneId, intent: "A designer" }),
    });
  for (const profile of ["dry_run", "read_only"])
    expect((await submit(`/mcp?profile=${profile}`)).json.error?.data?.code).toBe("http.session_not_found");
  expect(writes()).toEqual([]);
  expect((await submit("/mcp")).json.result.structuredContent.error).toBeNull();
  expect(writes()).toHaveLength(1);
});

it("the operator's profile cannot be chosen away, and one that does not exist is refused", async () => {
  const { endpoint } = await served({ TOWOW_PROFILE: "read_only" });
  const headers = { Authorization: `Bearer ${await endpoint.token()}` };
  for (const profile of ["live", "dry_run", "expert", ""]) {
    const { status, json } = await send(endpoint.port, { path: `/mcp?profile=${profile}`, headers, body: rpc("ping") });
    expect([profile, status, json.error?.data?.code]).toEqual([profile, 400, "http.query_invalid"]);
  }
});
