import { describe, expect, it } from "vitest";
import { World } from "./world.ts";

const TOKEN = "/v1/api/auth/mcp-token";
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const SCENE = { name: "s", description: "d", organizer_id: "o" };

describe("tokens", () => {
  it("a first request gets a fresh UUID, a token and its end", async () => {
    const world = new World({ auth: true });
    const { status, body } = await world.call("POST", TOKEN, { user_id: "", device_info: "test" });
    expect(status).toBe(200);
    expect(body).toEqual({
      user_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      api_token: expect.stringMatching(/^towow_.{20,}/),
      expires_at: "2026-11-22T00:00:00.000000+00:00",
    });
    expect((await world.call("POST", "/v1/api/scenes", SCENE, bearer(body.api_token))).status).toBe(201);
    expect(world.mock.tokensIssued()).toBe(1);
  });

  it.each([
    ["no token", {}, "Not authenticated"],
    ["another scheme", { authorization: "Basic abc" }, "Not authenticated"],
    ["a wrong token", bearer("towow_wrong"), "Invalid or expired token"],
  ])("%s is 401, before 422 and 404", async (_what, headers, detail) => {
    const world = new World({ auth: true });
    for (const [method, path] of [
      ["POST", "/v1/api/scenes"],
      ["GET", "/v1/api/negotiations/neg_000000000000"],
      ["GET", "/nowhere"],
    ] as const) {
      const answered = await world.call(method, path, method === "POST" ? {} : undefined, headers);
      expect(answered).toMatchObject({ status: 401, body: { detail } });
      expect(answered.headers.get("www-authenticate")).toBe("Bearer");
    }
  });

  it("expire by time and on demand, and still renew their own id", async () => {
    const world = new World({ auth: true, tokenLifetimeMs: 1_000 });
    const first = (await world.call("POST", TOKEN, { user_id: "" })).body;
    await world.clock.advance(1_000);
    expect((await world.call("GET", "/v1/api/scenes", undefined, bearer(first.api_token))).status).toBe(401);
    const second = (await world.call("POST", TOKEN, { user_id: first.user_id }, bearer(first.api_token))).body;
    expect(second.user_id).toBe(first.user_id);
    expect((await world.call("GET", "/v1/api/scenes", undefined, bearer(second.api_token))).status).toBe(200);
    world.mock.expireTokens();
    expect((await world.call("GET", "/v1/api/scenes", undefined, bearer(second.api_token))).status).toBe(401);
    expect((await world.call("POST", TOKEN, { user_id: first.user_id }, bearer(second.api_token))).status).toBe(200);
  });

  it("an id alone never buys one: not of a user, not of an agent, not with somebody else's bearer", async () => {
    const world = new World({ auth: true });
    const [mine, yours] = [
      (await world.call("POST", TOKEN, { user_id: "" })).body,
      (await world.call("POST", TOKEN, { user_id: "" })).body,
    ];
    const scene = (await world.call("POST", "/v1/api/scenes", SCENE, bearer(mine.api_token))).body.scene_id;
    await world.call(
      "POST",
      `/v1/api/scenes/${scene}/agents`,
      { agent_id: "shown", display_name: "S" },
      bearer(mine.api_token),
    );
    for (const [id, headers] of [
      [mine.user_id, {}],
      [mine.user_id, bearer(yours.api_token)],
      [mine.user_id, bearer("towow_x")],
      ["shown", {}],
    ] as const) {
      const refused = await world.call("POST", TOKEN, { user_id: id }, headers);
      expect(refused.status, id).toBe(401);
      expect(refused.body).toEqual({ detail: expect.any(String) });
    }
    expect((await world.call("POST", TOKEN, { user_id: "a-free-one" })).body.user_id).toBe("a-free-one");
    expect((await world.call("POST", TOKEN, { user_id: "a-free-one" })).status).toBe(401);
    expect(world.mock.tokensIssued()).toBe(3);
  });

  it("never reach the journal, which shows who asked, with which ids", async () => {
    const world = new World({ auth: true });
    const issued = (await world.call("POST", TOKEN, { user_id: "" })).body;
    await world.call("POST", "/v1/api/scenes?x=1", SCENE, {
      ...bearer(issued.api_token),
      "x-request-id": "r1",
      "idempotency-key": "k1",
    });
    expect(JSON.stringify(world.mock.journal)).not.toContain(issued.api_token);
    expect(world.mock.journal.at(-1)).toEqual({
      at: world.clock.now(),
      answeredAt: world.clock.now(),
      method: "POST",
      path: "/v1/api/scenes",
      query: "?x=1",
      status: 201,
      requestId: "r1",
      idempotencyKey: "k1",
      userId: issued.user_id,
      body: SCENE,
    });
  });
});

