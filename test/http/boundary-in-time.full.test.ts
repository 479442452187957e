import { expect, it, onTestFinished } from "vitest";
import { modernRequest, openSession, send, startEndpoint, toolCall } from "../support/endpoint.ts";
import { expectRefusal, onSocket } from "./boundary/refusal.ts";
import { bearer } from "./boundary/row.ts";

/** Who takes their time: what a request may take goes by the real clock. */
async function started(...args: string[]) {
  const endpoint = await startEndpoint({ args });
  onTestFinished(() => endpoint.close());
  return endpoint;
}

const dribble = async (head: string) =>
  onSocket((await started("--receive-timeout", "1")).port, (socket) => {
    socket.write(head);
    const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write("x")), 100);
  });
it.each([
  ["headers byte by byte", "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Slow: "],
  [
    "a body byte by byte",
    "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer x\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n",
  ],
])("%s: refused in time, and the socket is closed", async (_, head) => {
  const heard = await dribble(head);
  expect(heard).toMatch(/^HTTP\/1\.1 408 /);
  expect(JSON.parse(heard.split("\r\n\r\n")[1] ?? "")).toMatchObject({ error: { data: { code: "http.too_slow" } } });
});

it("a call that exceeds its time: 504 in the 2026 era, an error as the stream's last word in the 2025 era", async () => {
  const endpoint = await started();
  endpoint.mock.faults.add({ route: "get", kind: "delay", delayMs: 2_000, times: 2 });
  const args = { name: "towow_status", arguments: { negotiation_id: "neg_unknown" } };
  const session = await openSession(endpoint.port, bearer(endpoint.homeKey()));
  const timeout = { ...bearer(endpoint.homeKey()), "X-Request-Timeout-Ms": "1000" };
  const { headers, body = "" } = modernRequest("tools/call", args);
  const [modern, legacy] = await Promise.all([
    send(endpoint.port, { headers: { ...timeout, ...headers }, body }),
    send(endpoint.port, {
      headers: { ...timeout, "Mcp-Session-Id": session },
      body: toolCall(args.name, args.arguments, 7),
    }),
  ]);
  expectRefusal(modern, 504, "timed_out", 1);
  expect(legacy.status).toBe(200);
  expect(legacy.json).toMatchObject({ id: 7, error: { data: { code: "http.timed_out" } } });
});
