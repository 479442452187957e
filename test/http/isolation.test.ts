import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { legacyClient, modernClient } from "../support/clients.ts";
import {
  type Endpoint,
  modernRequest,
  openSession,
  type RawRequest,
  send,
  startEndpoint,
  toolCall,
} from "../support/endpoint.ts";
import { sendProfile } from "../support/profile.ts";

const PROFILE = { skills: ["design", "research", "figma"], bio: "Designer of calm hospital software, in Hangzhou." };
const INTENT = "I need somebody who plans hospital queues";

let endpoint: Endpoint;
beforeAll(async () => {
  endpoint = await startEndpoint();
});
afterAll(() => endpoint.close());

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

/** Two users who both say that they are the same person. */
async function twoUsers() {
  const [a, b] = [await endpoint.token(), await endpoint.token()];
  const headers = (token: string) => ({ ...bearer(token), "X-Towow-User-Id": "somebody" });
  const call =
    (token: string) =>
    async (name: string, args: object = {}) =>
      (await send(endpoint.port, { headers: headers(token), body: toolCall(name, args) })).json.result
        .structuredContent;
  return { a: call(a), b: call(b), tokens: { a, b } };
}

async function demandOf(call: (name: string, args?: object) => Promise<{ data: never }>) {
  await sendProfile(call, "towow_join", { scene: endpoint.sceneName, display_name: "Lin", profile_data: PROFILE });
  // biome-ignore lint/suspicious/noExplicitAny: a result's data
  const { data } = (await call("towow_demand", { intent: `${INTENT} ${Math.random()}` })) as any;
  return data as { negotiation_id: string; resume_with: { tool: string; params: Record<string, string> } };
}

const ofBackend = (id: string) => endpoint.mock.negotiations().find((one) => one.negotiation_id === id);

