import { describe, expect, it, onTestFinished } from "vitest";
import { FAULT_ROUTES, type FaultKind } from "../../mock-backend/faults.ts";
import { World } from "./world.ts";

const SCENE = { name: "s", description: "d", organizer_id: "o" };
const scenes = async (world: World) => (await world.call("GET", "/v1/api/scenes")).body.scenes.length;

describe("faults in process", () => {
  it.each<[FaultKind, number, boolean]>([
    ["status", 503, false],
    ["html", 200, false],
    ["wrong_shape", 201, true],
    ["empty", 201, true],
    ["plain_500_after", 500, true],
  ])("%s answers %i, and the work is done: %s", async (kind, status, done) => {
    const world = new World();
    world.mock.faults.add({ route: "scenes.create", kind });
    const met = await world.call("POST", "/v1/api/scenes", SCENE);
    expect(met.status).toBe(status);
    expect(met.body).not.toHaveProperty("scene_id");
    expect(await scenes(world)).toBe(done ? 1 : 0);
    expect(world.mock.journal[0]).toMatchObject({ fault: kind, status });
    expect((await world.call("POST", "/v1/api/scenes", SCENE)).status).toBe(201);
  });

  it.each<[FaultKind, number]>([
    ["drop_before", 0],
    ["drop_after", 1],
  ])("%s rejects as fetch does, with the work done %i times", async (kind, done) => {
    const world = new World();
    world.mock.faults.add({ route: "scenes.create", kind });
    const error = await world.call("POST", "/v1/api/scenes", SCENE).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({ message: "fetch failed", cause: { code: "ECONNRESET" } });
    expect(await scenes(world)).toBe(done);
    expect(world.mock.journal[0]?.status).toBe(0);
  });

  it("cut_body announces the whole body, sends half, and fails the stream", async () => {
    const world = new World();
    world.mock.faults.add({ route: "scenes.list", kind: "cut_body" });
    const response = await world.mock.fetch(new Request("http://x/v1/api/scenes"));
    expect(response.headers.get("content-length")).toBe("13");
    await expect(response.text()).rejects.toThrow("terminated");
  });

  it("cut_body may send as much as is wanted", async () => {
    const world = new World();
    world.mock.faults.add({ route: "scenes.list", kind: "cut_body", cutAt: 3 });
    const { body } = await world.mock.fetch(new Request("http://x/v1/api/scenes"));
    const { value } = (await body?.getReader().read()) ?? {};
    expect(new TextDecoder().decode(value)).toBe('{"s');
  });

  it.each<[FaultKind, "own" | "other", "own" | "other"]>([
    ["others_answer", "other", "other"],
    ["others_id", "other", "own"],
    ["others_text", "own", "other"],
  ])("%s mixes two negotiations up: the id of the %s one, the text of the %s one", async (kind, id, text) => {
    const world = new World();
    const { scene_id } = (await world.call("POST", "/v1/api/scenes", SCENE)).body;
    const submit = (intent: string) =>
      world.call("POST", "/v1/api/negotiations/submit", { scene_id, user_id: "u", intent });
    const other = (await submit("other")).body.negotiation_id;
    world.mock.faults.add({ route: "submit", kind });
    const met = await submit("own");
    const own = world.mock.negotiations().find(({ demand_raw }) => demand_raw === "own")?.negotiation_id;
    expect(met.status).toBe(201);
    expect(met.body).toMatchObject({ negotiation_id: { own, other }[id], demand_raw: text });
    expect(world.mock.journal.at(-1)).toMatchObject({ fault: kind, made: own });
  });

  it("carries status, headers, times and skip", async () => {
    const world = new World();
    world.mock.faults.add({
      route: "scenes.list",
      kind: "status",
      status: 429,
      headers: { "retry-after": "2" },
      times: 2,
      skip: 1,
    });
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++) statuses.push((await world.call("GET", "/v1/api/scenes")).status);
    expect(statuses).toEqual([200, 429, 429, 200]);
    world.mock.faults.add({
      route: "scenes.list",
      kind: "status",
      headers: { "retry-after": "2" },
      times: Number.POSITIVE_INFINITY,
    });
    for (let i = 0; i < 5; i++)
      expect((await world.call("GET", "/v1/api/scenes")).headers.get("retry-after")).toBe("2");
    world.mock.faults.clear();
    expect((await world.call("GET", "/v1/api/scenes")).status).toBe(200);
  });

  it("a delay passes on the clock, and an aborted caller leaves while the work is done all the same", async () => {
    const world = new World();
    world.mock.faults.add({ route: "scenes.create", kind: "delay", delayMs: 5_000 });
    const abort = new AbortController();
    const request = new Request("http://x/v1/api/scenes", {
      method: "POST",
      body: JSON.stringify(SCENE),
      headers: { "content-type": "application/json" },
      signal: abort.signal,
    });
    const work = world.mock.fetch(request);
    abort.abort(new Error("too slow"));
    await expect(work).rejects.toThrow("too slow");
    expect(await scenes(world)).toBe(0);
    await world.clock.advance(5_000);
    expect(await scenes(world)).toBe(1);
  });

  it("know every route", async () => {
    const world = new World();
    for (const route of FAULT_ROUTES) world.mock.faults.add({ route, kind: "status", status: 418 });
    const calls = [
      ["POST", "/v1/api/negotiations/submit"],
      ["POST", "/v1/api/negotiations/neg_1/confirm"],
      ["POST", "/v1/api/negotiations/neg_1/action"],
      ["GET", "/v1/api/negotiations/neg_1"],
      ["POST", "/v1/api/scenes"],
      ["GET", "/v1/api/scenes"],
      ["POST", "/v1/api/scenes/scene_1/agents"],
      ["GET", "/v1/api/scenes/scene_1/agents"],
      ["POST", "/v1/api/auth/mcp-token"],
    ] as const;
    for (const [method, path] of calls)
      expect((await world.call(method, path, method === "POST" ? {} : undefined)).status, path).toBe(418);
    expect(world.mock.faults.list()).toEqual([]);
  });
});

