import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ignoreTowowError } from "../../src/errors.ts";
import { client, demand, failure, json, negotiation, serve } from "./support.ts";

const ok = () => serve((response) => json(response, 200, negotiation));

describe("paths", () => {
  test.each([
    ["neg_1", "neg_1"],
    ["a/b", "a%2Fb"],
    ["../../secret", "..%2F..%2Fsecret"],
    ["with space?and#hash", "with%20space%3Fand%23hash"],
    ["场景", "%E5%9C%BA%E6%99%AF"],
    ["%2e%2e", "%252e%252e"],
    ["...", "..."],
  ])("id %j is one segment", async (id, encoded) => {
    const server = await ok();
    // What comes of the answer is another matter: most of these could be no id of a negotiation.
    await client(server.url).getNegotiation(id).catch(ignoreTowowError);
    expect(server.seen[0]?.url).toBe(`/v1/api/negotiations/${encoded}`);
  });

  test("an answer about another negotiation is none, and leaves open what became of a write", async () => {
    const api = client((await ok()).url);
    const code = "tool.backend.invalid.wrong_shape";
    expect(await failure(api.getNegotiation("neg_2"))).toMatchObject({ code, params: { field: "negotiation_id" } });
    const unknown = { code: "tool.backend.timeout.outcome_unknown", params: { reason: "wrong_shape" } };
    expect(await failure(api.confirm("neg_2", {}))).toMatchObject(unknown);
    expect(await failure(api.action("neg_2", { action: "cancel" }))).toMatchObject(unknown);
  });

  test.each(["", ".", "..", "\ud800"])("id %j fits in no URL: unknown, and nothing is sent", async (id) => {
    const server = await ok();
    const api = client(server.url);
    const agent = { agent_id: "a", display_name: "A", source_type: "mcp", profile_data: {} };
    expect((await failure(api.getNegotiation(id))).code).toBe("tool.negotiation.not_found.unknown_negotiation");
    expect((await failure(api.confirm(id, {}))).code).toBe("tool.negotiation.not_found.unknown_negotiation");
    expect((await failure(api.action(id, { action: "cancel" }))).code).toContain("unknown_negotiation");
    expect((await failure(api.listAgents(id))).code).toBe("tool.scene.not_found.unknown_scene");
    expect((await failure(api.registerAgent(id, agent))).code).toBe("tool.scene.not_found.unknown_scene");
    expect(server.seen).toHaveLength(0);
  });

  test.each(["/towow", "/towow/", "/towow//", "/towow/?x=1#y"])("a base URL may end in %j", async (path) => {
    const server = await ok();
    const api = client(`${server.url}${path}`);
    await api.getNegotiation("neg_1");
    expect(server.seen[0]?.url).toBe("/towow/v1/api/negotiations/neg_1");
    expect(api.origin).toBe(server.url);
  });

  test("a filter is a query; without one there is none", async () => {
    const server = await serve((response) => json(response, 200, { scenes: [] }));
    const api = client(server.url);
    await api.listScenes({ status: "a&b=c" });
    await api.listScenes({});
    expect(server.seen.map(({ url }) => url)).toEqual(["/v1/api/scenes?status=a%26b%3Dc", "/v1/api/scenes"]);
  });
});

describe("headers", () => {
  test("a write carries what the contract asks for", async () => {
    const server = await ok();
    await client(server.url).confirm("neg_1", {}, { requestId: "req-1", idempotencyKey: "key-1" });
    expect(server.seen[0]?.body).toBe("{}");
    expect(server.seen[0]?.headers).toMatchObject({
      "x-request-id": "req-1",
      "idempotency-key": "key-1",
      "user-agent": "towow-mcp/0.0.0-test",
      accept: "application/json",
      "content-type": "application/json",
      "content-length": "2",
    });
  });

  test("fresh keys where the caller gives none; a read has no key and no body", async () => {
    const server = await ok();
    const api = client(server.url);
    await api.submitDemand(demand);
    await api.submitDemand(demand);
    await api.getNegotiation("neg_1");
    const [first, second, read] = server.seen.map(({ headers }) => headers);
    expect(first?.["idempotency-key"]).toMatch(/^[\w-]{21}$/);
    expect(second?.["idempotency-key"]).not.toBe(first?.["idempotency-key"]);
    expect(second?.["x-request-id"]).not.toBe(first?.["x-request-id"]);
    expect(read).not.toHaveProperty("idempotency-key");
    expect(read).not.toHaveProperty("content-type");
  });

  test("connections are kept and used again", async () => {
    const server = await ok();
    const api = client(server.url);
    for (let i = 0; i < 20; i++) await api.submitDemand(demand);
    // A call right behind another may find the first connection not yet free.
    expect(server.connections).toBeLessThanOrEqual(2);
  });
});

