import type { ServerResponse } from "node:http";
import { createServer } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Auth } from "../../src/backend/client.ts";
import { OutcomeUnknown } from "../../src/backend/errors.ts";
import { client, demand, failure, ImmediateClock, json, negotiation, noAuth, serve } from "./support.ts";

/** Real servers on loopback that misbehave, each in one way. A read is tried four times, a write once. */
const reads = 4;
const writes = 1;

const misbehaviours: Record<string, { answer: (response: ServerResponse) => void; code: string; repeated: boolean }> = {
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
  },
  "closes inside a chunked body": {
    answer: (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write('{"negotiation_id": "neg_1", ');
      setImmediate(() => response.destroy());
    },
    code: "tool.backend.invalid.cut_body",
    repeated: true,
  },
  "ends inside the JSON": {
    answer: (response) => response.end('{"negotiation_id": "neg_1", '),
    code: "tool.backend.invalid.cut_body",
    repeated: true,
  },
  "sends half of a gzip stream": {
    answer: (response) => {
      const whole = gzipSync(JSON.stringify(negotiation));
      response.writeHead(200, { "content-encoding": "gzip" }).end(whole.subarray(0, whole.length - 12));
    },
    code: "tool.backend.invalid.cut_body",
    repeated: true,
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
    answer: (response) => response.end("[".repeat(9_000_000)),
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
  "answers more than 10 MB": {
    answer: (response) => response.end(JSON.stringify({ ...negotiation, demand_raw: "x".repeat(11_000_000) })),
    code: "tool.backend.invalid.too_large",
    repeated: false,
  },
  "sends a gzip bomb": {
    answer: (response) => response.writeHead(200, { "content-encoding": "gzip" }).end(bomb),
    code: "tool.backend.invalid.too_large",
    repeated: false,
  },
};
const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024, 0x20));

describe.each(Object.entries(misbehaviours))("a backend that %s", (_name, { answer, code, repeated }) => {
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
    const error = await failure(client(server.url).submitDemand(demand));
    expect(error).toBeInstanceOf(OutcomeUnknown);
    expect(error).toMatchObject({
      code: "tool.backend.timeout.outcome_unknown",
      operation: "submitDemand",
      cause: { code },
    });
    expect(server.seen).toHaveLength(writes);
  });
});

