import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { OutcomeUnknown } from "../../src/backend/errors.ts";
import { client, demand, failure, ImmediateClock, json, negotiation, noAuth, serve } from "./support.ts";

/** Real servers on loopback that misbehave, each in one way. A read is tried four times, a write once. */
const reads = 4;
const writes = 1;

interface Misbehaviour {
  answer: (response: ServerResponse) => void;
  code: string;
  repeated: boolean;
  /** What there is of it begins with the id of the negotiation. */
  hasId?: true;
}

const misbehaviours: Record<string, Misbehaviour> = {
  "closes before answering": {
    answer: (response) => response.destroy(),
    code: "tool.backend.invalid.cut_body",
    repeated: true,
  },
  "closes inside a body of known length": {
    answer: (response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "500" });
      response.write('{"negotiation_id": "neg_1", ');
      setImmediate(() => response.destroy());
    },
    code: "tool.backend.invalid.cut_body",
    repeated: true,
    hasId: true,
  },
  "closes inside a chunked body": {
    answer: (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write('{"negotiation_id": "neg_1", ');
      setImmediate(() => response.destroy());
    },
    code: "tool.backend.invalid.cut_body",
    repeated: true,
    hasId: true,
  },
  "ends inside the JSON": {
    answer: (response) => response.end('{"negotiation_id": "neg_1", '),
    code: "tool.backend.invalid.cut_body",
    repeated: true,
    hasId: true,
  },
  "sends half of a gzip stream": {
    answer: (response) => {
      const whole = gzipSync(JSON.stringify(negotiation));
      response.writeHead(200, { "content-encoding": "gzip" }).end(whole.subarray(0, whole.length - 12));
    },
    code: "tool.backend.invalid.cut_body",
    repeated: true,
    hasId: true,
  },
  "answers in no HTTP": {
    answer: (response) => void response.socket?.end("SSH-2.0-OpenSSH_9.6\r\n"),
    code: "tool.backend.invalid.not_http",
    repeated: false,
  },
  "answers 200 with HTML": {
    answer: (response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>Sign in</html>"),
    code: "tool.backend.invalid.not_json",
    repeated: false,
  },
  "answers 200 with nothing": {
    answer: (response) => response.end(),
    code: "tool.backend.invalid.not_json",
    repeated: false,
  },
  "answers 200 in another shape": {
    answer: (response) => json(response, 200, { ok: true }),
    code: "tool.backend.invalid.wrong_shape",
    repeated: false,
  },
  "answers with brackets only": {
    answer: (response) => response.end("[".repeat(900_000)),
    code: "tool.backend.invalid.wrong_shape",
    repeated: false,
  },
  "does the work, then fails with 500 in plain text": {
    answer: (response) => response.writeHead(500, { connection: "close" }).end("Internal Server Error"),
    code: "tool.backend.unavailable.server_error",
    repeated: true,
  },
  "answers 502": {
    answer: (response) => response.writeHead(502).end("<html>Bad gateway</html>"),
    code: "tool.backend.unavailable.server_error",
    repeated: true,
  },
  "answers 503 without Retry-After": {
    answer: (response) => response.writeHead(503).end(),
    code: "tool.backend.unavailable.server_error",
    repeated: true,
  },
  "answers more than 1 MB": {
    answer: (response) => response.end(JSON.stringify({ ...negotiation, plan_output: "x".repeat(1_100_000) })),
    code: "tool.backend.invalid.too_large",
    repeated: false,
    hasId: true,
  },
  "sends a gzip bomb": {
    answer: (response) => response.writeHead(200, { "content-encoding": "gzip" }).end(bomb),
    code: "tool.backend.invalid.too_large",
    repeated: false,
  },
};
const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024, 0x20));