describe("outbound", () => {
  test.each([
    [{ ...demand, k_star: null }, "k_star"],
    [{ ...demand, user_id: undefined }, "user_id"],
    [{ ...demand, surprise: 1 }, "body"],
  ])("%j is refused before it is sent", async (input, field) => {
    const server = await ok();
    expect(await failure(client(server.url).submitDemand(input as typeof demand))).toMatchObject({
      code: "tool.input.invalid.rejected_by_backend",
      params: { operation: "submitDemand", field },
    });
    expect(server.seen).toHaveLength(0);
  });

  test("Chinese text and whole emoji arrive as JSON", async () => {
    const server = await ok();
    await client(server.url).submitDemand({ ...demand, intent: "需求 🎉" });
    expect(JSON.parse(server.seen[0]?.body ?? "").intent).toBe("需求 🎉");
  });

  test("half a character is refused before it is sent, whatever it stands in", async () => {
    const server = await ok();
    const { submitDemand, registerAgent, confirm, action } = client(server.url);
    const agent = { agent_id: "a", display_name: "A", source_type: "custom" };
    const refused = (field: string) => ({ code: "tool.input.invalid.ill_formed", params: { field } });
    expect(await failure(submitDemand({ ...demand, user_id: "u\udc00" }))).toMatchObject(refused("user_id"));
    const profile = { ...agent, profile_data: { jobs: [{ at: "\ud83c" }] } };
    expect(await failure(registerAgent("s", profile))).toMatchObject(refused("profile_data.jobs.0.at"));
    const key = { ...agent, profile_data: { "\ud83c": 1 } };
    expect(await failure(registerAgent("s", key))).toMatchObject(refused("profile_data"));
    expect(await failure(confirm("n", { confirmed_text: "\ud83c" }))).toMatchObject(refused("confirmed_text"));
    const cancel = { action: "cancel", payload: { why: "\udf89\ud83c" } };
    expect(await failure(action("n", cancel))).toMatchObject(refused("payload.why"));
    expect(server.seen).toHaveLength(0);
  });

  test("half a character that comes as an escape is read as U+FFFD, in names and keys too", async () => {
    const half = String.raw`{"negotiation_id":"n","state":"formulated","demand_formulated":"a\ud83c","participants":[{"agent_id":"x","offer_content":{"k\udf89":["\uD83C\uDF89 \udf89"]}}]}`;
    const server = await serve((response) => void response.end(half));
    const read = await client(server.url).getNegotiation("n");
    expect(read.demand_formulated).toBe("a\uFFFD");
    expect(read.participants[0]?.offer_content).toEqual({ "k\uFFFD": ["🎉 \uFFFD"] });
  });
});

