import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { expect, it } from "vitest";
import { legacyClient } from "../support/clients.ts";
import { modernRequest, openSession, rpc, send, startEndpoint, toolCall } from "../support/endpoint.ts";
import { sendProfile } from "../support/profile.ts";

const PROFILE = { skills: ["design", "research", "figma"], bio: "Designer of calm hospital software, in Hangzhou." };
const EVENTS = { Accept: "text/event-stream" };

it.concurrent("SIGTERM: not ready at once, the call in flight ends well, nothing new begins, streams end, pauses are withdrawn", async ({
  expect,
}) => {
  const endpoint = await startEndpoint({ spawned: true, args: ["--drain", "20", "--metrics", "on"] });
  const { port, mock, url } = endpoint;
  const headers = { Authorization: `Bearer ${endpoint.homeKey()}` };
  const get = (path: string) => send(port, { method: "GET", path });
  try {
    const call = async (name: string, args: object) =>
      (await send(port, { headers, body: toolCall(name, args) })).json.result.structuredContent;
    await sendProfile(call, "towow_join", { scene: endpoint.sceneName, display_name: "Lin", profile_data: PROFILE });
    const undecided = await call("towow_demand", { intent: "I need somebody for the drain" });
    expect(undecided.data.state).toBe("formulated");
    const session = await openSession(port, headers);
    const stream = await fetch(url, { headers: { ...headers, ...EVENTS, "Mcp-Session-Id": session } });
    const listening = modernRequest("subscriptions/listen", { notifications: { toolsListChanged: true } });
    const news = send(port, { headers: { ...headers, ...listening.headers }, body: listening.body as string });
    expect([(await get("/readyz")).status, (await get("/healthz")).status]).toEqual([200, 200]);

    mock.faults.add({ route: "get", kind: "delay", delayMs: 3_500, times: 2 });
    const inFlight = call("towow_status", { negotiation_id: undecided.data.negotiation_id });
    await expect.poll(async () => (await get("/metrics")).text).toMatch(/^towow_calls_running 1$/m);
    const busy = connect(port, "127.0.0.1");
    const answers = textOf(busy);
    busy.write(rawPost(headers, toolCall("towow_status", { negotiation_id: undecided.data.negotiation_id })));
    endpoint.signal("SIGTERM");
    await expect.poll(async () => (await get("/readyz")).json).toEqual({ status: "draining" });
    expect((await get("/readyz")).status).toBe(503);
    const ping = () => send(port, { headers, body: rpc("ping") });
    expect((await ping()).status).toBe(200); // a load balancer has not noticed yet

    const refused = () =>
      ping().then(
        () => "",
        (error) => error.code,
      );
    // Nothing was sent on a refused connection: a load balancer may go to another replica with it.
    await expect.poll(refused).toBe("ECONNREFUSED");
    busy.write(rawPost(headers, rpc("ping")));
    expect((await inFlight).error).toBeNull();
    expect(await answers).toMatch(/HTTP\/1.1 200[\s\S]*HTTP\/1.1 503[\s\S]*http\.draining/);
    expect(await stream.text()).not.toContain("error");
    expect((await news).status).toBe(200);
    expect(await endpoint.exited).toBe(0);
    expect(mock.negotiations()[0]).toMatchObject({ cancelled: true, confirmCount: 0 });
    expect(endpoint.events("drained")).toHaveLength(1);
  } finally {
    await endpoint.close();
  }
});

it("a form that is open when nothing more is taken is taken back, and its call ends undecided", async () => {
  const endpoint = await startEndpoint({ spawned: true, args: ["--drain", "60"] });
  try {
    const headers = { Authorization: `Bearer ${endpoint.homeKey()}` };
    const session = await legacyClient({ url: endpoint.url, headers }, ({ message }) =>
      message.startsWith("Lin") ? { action: "accept", content: { decision: "accept" } } : new Promise(() => {}),
    );
    await sendProfile(session.call, "towow_join", {
      scene: endpoint.sceneName,
      display_name: "Lin",
      profile_data: PROFILE,
    });
    const asked = session.call("towow_demand", { intent: "I need somebody who thinks it over" });
    await expect.poll(() => session.forms.length).toBe(1);
    endpoint.signal("SIGTERM");
    const { result } = await asked;
    expect(result).toMatchObject({ status: "ok", data: { state: "formulated", decision: null } });
    expect(await endpoint.exited).toBe(0);
    expect(endpoint.mock.negotiations()[0]).toMatchObject({ cancelled: true, confirmCount: 0 });
    expect(endpoint.events("question_failed")).toEqual([]);
  } finally {
    await endpoint.close();
  }
});

it.concurrent("a call that outlasts the drain does not hold the program", async ({ expect }) => {
  const endpoint = await startEndpoint({ spawned: true, args: ["--drain", "1", "--metrics", "on"] });
  const headers = { Authorization: `Bearer ${endpoint.homeKey()}` };
  try {
    endpoint.mock.faults.add({ route: "get", kind: "delay", delayMs: 20_000 });
    const cut = send(endpoint.port, { headers, body: toolCall("towow_status", { negotiation_id: "n" }) }).catch(
      () => undefined,
    );
    await expect
      .poll(async () => (await send(endpoint.port, { method: "GET", path: "/metrics" })).text)
      .toMatch(/^towow_calls_running 1$/m);
    endpoint.signal("SIGINT");
    expect(await endpoint.exited).toBe(0);
    await cut;
  } finally {
    await endpoint.close();
  }
});

