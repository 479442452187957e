import { once } from "node:events";
import fc from "fast-check";
import WebSocket from "ws";
import { createMockBackend } from "../../mock-backend/main.ts";
import { exchange, expectHarmless } from "./http-bytes.ts";
import { anyText, document, mutatedBytes, mutatedJson } from "./material.ts";
import { target } from "./target.ts";

/** Stand for what only the running mock knows. */
const HOST = "<host>";
const NEGOTIATION = "<negotiation>";

const ENVELOPES = [
  { v: "mvp-0.2", type: "session.start", id: "1", payload: {} },
  { type: "ping" },
  { event_type: "plan.ready", negotiation_id: NEGOTIATION, data: { plan_text: "…" } },
];

/** One frame as RFC 6455 §5.2 has it; any opcode, any reserved bits, and a length that may lie. */
const frame = fc
  .record({
    opcode: fc.oneof({ weight: 4, arbitrary: fc.constant(0x81) }, fc.integer({ min: 0, max: 255 })),
    masked: fc.boolean(),
    payload: document(mutatedJson(fc.constantFrom(...ENVELOPES))).map((it) => it.subarray(0, 70_000)),
    lie: fc.option(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), { freq: 6 }),
  })
  .map(({ opcode, masked, payload, lie }) => {
    const bit = masked ? 0x80 : 0;
    const claimed = lie ?? BigInt(payload.length);
    const short = claimed < 126n;
    const head = Buffer.alloc(short ? 2 : 10);
    head[0] = opcode;
    head[1] = bit | (short ? Number(claimed) : 127);
    if (!short) head.writeBigUInt64BE(claimed, 2);
    // A mask of zeroes leaves the payload as it is.
    return Buffer.concat([head, masked ? Buffer.alloc(4) : Buffer.alloc(0), payload]);
  });

const line = anyText.map((it) => it.replaceAll(/[\r\n]/g, " "));
const upgrade = fc
  .record({
    path: fc.oneof(
      { weight: 4, arbitrary: fc.constant(`/v1/ws/negotiation/${NEGOTIATION}`) },
      line.map((it) => `/v1/ws/negotiation/${encodeURIComponent(it.toWellFormed()).slice(0, 500)}`),
    ),
    key: fc.oneof({ weight: 6, arbitrary: fc.constant("dGhlIHNhbXBsZSBub25jZQ==") }, line),
    version: fc.oneof({ weight: 6, arbitrary: fc.constant("13") }, line),
    extra: fc.option(
      fc.constantFrom(
        'Sec-WebSocket-Extensions: permessage-deflate; x="',
        "Sec-WebSocket-Protocol: a,,b",
        "Origin: null",
      ),
    ),
    frames: fc.array(frame, { maxLength: 4 }),
  })
  .map(({ path, key, version, extra, frames }) => {
    const head = [
      `GET ${path} HTTP/1.1`,
      `Host: ${HOST}`,
      "Connection: Upgrade",
      "Upgrade: websocket",
      `Sec-WebSocket-Key: ${key}`,
      `Sec-WebSocket-Version: ${version}`,
      ...(extra === null ? [] : [extra]),
    ];
    return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1"), ...frames]);
  });

const post = fc
  .record({
    path: fc.constantFrom(
      "/v1/api/negotiations/submit",
      `/v1/api/negotiations/${NEGOTIATION}/confirm`,
      `/v1/api/negotiations/${NEGOTIATION}/action`,
      "/v1/api/scenes",
      "/v1/api/auth/mcp-token",
    ),
    body: document(
      mutatedJson(fc.constantFrom({ scene_id: "s", user_id: "u", intent: "x" }, { action: "cancel" }, {})),
    ),
  })
  .map(({ path, body }) => {
    const head = `POST ${path} HTTP/1.1\r\nHost: ${HOST}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    return Buffer.concat([Buffer.from(head, "latin1"), body]);
  });

/** Any bytes at the stand-in for the backend, WebSocket envelopes among them: it stays, and its feed goes on. */
export const mockBackend = target({
  name: "mock backend and its WebSocket feed",
  batch: 100,
  input: fc.oneof(
    { weight: 4, arbitrary: upgrade },
    { weight: 2, arbitrary: mutatedBytes(upgrade) },
    { weight: 1, arbitrary: post },
  ),
  async open() {
    const mock = createMockBackend({ stepMs: 1, seed: 7, auth: false });
    const { url, port } = await mock.listen();
    const { host } = new URL(url);
    const submitted = await fetch(`${url}/v1/api/negotiations/submit`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ scene_id: mock.scenes()[0]?.scene_id, user_id: "u", intent: "x" }),
    });
    const { negotiation_id: id } = (await submitted.json()) as { negotiation_id: string };
    return {
      async check(bytes) {
        const sent = bytes.toString("latin1").replaceAll(HOST, host).replaceAll(NEGOTIATION, id);
        // Some recorded traps of the backend are a 500, so only a stack is a defect here.
        expectHarmless((await exchange(port, Buffer.from(sent, "latin1"), false)).replaceAll(" 500 ", " "));
        const listener = new WebSocket(`ws://${host}/v1/ws/negotiation/${id}`);
        const [first] = await once(listener, "message");
        listener.terminate();
        if (JSON.parse(String(first)).negotiation_id !== id) throw new Error(`another feed: ${String(first)}`);
      },
      close: () => mock.close(),
    };
  },
});