describe("legacy routes", () => {
  it("know neither the lists nor tokens nor idempotency keys, and ignore Authorization", async () => {
    const world = new World({ legacyRoutes: true });
    const scene = await world.scene();
    expect((await world.call("GET", "/v1/api/scenes")).status).toBe(405);
    expect((await world.call("GET", `/v1/api/scenes/${scene}/agents`)).status).toBe(405);
    expect((await world.call("POST", TOKEN, { user_id: "" })).status).toBe(404);
    const headers = { ...bearer("rubbish"), "idempotency-key": "k" };
    const ids = [
      await world.call("POST", "/v1/api/scenes", SCENE, headers),
      await world.call("POST", "/v1/api/scenes", SCENE, headers),
    ];
    expect(ids[0]?.body.scene_id).not.toBe(ids[1]?.body.scene_id);
  });
});

describe("reading", () => {
  it("lists scenes and agents in the shape of seed 004 §7, the global registry showing the last registration", async () => {
    const world = new World();
    const [scene, other] = [await world.scene("one"), await world.scene("two")];
    const agent = { agent_id: "a", display_name: "First", source_type: "mcp" };
    await world.call("POST", `/v1/api/scenes/${scene}/agents`, agent);
    await world.call("POST", `/v1/api/scenes/${other}/agents`, {
      ...agent,
      display_name: "Second",
      source_type: "claude",
    });
    expect((await world.call("GET", "/v1/api/scenes?status=active")).body.scenes[0]).toEqual({
      scene_id: scene,
      name: "one",
      description: "d",
      agent_count: 1,
      status: "active",
      expected_responders: 10,
      access_policy: "open",
    });
    expect((await world.call("GET", "/v1/api/scenes?status=archived")).body).toEqual({ scenes: [] });
    expect((await world.call("GET", `/v1/api/scenes/${scene}/agents`)).body).toEqual({
      scene_id: scene,
      agents: [{ agent_id: "a", display_name: "Second", source: "claude" }],
    });
    expect((await world.call("GET", "/v1/api/scenes/scene_000000000000/agents")).body.detail).toBe(
      "Scene scene_000000000000 not found",
    );
  });
});

describe("idempotency keys", () => {
  const key = { "idempotency-key": "k" };

  it("give the first answer again and do nothing twice, at the same moment as well", async () => {
    const world = new World();
    const scene = await world.scene();
    const demand = { scene_id: scene, user_id: "u", intent: "x" };
    const path = "/v1/api/negotiations/submit";
    const [one, two] = await Promise.all([
      world.call("POST", path, demand, key),
      world.call("POST", path, demand, key),
    ]);
    await world.clock.advance(2_000);
    const three = await world.call("POST", path, demand, key);
    expect([two.body, three.body, three.status]).toEqual([one.body, one.body, 201]);
    expect(world.mock.negotiations()).toHaveLength(1);
    const seen = world.mock.journal.filter((entry) => entry.idempotencyKey === "k");
    expect(seen.map((entry) => [entry.status, entry.replayed])).toEqual([
      [201, undefined],
      [201, true],
      [201, true],
    ]);
  });

  it("do not tie another body, another route, or a request that was refused", async () => {
    const world = new World({ notWaitingMs: 20 });
    const scene = await world.peopledScene();
    const id = await world.negotiationAt("formulated", scene);
    const confirm = `/v1/api/negotiations/${id}/confirm`;
    expect((await world.call("POST", confirm, {}, key)).status).toBe(409);
    await world.clock.advance(20);
    expect((await world.call("POST", confirm, {}, key)).status).toBe(200);
    expect((await world.call("POST", confirm, { confirmed_text: "other" }, key)).status).toBe(200);
    expect(world.view(id).confirmCount).toBe(2);
  });

  it("find an answer that was lost on the way", async () => {
    const world = new World();
    const demand = { scene_id: await world.scene(), user_id: "u", intent: "x" };
    world.mock.faults.add({ route: "submit", kind: "drop_after" });
    await expect(world.call("POST", "/v1/api/negotiations/submit", demand, key)).rejects.toThrow("fetch failed");
    const found = await world.call("POST", "/v1/api/negotiations/submit", demand, key);
    expect(world.mock.negotiations().map((one) => one.negotiation_id)).toEqual([found.body.negotiation_id]);
  });
});