describe("refusals", () => {
  const refusing = (status: number, body: unknown) => serve((response) => json(response, status, body));

  const named = { agent_id: "a", display_name: "A", source_type: "mcp" };

  test("a 422 names the field, and never repeats the input that newer pydantic echoes", async () => {
    const detail = [
      {
        type: "string_type",
        loc: ["body", "profile_data", "skills", 0],
        msg: "not a string",
        input: "my secret profile",
      },
      { type: "missing", loc: ["body", "display_name"], msg: "Field required", input: { bio: "secret" } },
    ];
    const server = await refusing(422, { detail });
    const error = await failure(
      client(server.url).registerAgent("scene_1", { ...named, profile_data: { skills: [1] } }),
    );
    expect(error.params).toMatchObject({ field: "profile_data.skills.0, display_name" });
    expect(error.detail).toBe("profile_data.skills.0: not a string; display_name: Field required");
    expect(JSON.stringify(error)).not.toContain("secret");
  });

  test("a field that was never sent is the backend's own word, and is named in the detail alone", async () => {
    const own = ["accept", "surface=terminal", "yes, phone, address", "请确认"];
    const detail = [
      ...own.map((word) => ({ loc: ["body", word], msg: "wrong" })),
      { loc: ["body", "profile_data", "toString", 1], msg: "wrong" },
      { loc: ["accept", "intent"], msg: "wrong" },
    ];
    const server = await refusing(422, { detail });
    const error = await failure(client(server.url).submitDemand(demand));
    expect(error.params).toMatchObject({ field: "…, profile_data.….1, ….intent" });
    for (const word of own) expect(error.detail).toContain(`${word}: wrong`);
  });

  test.each([
    [400, { detail: "bad" }, "tool.input.invalid.rejected_by_backend"],
    [413, {}, "tool.input.invalid.rejected_by_backend"],
    [404, { message: "no route" }, "tool.backend.unavailable.route_missing"],
    [404, [], "tool.backend.unavailable.route_missing"],
    [405, null, "tool.backend.unavailable.route_missing"],
    [409, { detail: "something new" }, "tool.backend.conflict.unexpected"],
    [410, { detail: 5 }, "tool.backend.conflict.unexpected"],
    [418, "teapot", "tool.backend.conflict.unexpected"],
  ])("%i %j on a write → %s, sent once", async (status, body, code) => {
    const server = await refusing(status, body);
    expect((await failure(client(server.url).confirm("neg_1", {}))).code).toBe(code);
    expect(server.seen).toHaveLength(1);
  });

  test("a 404 page of a proxy is no missing negotiation, whatever it says: nothing of Towow answers", async () => {
    const server = await serve((response) => void response.writeHead(404).end("<html>nginx: neg_1 not found</html>"));
    expect((await failure(client(server.url).getNegotiation("neg_1"))).code).toBe("tool.backend.invalid.not_towow");
  });

  test("such an answer names the address as it was given, whatever its path", async () => {
    const server = await serve((response) => void response.writeHead(404).end("<html>nginx</html>"));
    for (const path of ["", "/network", "/v1/api"])
      expect((await failure(client(`${server.url}${path}/`).getNegotiation("n"))).params).toMatchObject({
        address: `${server.url}${path}`,
      });
  });

  test("the backend's words are cut", async () => {
    const server = await refusing(400, { detail: "x".repeat(5_000) });
    expect((await failure(client(server.url).getNegotiation("neg_1"))).detail).toHaveLength(500);
  });
});

describe("compressed answers", () => {
  const text = JSON.stringify(negotiation);
  test.each([
    ["gzip", gzipSync(text)],
    ["X-GZip", gzipSync(text)],
    ["deflate", deflateSync(text)],
    ["br", brotliCompressSync(text)],
    ["zstd", zstdCompressSync(text)],
  ])("%s is read", async (encoding, body) => {
    const server = await serve((response) => void response.writeHead(200, { "content-encoding": encoding }).end(body));
    expect(await client(server.url).getNegotiation("neg_1")).toMatchObject(negotiation);
    expect(server.seen[0]?.headers["accept-encoding"]).toBe("gzip");
  });

  test.each(["constructor", "__proto__"])("%s is nobody's: the body is read as it came", async (encoding) => {
    const server = await serve((response) => void response.writeHead(200, { "content-encoding": encoding }).end(text));
    expect(await client(server.url).getNegotiation("neg_1")).toMatchObject(negotiation);
  });

  test("one that nobody knows, or that is compressed twice, is no JSON", async () => {
    for (const encoding of ["sdch", "gzip, sdch", "gzip, br", "gzip,gzip"]) {
      const server = await serve(
        (response) => void response.writeHead(200, { "content-encoding": encoding }).end(gzipSync(text)),
      );
      expect((await failure(client(server.url).getNegotiation("neg_1"))).code).toBe("tool.backend.invalid.not_json");
    }
  });
});

test("every request goes out by ky", async () => {
  const { default: ky } = await import("ky");
  const create = ky.create.bind(ky);
  const asked: string[] = [];
  const spy = vi.spyOn(ky, "create").mockImplementation((options) => {
    const api = create(options);
    const counted = (url: URL, request: { method: string }) => {
      asked.push(`${request.method} ${url.pathname}`);
      return api(url, request);
    };
    return Object.assign(counted, api) as unknown as typeof ky;
  });
  onTestFinished(() => spy.mockRestore());
  const server = await serve((response) => json(response, 200, negotiation));
  const api = client(server.url);
  await api.getNegotiation("neg_1");
  await api.submitDemand(demand);
  await api.confirm("neg_1", {});
  await api.action("neg_1", { action: "cancel" });
  await failure(api.listScenes({}));
  expect(server.seen.map(({ method, url }) => `${method} ${url}`)).toEqual(asked);
  expect(asked).toHaveLength(5);
});