describe("faults on a socket", () => {
  async function listening() {
    const world = new World();
    onTestFinished(() => world.mock.close());
    const { url } = await world.mock.listen();
    const create = () =>
      fetch(`${url}/v1/api/scenes`, {
        method: "POST",
        body: JSON.stringify(SCENE),
        headers: { "content-type": "application/json" },
      });
    return { world, url, create };
  }

  it.each<[FaultKind, number]>([
    ["drop_before", 0],
    ["drop_after", 1],
  ])("%s closes the connection", async (kind, done) => {
    const { world, create } = await listening();
    world.mock.faults.add({ route: "scenes.create", kind });
    await expect(create()).rejects.toThrow("fetch failed");
    expect(await scenes(world)).toBe(done);
  });

  it("cut_body ends in the middle", async () => {
    const { world, create } = await listening();
    world.mock.faults.add({ route: "scenes.create", kind: "cut_body" });
    const response = await create();
    expect(response.status).toBe(201);
    await expect(response.text()).rejects.toThrow("terminated");
  });

  it("answers as in process otherwise, redirects included", async () => {
    const { url, create } = await listening();
    const created = await create();
    expect([created.status, created.headers.get("content-type")]).toEqual([201, "application/json"]);
    const moved = await fetch(`${url}/v1/api/scenes/`, { redirect: "manual" });
    expect([moved.status, moved.headers.get("location"), await moved.text()]).toEqual([
      307,
      `${url}/v1/api/scenes`,
      "",
    ]);
    expect((await fetch(`${url}/v1/api/scenes`, { method: "HEAD" })).status).toBe(405);
  });

  it("is steered over HTTP, by no web page", async () => {
    const { world, url, create } = await listening();
    const add = (headers: Record<string, string> = {}) =>
      fetch(`${url}/mock/faults`, {
        method: "POST",
        headers,
        body: JSON.stringify({ route: "scenes.create", kind: "plain_500_after", times: "always" }),
      });
    expect((await add({ origin: "http://evil.example" })).status).toBe(403);
    expect((await add()).status).toBe(201);
    for (let i = 0; i < 2; i++) {
      const response = await create();
      expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([
        500,
        "text/plain; charset=utf-8",
        "Internal Server Error",
      ]);
    }
    expect((await fetch(`${url}/mock/faults`, { method: "DELETE" })).status).toBe(200);
    expect((await create()).status).toBe(201);
    const { journal } = (await (await fetch(`${url}/mock/journal`)).json()) as { journal: { status: number }[] };
    expect(journal.map(({ status }) => status)).toEqual([500, 500, 201]);
    expect(await scenes(world)).toBe(3);
    expect((await fetch(`${url}/mock/faults`, { method: "POST", body: '{"route":"nope","kind":"html"}' })).status).toBe(
      400,
    );
  });

  it("listens on loopback only, once", async () => {
    const { world, url } = await listening();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    await expect(world.mock.listen()).rejects.toThrow("listening already");
  });
});
