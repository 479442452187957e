import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { alongside } from "../journeys/alongside.ts";
import { type Endpoint, send, startEndpoint, toolCall } from "../support/endpoint.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { soon } from "../support/soon.ts";

let endpoint: Endpoint;
let invented = 0;
afterEach(() => endpoint.close());

/** With an id of its own, so that none is derived from the token, which takes a while. */
const headersOf = (token: string) => ({ Authorization: `Bearer ${token}`, "X-Towow-User-Id": "somebody" });
const ask = (token: string, body: string) =>
  send(endpoint.port, { path: "/mcp?mode=developer", headers: headersOf(token), body });
const metrics = async () => (await send(endpoint.port, { method: "GET", path: "/metrics" })).text;
const stranger = () => ask(`invented-${++invented}`, toolCall("towow_set_mode", { mode: "developer" }));
const submit = () => {
  const scene_id = endpoint.mock.scenes()[0]?.scene_id;
  return toolCall("towow_submit_demand", { scene_id, intent: "A designer" });
};
const requestsAtBackend = () => endpoint.mock.journal.filter(({ path }) => path.endsWith("/scenes")).length;

describe("a person's first call, when many strangers come", () => {
  it("keeps its place while it waits for its turn, and its demand is withdrawn at the end", async () => {
    const clock = new ManualClock();
    endpoint = await startEndpoint({ clock, args: ["--max-new-tokens", "17", "--metrics", "on"] });
    const token = await endpoint.token();
    const others = await Promise.all(Array.from({ length: 16 }, () => endpoint.token()));
    endpoint.mock.faults.add({ route: "scenes.list", kind: "delay", delayMs: 1_000, times: 16 });
    const lists = others.map((other) => ask(other, toolCall("towow_list_scenes")));
    await soon(requestsAtBackend).toBe(16);
    const submitting = ask(token, submit());
    await soon(metrics).toMatch(/^towow_calls_running 17$/m);
    expect((await stranger()).status).toBe(503);
    await clock.advance(1_000); // the backend answers the others
    expect((await alongside(clock, submitting)).json.result.structuredContent.error).toBeNull();
    await Promise.all(lists);
    endpoint.signal("SIGTERM");
    expect(await alongside(clock, endpoint.exited)).toBe(0);
    expect(endpoint.mock.negotiations()).toMatchObject([{ cancelled: true, confirmCount: 0 }]);
  });

  it("sends nothing once they have taken its place, and says so; the next call goes through", async () => {
    endpoint = await startEndpoint({ args: ["--max-new-tokens", "1", "--metrics", "on"] });
    const token = await endpoint.token();
    const body = submit();
    const socket = connect(endpoint.port, "127.0.0.1");
    const head = [
      "POST /mcp?mode=developer HTTP/1.1",
      "Host: localhost",
      `Authorization: Bearer ${token}`,
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    socket.write(`${head.join("\r\n")}\r\n\r\n${body.slice(0, 5)}`);
    await soon(metrics).toMatch(/^towow_users 1$/m);
    expect((await stranger()).status).toBe(200);
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.write(body.slice(5));
    await soon(() => answer).toContain("tool.backend.unavailable.new_tokens");
    socket.destroy();
    expect(endpoint.mock.negotiations()).toEqual([]);
    expect((await ask(token, body)).json.result.structuredContent.error).toBeNull();
  });
});
