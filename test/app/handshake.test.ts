import { PassThrough } from "node:stream";
import { setImmediate as nextRound } from "node:timers/promises";
import { afterEach, expect, it, vi } from "vitest";
import { serveHandshake } from "../../src/app/handshake.ts";

afterEach(() => void vi.useRealTimers());

const line = (message: object) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
const INITIALIZE = line({
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
});
const INITIALIZED = line({ method: "notifications/initialized" });
const LIST = line({ id: 2, method: "tools/list", params: {} });
const CALL = line({ id: 3, method: "tools/call", params: { name: "towow_status" } });

/** A client that opens a session, what the real server reads from then on, and the time that passes. */
async function opened(...written: string[]) {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const stdin = new PassThrough();
  let read = "";
  serveHandshake(
    { "legacy initialize": {}, "legacy tools/list": { tools: [] } },
    { stdin, stdout: new PassThrough() },
    (streams) => streams.stdin.setEncoding("utf8").on("data", (text: string) => (read += text)),
  );
  const settled = async () => {
    for (let round = 0; round < 5; round++) await nextRound();
    return read;
  };
  const write = (text: string) => {
    stdin.write(text);
    return settled();
  };
  for (const text of written) await write(text);
  return {
    write,
    later: () => {
      vi.advanceTimersByTime(1_000);
      return settled();
    },
  };
}

it("the real server gets the call first, and the lists when nobody waits any more", async () => {
  const { write, later } = await opened(INITIALIZE, INITIALIZED, LIST);
  expect(await write(CALL)).toBe(INITIALIZE + INITIALIZED + CALL);
  expect(await later()).toBe(INITIALIZE + INITIALIZED + CALL + LIST);
  expect(await later()).toBe(INITIALIZE + INITIALIZED + CALL + LIST);
});

it("a list never stands within a line of which the rest comes later", async () => {
  const { write, later } = await opened(INITIALIZE, INITIALIZED, LIST, CALL.slice(0, 20));
  expect(await later()).toBe(INITIALIZE + INITIALIZED + CALL.slice(0, 20));
  expect(await write(CALL.slice(20))).toBe(INITIALIZE + INITIALIZED + CALL);
  expect(await later()).toBe(INITIALIZE + INITIALIZED + CALL + LIST);
});

it("a list that comes first says which era it is, and stays first", async () => {
  const clientInfo = { name: "test", version: "1" };
  const META = "io.modelcontextprotocol";
  const _meta = {
    [`${META}/protocolVersion`]: "2026-07-28",
    [`${META}/clientInfo`]: clientInfo,
    [`${META}/clientCapabilities`]: {},
  };
  const first = line({ id: 1, method: "tools/list", params: { _meta } });
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const stdin = new PassThrough();
  let read = "";
  serveHandshake({ "modern tools/list": { tools: [] } }, { stdin, stdout: new PassThrough() }, (streams) =>
    streams.stdin.setEncoding("utf8").on("data", (text: string) => (read += text)),
  );
  stdin.write(first + CALL);
  for (let round = 0; round < 5; round++) await nextRound();
  expect(read).toBe(first + CALL);
});