describe("a backend that never answers", () => {
  test("a read ends after its attempts", async () => {
    const server = await serve(() => {});
    const error = await failure(client(server.url, { readTimeoutMs: 40 }).getNegotiation("neg_1"));
    expect(error).toMatchObject({ code: "tool.backend.timeout.read", params: { timeout_ms: 40 } });
    expect(server.seen).toHaveLength(reads);
  });

  test("nor ends its body", async () => {
    const server = await serve((response) => void response.writeHead(200).write('{"negotiation_id":'));
    const error = await failure(client(server.url, { readTimeoutMs: 40 }).getNegotiation("neg_1"));
    expect(error.code).toBe("tool.backend.timeout.read");
  });

  test("a write ends once, with its outcome open", async () => {
    const server = await serve(() => {});
    const error = await failure(client(server.url, { writeTimeoutMs: 60 }).confirm("neg_1", {}));
    expect(error).toMatchObject({
      params: { operation: "confirm", reason: "timeout" },
      cause: { code: "tool.backend.timeout.read" },
    });
    expect(server.seen).toHaveLength(writes);
  });

  test("timeoutMs of the call bounds all of it", async () => {
    const server = await serve(() => {});
    const error = await failure(client(server.url).action("neg_1", { action: "cancel" }, { timeoutMs: 50 }));
    expect(error.code).toBe("tool.backend.timeout.outcome_unknown");
  });

  test("timeoutMs of the call bounds the wait for its token too, and then nothing was sent", async () => {
    const server = await serve((response) => json(response, 200, {}));
    const bearer = (signal?: AbortSignal) =>
      new Promise<string>((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    const slow = client(server.url, {}, { ...noAuth, bearer });
    const error = await failure(slow.action("neg_1", { action: "cancel" }, { timeoutMs: 50 }));
    expect(error).toMatchObject({ code: "tool.backend.unavailable.unreachable", params: { reason: "token_timeout" } });
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
        method === "submitDemand" ? api.submitDemand(demand, { signal }) : api.getNegotiation("n", { signal });
      await expect(work).rejects.toBe(reason);
      expect(server.seen).toHaveLength(1);
    },
  );

  test("an aborted signal sends nothing", async () => {
    const server = await serve(() => {});
    const work = client(server.url).getNegotiation("n", { signal: AbortSignal.abort("no") });
    await expect(work).rejects.toBe("no");
    expect(server.seen).toHaveLength(0);
  });
});

describe("a backend that is not there", () => {
  const gone = async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    return `http://127.0.0.1:${port}`;
  };

  test.each(["read", "write"])("a %s is repeated, then says that nothing was reached", async (kind) => {
    const clock = new ImmediateClock();
    const url = await gone();
    const api = client(url, { clock });
    const error = await failure(kind === "read" ? api.getNegotiation("n") : api.submitDemand(demand));
    expect(error).toMatchObject({
      code: "tool.backend.unavailable.unreachable",
      params: { origin: url, reason: "ECONNREFUSED" },
    });
    expect(clock.pauses).toEqual([225, 450, 900]);
  });

  test.each(["ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"])(
    "%s is certain, so a write is repeated",
    async (code) => {
      let attempts = 0;
      const fetch = async (): Promise<Response> => {
        attempts += 1;
        if (attempts === 3) return Response.json(negotiation, { status: 201 });
        throw new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code }) });
      };
      expect((await client("http://x.test", { fetch }).submitDemand(demand)).negotiation_id).toBe("neg_1");
      expect(attempts).toBe(3);
    },
  );

  test("a port that fetch refuses was never tried", async () => {
    expect(await failure(client("http://localhost:6000").submitDemand(demand))).toMatchObject({
      code: "tool.backend.unavailable.unreachable",
      params: { origin: "http://localhost:6000", reason: "bad_port" },
    });
  });

  test("localhost with nobody on either of its addresses", async () => {
    const url = (await gone()).replace("127.0.0.1", "localhost");
    expect(await failure(client(url).submitDemand(demand))).toMatchObject({ params: { reason: "ECONNREFUSED" } });
  });

  test("a bad certificate is not asked for again", async () => {
    let attempts = 0;
    const fetch = async (): Promise<Response> => {
      attempts += 1;
      const code = "DEPTH_ZERO_SELF_SIGNED_CERT";
      throw new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code }) });
    };
    const error = await failure(client("https://x.test", { fetch }).submitDemand(demand));
    expect(error).toMatchObject({
      code: "tool.backend.unavailable.unreachable",
      params: { reason: "DEPTH_ZERO_SELF_SIGNED_CERT" },
    });
    expect(attempts).toBe(1);
  });
});