describe("one user and another, on one endpoint", () => {
  it("a confirmation id decides nothing for somebody else", async () => {
    const { a, b } = await twoUsers();
    const { negotiation_id: id, resume_with } = await demandOf(a);
    const stolen = await b(resume_with.tool, { ...resume_with.params, decision: "accept" });
    expect(stolen.error?.code).toBe("tool.policy.blocked.not_submitted_here"); // by this user
    const { data } = await b("towow_demand", { negotiation_id: id });
    expect(data.resume_with.params.confirmation_id).not.toBe(resume_with.params.confirmation_id);
    const mixed = await b(resume_with.tool, { ...resume_with.params, decision: "accept" });
    expect(mixed.error?.code).toBe("tool.policy.blocked.not_submitted_here");
    expect(ofBackend(id)).toMatchObject({ confirmCount: 0, state: "formulated" });
    const decided = await a(resume_with.tool, { ...resume_with.params, decision: "accept" });
    expect(decided.data).toMatchObject({ decision: "accept" });
    const again = await b("towow_status", { negotiation_id: id });
    expect(again.data?.decided_by ?? null).toBeNull();
  });

  it("the signed state of one user's question is none of another's", async () => {
    const { tokens } = await twoUsers();
    const ask = async (
      token: string,
      more: object,
    ): Promise<{ status: number; json: { result?: Record<string, never>; error?: object } }> => {
      const request: RawRequest = modernRequest(
        "tools/call",
        { name: "towow_demand", arguments: { intent: INTENT }, ...more },
        { elicitation: { form: {} } },
      );
      return send(endpoint.port, { headers: { ...bearer(token), ...request.headers }, body: request.body as string });
    };
    for (const token of [tokens.a, tokens.b]) {
      const call = (tool: string, args: object) =>
        send(endpoint.port, { headers: bearer(token), body: toolCall(tool, args) });
      await sendProfile(call, "towow_join", { scene: endpoint.sceneName, display_name: "Lin", profile_data: PROFILE });
    }
    const asked = await ask(tokens.a, {});
    const requestState = asked.json.result?.requestState as unknown as string;
    expect(requestState).toBeTruthy();
    const answer = { decision: { action: "accept", content: { decision: "accept" } } };
    const before = endpoint.mock.negotiations().map(({ confirmCount }) => confirmCount);
    const stolen = await ask(tokens.b, { requestState, inputResponses: answer });
    expect(stolen.json.error ?? stolen.json.result?.error).toBeTruthy();
    expect(endpoint.mock.negotiations().map(({ confirmCount }) => confirmCount)).toEqual(before);
    const own = await ask(tokens.a, { requestState, inputResponses: answer });
    expect(own.json.result?.structuredContent).toMatchObject({ data: { decision: "accept", decided_by: "form" } });
  });

  it("last scene, last negotiation, mode and budget are each one's own", async () => {
    const { a, b } = await twoUsers();
    await demandOf(a);
    await a("towow_set_mode", { mode: "developer" });
    expect((await a("towow_list_scenes")).error).toBeNull();
    expect((await b("towow_list_scenes")).error?.code).toBe("tool.policy.blocked.inactive_tool");
    expect((await b("towow_demand", { intent: INTENT })).error).not.toBeNull(); // no last scene
    expect((await b("towow_status")).error).not.toBeNull(); // no last negotiation
    expect((await a("towow_status")).error).toBeNull();
  });

  it("what waits for one person's permission waits for nobody else", async () => {
    const { tokens } = await twoUsers();
    const sceneId = endpoint.mock.scenes()[0]?.scene_id ?? "";
    const profile = {
      scene_id: sceneId,
      agent_id: "asked_about",
      display_name: "Lin",
      profile_data: { skills: ["Go"] },
    };
    const isThere = () => endpoint.mock.journal.some(({ body }) => JSON.stringify(body ?? "").includes("asked_about"));
    const register = async (token: string, more = {}) => {
      const { headers, body } = modernRequest(
        "tools/call",
        { name: "towow_register_agent", arguments: profile, ...more },
        { elicitation: { form: {} } },
      );
      const answer = await send(endpoint.port, {
        path: "/mcp?mode=developer",
        headers: { ...bearer(token), ...headers },
        body: body as string,
      });
      return answer.json;
    };
    const yes = { decision: { action: "accept", content: { decision: "accept" } } };
    let asked = (await register(tokens.a)).result;
    for (; asked.requestState !== undefined; asked = asked.next) {
      const answered = { requestState: asked.requestState, inputResponses: yes };
      expect((await register(tokens.b, answered)).error.code).toBe(-32602);
      expect(isThere()).toBe(false);
      asked.next = (await register(tokens.a, answered)).result; // the next part of the question, or the result
    }
    expect(asked.structuredContent.error).toBeNull();
    expect(isThere()).toBe(true);
  });

  it("a session's calls, and what was read lately, are not told to others", async () => {
    const { tokens } = await twoUsers();
    const mine = await openSession(endpoint.port, bearer(tokens.a));
    await send(endpoint.port, {
      headers: { ...bearer(tokens.a), "Mcp-Session-Id": mine },
      body: toolCall("towow_status"),
    });
    const other = await legacyClient({ url: endpoint.url, headers: bearer(tokens.b) });
    expect(JSON.parse(await other.read("towow://evidence/recent"))).toEqual({ calls: [] });
    const otherModern = await modernClient({ url: endpoint.url, headers: bearer(tokens.b) });
    expect(JSON.parse(await otherModern.read("towow://evidence/recent"))).toEqual({ calls: [] });
  });

  it("a negotiation of one user, asked for by its address, shows the other what its backend shows, and nothing of its user", async () => {
    const { a, b, tokens } = await twoUsers();
    const { negotiation_id: id, resume_with } = await demandOf(a);
    const own = await modernClient({ url: endpoint.url, headers: bearer(tokens.a) });
    const other = await modernClient({ url: endpoint.url, headers: bearer(tokens.b) });
    const plain = ["towow://negotiations", "towow://reviews", "towow://evidence/recent", "towow://policy"];
    for (const uri of plain) expect(await other.read(uri), uri).not.toContain(id);
    expect(await own.read("towow://negotiations")).toContain(id);
    const text = await other.read(`towow://negotiations/${id}`);
    const [before = "", fenced = ""] = text.split(/<<<foreign \w+\n/);
    expect([before.includes(INTENT), fenced.includes(INTENT)]).toEqual([false, true]);
    expect(text).not.toContain(resume_with.params.confirmation_id);
    for (const part of ["plan", "offers/anybody", "graph", "brief", "evidence"])
      expect(await other.read(`towow://negotiations/${id}/${part}`).catch(String), part).not.toContain(
        resume_with.params.confirmation_id,
      );
    await expect(other.read(`towow://tasks/${id}/result`)).rejects.toThrow();
    // It counts as read: the other's own demand takes no word of their AI from now on, and the first one's still does.
    const paused = await b("towow_demand", {
      intent: `${INTENT} for Bo`,
      scene_id: endpoint.mock.scenes()[0]?.scene_id,
    });
    expect(paused.data.resume_with.params).not.toHaveProperty("confirmation_id");
    const decided = await a(resume_with.tool, { ...resume_with.params, decision: "accept" });
    expect(decided.data).toMatchObject({ decision: "accept" });
    await Promise.all([own.close(), other.close()]);
  });

  it("without X-Towow-User-Id an id is derived, always the same, and said once", async () => {
    const token = await endpoint.token();
    const call = async (name: string, args = {}) =>
      (await send(endpoint.port, { headers: bearer(token), body: toolCall(name, args) })).json.result.structuredContent;
    const joining = { scene: endpoint.sceneName, display_name: "Lin", profile_data: PROFILE };
    const shown = await call("towow_join", joining);
    expect(shown.warnings).toContain("user_id_derived");
    const joined = await call("towow_join", { ...joining, profile_hash: shown.data.profile_hash });
    const demand = await call("towow_demand", { intent: INTENT });
    expect(demand.warnings).not.toContain("user_id_derived");
    expect(JSON.stringify(joined.data)).toMatch(/u-[0-9a-f]{32}/);
  });

  it("a token that the backend refuses is said to be refused", async () => {
    const result = await send(endpoint.port, {
      headers: bearer("nobody-issued-this"),
      body: toolCall("towow_join", { scene: endpoint.sceneName, raw_content: "x" }),
    });
    const { error } = result.json.result.structuredContent;
    expect(error.code).toBe("tool.auth.unauthorized.token_rejected");
    // The home of that person's own machine knows neither this token nor how it is renewed.
    expect(`${error.message} ${error.recovery_suggestion}`).not.toMatch(/towow-mcp|a new one/);
  });

  it("no command of the person's own machine is named for what only the operator or this endpoint has", async () => {
    const call = async (name: string, args: object) => {
      const { json } = await send(endpoint.port, { headers: bearer(token), body: toolCall(name, args) });
      return json.result.structuredContent;
    };
    const token = await endpoint.token();
    endpoint.mock.faults.add({ route: "scenes.list", kind: "status", status: 500, times: 9 });
    const failed = await call("towow_join", { scene: endpoint.sceneName, raw_content: "x" });
    endpoint.mock.faults.clear();
    expect(failed.error).toMatchObject({ code: "tool.backend.unavailable.server_error" });
    expect(failed.error.recovery_suggestion).toContain("operator");
    expect(failed.error.recovery_suggestion).not.toContain("towow-mcp");
    const reader = await modernClient({ url: endpoint.url, headers: bearer(token) });
    expect(JSON.parse(await reader.read("towow://reviews")).about).not.toContain("towow-mcp");
    await reader.close();
  });
});

it("the page of the errors names no command of a terminal: nobody here has one", async () => {
  const { port, token } = endpoint;
  const body = toolCall("towow_docs_read", { uri: "towow://docs/errors" });
  const { json } = await send(port, { path: "/mcp?toolset=all", headers: bearer(await token()), body });
  expect(json.result.structuredContent).toMatchObject({ status: "ok" });
  expect(JSON.stringify(json.result)).toContain("tool.config.unavailable.home_unwritable");
  expect(JSON.stringify(json.result)).not.toMatch(/towow-mcp (?:doctor|config|list|network|setup|whoami)/);
});
