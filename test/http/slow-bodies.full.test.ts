import { connect, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Endpoint, rpc, send, startEndpoint, toolCall } from "../support/endpoint.ts";
import { freePort } from "../support/free-port.ts";
import { httpBrowser } from "../support/http-browser.ts";

let endpoint: Endpoint;
let origin = "";
const sockets: Socket[] = [];
const large = rpc("ping", { text: "x".repeat(1_900_000) });

beforeAll(async () => {
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  endpoint = await startEndpoint({
    spawned: true,
    args: ["--port", `${port}`, "--public-url", origin],
  });
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(() => endpoint.close());

/** Somebody whose token the backend has accepted. */
async function user(): Promise<Record<string, string>> {
  const headers = { Authorization: `Bearer ${await endpoint.token()}` };
  const body = toolCall("towow_list_scenes");
  const answer = await send(endpoint.port, { path: "/mcp?mode=developer", headers, body });
  expect(answer.json.result.structuredContent.error).toBeNull();
  return headers;
}

/** A message of 2 MB of which all but the end is sent; gives the refusal, once there is one. */
function sendPart(headers: Record<string, string>, path = "/mcp", type = "application/json") {
  const socket = connect(endpoint.port, "127.0.0.1");
  sockets.push(socket);
  let answer = "";
  socket.on("error", () => {});
  socket.on("data", (chunk) => {
    answer += chunk;
  });
  const all = { Host: "localhost", "Content-Type": type, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join("")}Content-Length: 2000000\r\n\r\n`);
  socket.write(Buffer.alloc(1_990_000, " "));
  return {
    status: () => /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1],
    refusal: () => /"code":"(http\.\w+)"/.exec(answer)?.[1],
    text: () => answer,
  };
}

const status = async (headers: Record<string, string>, body: string) =>
  (await send(endpoint.port, { headers, body })).status;

describe("messages that never end", () => {
  it("take 32 MB of memory at most for one user, who is told so; others notice nothing", async () => {
    const [ada, bob] = [await user(), await user()];
    const parts = Array.from({ length: 40 }, () => sendPart(ada));
    const refused = () => parts.flatMap(({ refusal }) => refusal() ?? []);
    await expect.poll(() => refused().length).toBe(24);
    expect(new Set(refused())).toEqual(new Set(["http.too_many_at_once"]));
    expect(await status(ada, large)).toBe(429);
    expect(await status(bob, large)).toBe(200);
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => status(ada, large)).toBe(200);
  });

  it("take 128 MB at most of all users together, and keep no usual message out", async () => {
    const users = await Promise.all(Array.from({ length: 5 }, user));
    const [first = {}] = users;
    const parts = users.flatMap((headers) => Array.from({ length: 16 }, () => sendPart(headers)));
    const refused = () => parts.flatMap(({ refusal }) => refusal() ?? []);
    await expect.poll(() => refused().length).toBeGreaterThan(5);
    expect(new Set(refused())).toEqual(new Set(["http.full"]));
    const late = await user();
    const answer = await send(endpoint.port, { headers: late, body: large });
    expect([answer.status, answer.json.error.data.code]).toEqual([503, "http.full"]);
    expect(answer.headers["retry-after"]).toBe("2");
    expect(await status(late, rpc("ping"))).toBe(200);
    expect(await status(first, rpc("ping"))).toBe(200);
  });

  it("the same for the forms of a person's room, which says so on a page", async () => {
    const ada = await user();
    const token = String(ada.Authorization).slice("Bearer ".length);
    const browser = httpBrowser(endpoint.port, origin);
    const room = `${origin}${(await browser.ask(`${origin}/room`)).headers.location}`;
    expect((await browser.ask(room, { token })).status).toBe(303);
    const Cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
    const headers = { Host: new URL(origin).host, Origin: origin, Cookie };
    const path = `${new URL(room).pathname}/act`;
    const parts = Array.from({ length: 40 }, () => sendPart(headers, path, "application/x-www-form-urlencoded"));
    const refused = () => parts.filter((part) => part.status() === "429");
    await expect.poll(() => refused().length).toBe(24);
    expect(refused()[0]?.text()).toContain("Too many requests at once");
    expect((await browser.ask(room)).text).toContain('"stage":"scene"');
    expect((await browser.ask(`${room}/act`, { do: "back" })).status).toBe(303);
  });
});