it.concurrent("a second signal ends at once, also while a withdrawal cannot arrive; a Ctrl-C that comes twice is one", async ({
  expect,
}) => {
  const endpoint = await startEndpoint({ spawned: true, args: ["--drain", "1"] });
  const { port, mock } = endpoint;
  const headers = { Authorization: `Bearer ${endpoint.homeKey()}` };
  try {
    const call = async (name: string, args: object) =>
      (await send(port, { headers, body: toolCall(name, args) })).json.result.structuredContent;
    await sendProfile(call, "towow_join", { scene: endpoint.sceneName, display_name: "Lin", profile_data: PROFILE });
    expect((await call("towow_demand", { intent: "I need somebody for the end" })).data.state).toBe("formulated");
    mock.faults.add({ route: "action", kind: "drop_before", times: Number.POSITIVE_INFINITY });
    endpoint.signal("SIGINT");
    await expect.poll(() => endpoint.events("draining").length).toBe(1);
    endpoint.signal("SIGINT"); // npm passes on what the terminal has sent already
    const tries = () => mock.journal.filter(({ path }) => path.endsWith("/action")).length;
    await expect.poll(tries).toBeGreaterThan(1);
    endpoint.signal("SIGTERM");
    expect(await endpoint.exited).toBe(1);
    expect(endpoint.events("drain_cut_short")).toMatchObject([{ why: "SIGTERM" }]);
    expect(endpoint.events("drained")).toEqual([]);
  } finally {
    await endpoint.close();
  }
});

it.concurrent("metrics by explicit yes only, and without ids", async ({ expect }) => {
  const endpoint = await startEndpoint({ args: ["--metrics", "on"] });
  const closed = await startEndpoint();
  try {
    const { port } = endpoint;
    await openSession(port, { Authorization: `Bearer ${await endpoint.token()}` });
    const { status, text, headers } = await send(port, { method: "GET", path: "/metrics" });
    expect(status).toBe(200);
    expect(headers["content-type"]).toContain("version=");
    for (const name of [
      "towow_sessions 1",
      "towow_users 1",
      "towow_http_requests_total",
      "towow_calls_running",
      "towow_pollers",
    ])
      expect(text).toContain(name);
    expect(text).not.toMatch(/user:|Bearer|[0-9a-f]{32}/);
    const byAddress = await send(port, { method: "GET", path: "/metrics", headers: { Host: "10.0.0.5:8765" } });
    expect(byAddress.status).toBe(200); // a scraper knows no name, and an address cannot be rebound
    const unasked = await send(closed.port, { method: "GET", path: "/metrics" });
    expect([unasked.status, unasked.json.error.data.code]).toEqual([404, "http.not_found"]);
  } finally {
    await Promise.all([endpoint.close(), closed.close()]);
  }
});

it.concurrent.each([
  ["a port that is taken", (port: number) => ["--port", `${port}`], {}, "tool.config.unavailable.port"],
  ["a shared store without a key", () => ["--store", "redis://127.0.0.1:1"], {}, "TOWOW_STATE_KEY"],
  [
    "a store that is not there",
    () => ["--store", "redis://127.0.0.1:1"],
    { TOWOW_STATE_KEY: Buffer.alloc(32, 1).toString("base64") },
    "tool.config.unavailable.store",
  ],
  ["another host without names", () => ["--host", "0.0.0.0"], {}, "--allowed-hosts"],
  ["a public address that is no origin", () => ["--public-url", "https://towow.example/path"], {}, "--public-url"],
  ["an origin that is none", () => ["--allowed-origins", "https://*"], {}, "--allowed-origins"],
  ["a rate of nothing", () => ["--rate", "0"], {}, "--rate"],
  ["a tool that does not exist", () => [], { TOWOW_ALLOW_TOOLS: "towow_fly" }, "towow_fly"],
])("%s: said in words, and the program ends", async (_, args, env, said) => {
  const taken = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => taken.once("listening", resolve));
  try {
    const started = startEndpoint({ args: args((taken.address() as AddressInfo).port), env });
    const error = (await started.then(
      () => expect.unreachable("it started"),
      (error: Error) => error,
    )) as Error;
    expect(error.message).toContain(said);
    expect(error.message).not.toMatch(/\n +at /);
  } finally {
    taken.close();
  }
});

const rawPost = ({ Authorization }: { Authorization: string }, body: string): string =>
  [
    "POST /mcp HTTP/1.1",
    "Host: 127.0.0.1",
    `Authorization: ${Authorization}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "",
    body,
  ].join("\r\n");

/** Everything that arrives until the other side ends. */
const textOf = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("error", () => resolve(text));
    socket.on("close", () => resolve(text));
  });