describe.each(Object.entries(misbehaviours))("a backend that %s", (_name, { answer, code, repeated, hasId }) => {
  test("a read names it", async () => {
    const server = await serve(answer);
    expect(await failure(client(server.url).getNegotiation("neg_1"))).toMatchObject({
      code,
      params: { operation: "getNegotiation" },
    });
    expect(server.seen).toHaveLength(repeated ? reads : 1);
  });

  test("a write is never sent twice, and says that it may have happened", async () => {
    const server = await serve(answer);
    const error = await failure(client(server.url).confirm("neg_1", {}));
    expect(error).toBeInstanceOf(OutcomeUnknown);
    expect(error).toMatchObject({
      code: "tool.backend.timeout.outcome_unknown",
      params: { operation: "confirm" },
      cause: { code },
    });
    expect(server.seen).toHaveLength(writes);
  });

  test(`a submit ${hasId ? "is known by its id" : "may have happened"}`, async () => {
    const server = await serve(answer);
    const submitted = client(server.url).submitDemand(demand);
    if (hasId) expect(await submitted).toMatchObject({ negotiation_id: "neg_1", state: "created", demand_raw: "" });
    else expect(await failure(submitted)).toMatchObject({ params: { operation: "submitDemand" }, cause: { code } });
    expect(server.seen).toHaveLength(writes);
  });
});

describe("a backend that never answers", () => {
  test("a read ends after its attempts", async () => {
    const server = await serve(() => {});
    const error = await failure(client(server.url, { readTimeoutMs: 200 }).getNegotiation("neg_1"));
    expect(error).toMatchObject({ code: "tool.backend.timeout.read", params: { timeout_ms: 200 } });
    expect(server.seen).toHaveLength(reads);
  });

  test("nor ends its body", async () => {
    const server = await serve((response) => void response.writeHead(200).write('{"negotiation_id":'));
    const error = await failure(client(server.url, { readTimeoutMs: 200 }).getNegotiation("neg_1"));
    expect(error.code).toBe("tool.backend.timeout.read");
  });

  test("a write ends once, with its outcome open", async () => {
    const server = await serve(() => {});
    const error = await failure(client(server.url, { writeTimeoutMs: 200 }).confirm("neg_1", {}));
    expect(error).toMatchObject({
      params: { operation: "confirm", reason: "timeout" },
      cause: { code: "tool.backend.timeout.read" },
    });
    expect(server.seen).toHaveLength(writes);
  });

  test("timeoutMs of the call bounds all of it", async () => {
    const server = await serve(() => {});
    const error = await failure(client(server.url).action("neg_1", { action: "cancel" }, { timeoutMs: 500 }));
    expect(error.code).toBe("tool.backend.timeout.outcome_unknown");
  });

  test("timeoutMs of the call bounds the wait for its token too, and then nothing was sent", async () => {
    const server = await serve((response) => json(response, 200, {}));
    const bearer = (signal?: AbortSignal) =>
      new Promise<string>((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    const slow = client(server.url, {}, { ...noAuth, bearer });
    const error = await failure(slow.action("neg_1", { action: "cancel" }, { timeoutMs: 50 }));
    expect(error).toMatchObject({ code: "tool.auth.unavailable.token", params: { reason: "timeout" } });
    expect(server.seen).toEqual([]);
  });

  test("a read with its retries ends within 30 s of the clock: the last attempt gets what is left", async () => {
    const clock = new ImmediateClock();
    let attempts = 0;
    const fetch = async ({ signal }: Request): Promise<Response> => {
      attempts += 1;
      // Two attempts and their pauses (225 and 450 ms) leave 25 ms.
      clock.time += attempts === 1 ? 15_000 : attempts === 2 ? 14_300 : 0;
      if (attempts < 3) throw new TypeError("fetch failed", { cause: { code: "ECONNRESET" } });
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    };
    expect(await failure(client("http://x.test", { clock, fetch }).getNegotiation("neg_1"))).toMatchObject({
      code: "tool.backend.timeout.read",
      params: { timeout_ms: 25 },
    });
    expect(attempts).toBe(3);
  });

  test.each(["getNegotiation", "submitDemand"] as const)(
    "the caller's abort ends %s with its own reason",
    async (method) => {
      const controller = new AbortController();
      const reason = new Error("the person went home");
      const server = await serve(() => controller.abort(reason));
      const api = client(server.url);
      const { signal } = controller;
      const work =
        method === "submitDemand" ? api.submitDemand(demand, { signal }) : api.getNegotiation("neg_1", { signal });
      await expect(work).rejects.toBe(reason);
      expect(server.seen).toHaveLength(1);
    },
  );

  test("an aborted signal sends nothing", async () => {
    const server = await serve(() => {});
    const work = client(server.url).getNegotiation("neg_1", { signal: AbortSignal.abort("no") });
    await expect(work).rejects.toBe("no");
    expect(server.seen).toHaveLength(0);
  });
});