describe("a backend that asks for patience", () => {
  test.each([
    [429, "2", "read"],
    [429, "2", "write"],
    [503, "2", "write"],
    [429, undefined, "write"],
  ] as const)("%i with Retry-After %s: a %s waits and goes out again", async (status, after, kind) => {
    const clock = new ImmediateClock();
    const server = await serve((response, _seen, number) => {
      if (number > 0) return json(response, 200, negotiation);
      json(response, status, { detail: "slow down" }, after === undefined ? {} : { "retry-after": after });
    });
    const api = client(server.url, { clock });
    await (kind === "read" ? api.getNegotiation("n") : api.submitDemand(demand));
    expect(clock.pauses).toEqual([after === undefined ? 225 : 2000]);
    const keys = server.seen.map(({ headers }) => headers["idempotency-key"]);
    expect(keys[0]).toBe(keys[1]);
  });

  test("a date is understood, by the injected clock", async () => {
    const clock = new ImmediateClock();
    const date = new Date(clock.now() + 4_000).toUTCString();
    const server = await serve((response, _seen, number) =>
      number > 0 ? json(response, 200, negotiation) : json(response, 429, {}, { "retry-after": date }),
    );
    await client(server.url, { clock }).getNegotiation("n");
    expect(clock.pauses).toEqual([4000]);
  });

  test("for longer than anybody waits: told at once", async () => {
    const server = await serve((response) => json(response, 429, { detail: "quota" }, { "retry-after": "3600" }));
    expect(await failure(client(server.url).submitDemand(demand))).toMatchObject({
      code: "tool.backend.unavailable.rate_limited",
      retryAfterSeconds: 3600,
      detail: "quota",
      params: { status: 429 },
    });
    expect(server.seen).toHaveLength(1);
  });

  test("for ever: four attempts", async () => {
    const server = await serve((response) => json(response, 429, {}, { "retry-after": "1" }));
    expect((await failure(client(server.url).submitDemand(demand))).retryAfterSeconds).toBe(1);
    expect(server.seen).toHaveLength(4);
  });
});

describe("redirects", () => {
  const token: Auth = { ...noAuth, bearer: async () => "secret" };

  test.each([307, 308])("%i on the same origin keeps method, body, key and bearer", async (status) => {
    const server = await serve((response, { url }) =>
      url.includes("?moved")
        ? json(response, 201, negotiation)
        : void response.writeHead(status, { location: `${server.url}${url}?moved` }).end(),
    );
    await client(server.url, {}, token).submitDemand(demand);
    const [first, second] = server.seen;
    expect(second).toMatchObject({ method: "POST", body: JSON.stringify(demand) });
    expect(second?.headers.authorization).toBe("Bearer secret");
    expect(second?.headers["idempotency-key"]).toBe(first?.headers["idempotency-key"]);
  });

  test.each([301, 302, 307])("%i to another origin is not followed: the bearer never arrives there", async (status) => {
    const other = await serve((response) => json(response, 200, negotiation));
    const server = await serve(
      (response, { url }) => void response.writeHead(status, { location: `${other.url}${url}` }).end(),
    );
    for (const work of [
      client(server.url, {}, token).getNegotiation("n"),
      client(server.url, {}, token).submitDemand(demand),
    ]) {
      expect(await failure(work)).toMatchObject({
        code: "tool.backend.invalid.redirect",
        params: { status, reason: "other_origin", target: other.url },
      });
    }
    expect(other.connections).toBe(0);
    expect(server.seen).toHaveLength(2);
  });

  test("a loop ends after three", async () => {
    const server = await serve((response, { url }) => void response.writeHead(307, { location: url }).end());
    expect(await failure(client(server.url).getNegotiation("n"))).toMatchObject({ params: { reason: "loop" } });
    expect(server.seen).toHaveLength(4);
  });

  test.each([
    ["", "no_location"],
    ["http://[", "no_location"],
    ["javascript:alert(1)", "other_origin"],
    ["//elsewhere.test/", "other_origin"],
  ])("Location %j → %s", async (location, reason) => {
    const headers = location === "" ? {} : { location };
    const server = await serve((response) => void response.writeHead(307, headers).end());
    expect(await failure(client(server.url).getNegotiation("n"))).toMatchObject({ params: { reason } });
  });

  test("a write does not turn into a read, and a 303 leaves its outcome open", async () => {
    const server = await serve(
      (response, { url }, number) => void response.writeHead(number === 0 ? 302 : 303, { location: `${url}/x` }).end(),
    );
    const api = client(server.url);
    expect(await failure(api.submitDemand(demand))).toMatchObject({ params: { reason: "method_would_change" } });
    expect((await failure(api.submitDemand(demand))).code).toBe("tool.backend.timeout.outcome_unknown");
    expect(server.seen).toHaveLength(2);
  });
});
