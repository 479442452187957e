import { PassThrough, type Writable } from "node:stream";
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
/** As the real server gets it: under an id of its own. */
const replayed = (text: string, number: number) => text.replace(/"id":\d+/, `"id":"towow-mcp/replayed/${number}"`);
const OPENED = replayed(INITIALIZE, 1) + INITIALIZED;
const LIST_AGAIN = replayed(LIST, 2);
const CALL = line({ id: 3, method: "tools/call", params: { name: "towow_status" } });

/** A client that opens a session, what the real server reads from then on, and the time that passes. */
async function opened(...written: string[]) {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  let read = "";
  let isOver = false;
  let server: Writable | undefined;
  serveHandshake({ "legacy initialize": {}, "legacy tools/list": { tools: [] } }, { stdin, stdout }, (streams) => {
    server = streams.stdout;
    streams.stdin.setEncoding("utf8").on("data", (text: string) => (read += text));
    streams.stdin.on("end", () => (isOver = true));
  });
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
    client: { stdin, stdout },
    /** What the client gets once the real server has written these. */
    given: async (...texts: string[]) => {
      stdout.read();
      for (const text of texts) server?.write(text);
      await settled();
      return String(stdout.read());
    },
    isOver: async () => {
      await settled();
      return isOver;
    },
    later: () => {
      vi.advanceTimersByTime(1_000);
      return settled();
    },
  };
}

it("the real server gets the call first, and the lists when nobody waits any more", async () => {
  const { write, later } = await opened(INITIALIZE, INITIALIZED, LIST);
  expect(await write(CALL)).toBe(OPENED + CALL);
  expect(await later()).toBe(OPENED + CALL + LIST_AGAIN);
  expect(await later()).toBe(OPENED + CALL + LIST_AGAIN);
});

it("a list never stands within a line of which the rest comes later", async () => {
  const { write, later } = await opened(INITIALIZE, INITIALIZED, LIST, CALL.slice(0, 20));
  expect(await later()).toBe(OPENED + CALL.slice(0, 20));
  expect(await write(CALL.slice(20))).toBe(OPENED + CALL);
  expect(await later()).toBe(OPENED + CALL + LIST_AGAIN);
});

it("what the real server is asked again is no id of the client's: its own questions and other answers go through", async () => {
  const { later, given } = await opened(INITIALIZE, INITIALIZED, LIST);
  await later();
  const question = line({ id: 2, method: "elicitation/create", params: {} });
  const answer = line({ id: 1, result: { content: [] } });
  const own = [1, 2].map((number) => replayed(line({ id: 0, result: {} }), number));
  expect(await given(...own, question, answer)).toBe(
    line({ method: "notifications/tools/list_changed" }) + question + answer,
  );
});

it.each(["stdin", "stdout"] as const)("a %s that breaks while the program loads ends the session", async (stream) => {
  const { client, isOver } = await opened(INITIALIZE);
  client[stream].destroy(new Error("ECONNRESET"));
  expect(await isOver()).toBe(true);
});

it("a stdin that breaks later ends the session as well", async () => {
  const { client, isOver } = await opened(INITIALIZE, INITIALIZED, LIST, CALL);
  expect(await isOver()).toBe(false);
  client.stdin.destroy(new Error("ECONNRESET"));
  expect(await isOver()).toBe(true);
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
  expect(read).toBe(replayed(first, 1) + CALL);
});
