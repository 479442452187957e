import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Endpoint, rpc, startEndpoint, toolCall } from "../support/endpoint.ts";

let endpoint: Endpoint;
let token = "";
beforeAll(async () => {
  endpoint = await startEndpoint();
  token = await endpoint.token();
});
afterAll(() => endpoint.close());

/** The whole of what arrives until the endpoint closes the connection. */
async function asked(version: string, headers: readonly string[], body: string): Promise<string> {
  const socket = connect(endpoint.port, "127.0.0.1");
  const all = [`Host: 127.0.0.1:${endpoint.port}`, `Authorization: Bearer ${token}`, "Content-Type: application/json"];
  const lines = [`POST /mcp ${version}`, ...all, `Content-Length: ${body.length}`, ...headers];
  socket.write(`${lines.join("\r\n")}\r\n\r\n${body}`);
  return text(socket);
}

it.each([
  ["HTTP/1.1", ["Connection: close"]],
  ["HTTP/1.0", []],
])("who ends the connection with a request is not promised that it stays (%s)", async (version, headers) => {
  for (const body of [rpc("ping"), toolCall("towow_status")]) {
    const answer = await asked(version, headers, body);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toMatch(/^connection: close\r$/im);
    expect(answer).not.toMatch(/keep-alive/i);
  }
});

it("an expectation that nobody knows is answered as the request is", async () => {
  const served = await asked("HTTP/1.1", ["Expect: tea", "Connection: close"], rpc("ping"));
  expect(served).toMatch(/^HTTP\/1\.1 200 [\s\S]*"result":\{\}/);
  const refused = await asked("HTTP/1.1", ["Expect: tea", "Connection: close"], "{}");
  expect(refused).toMatch(/^HTTP\/1\.1 400 [\s\S]*"http\.not_a_message"/);
});
