import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryHome } from "../support/home.ts";
import { rawServer } from "../support/raw-server.ts";
import { client, demand, failure, json, negotiation, serve } from "./support.ts";

/** A backend that means harm. What merely goes wrong is in `faults.test.ts`. */

const MEGABYTE = 1 << 20;
const blank = Buffer.alloc(100 * MEGABYTE, 0x20);
const bombs: Record<string, Buffer> = {
  gzip: gzipSync(blank),
  deflate: deflateSync(blank),
  br: brotliCompressSync(blank, { params: { 1: 3 } }),
  zstd: zstdCompressSync(blank),
};

/** A server that speaks no HTTP library's HTTP. */
async function bytesServer(speak: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    socket.once("data", () => speak(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Writes the same piece for as long as the other side takes it. */
function withoutEnd(socket: Socket, piece: string): void {
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on("drain", more);
  more();
}

describe("bodies that grow", () => {
  test.each(Object.entries(bombs))("a %s bomb ends at the cap", async (encoding, bomb) => {
    const server = await serve((response) => void response.writeHead(200, { "content-encoding": encoding }).end(bomb));
    expect((await failure(client(server.url).getNegotiation("neg_1"))).code).toBe("tool.backend.invalid.too_large");
  });

  test("a bomb within a bomb is not looked into, though a small answer would come out of it", async () => {
    const nothing = gzipSync(Buffer.alloc(0));
    const within = gzipSync(Buffer.concat(new Array<Buffer>(50_000).fill(nothing)));
    const answer = gzipSync(gzipSync(JSON.stringify(negotiation)));
    const bomb = gzipSync(Buffer.concat([...new Array<Buffer>(400).fill(within), answer]));
    const headers = { "content-encoding": "gzip, gzip, gzip" };
    const server = await serve((response) => void response.writeHead(200, headers).end(bomb));
    const failed = failure(client(server.url).getNegotiation("neg_1"));
    expect(bomb.length).toBeLessThan(MEGABYTE / 100);
    expect((await failed).code).toBe("tool.backend.invalid.not_json");
  });

  test("the whole program stays small while bombs and endless bodies come in", async () => {
    const bomb = gzipSync(Buffer.alloc(400 * MEGABYTE, 0x20));
    const server = await serve((response, _seen, number) => {
      response.writeHead(200, number % 2 === 0 ? { "content-encoding": "gzip" } : {});
      if (number % 2 === 0) return void response.end(bomb);
      const more = () => {
        while (!response.destroyed && response.write(blank.subarray(0, MEGABYTE)));
      };
      response.on("drain", more);
      more();
    });
    const env = { TOWOW_BACKEND_URL: server.url, TOWOW_USER_ID: "u", TOWOW_API_TOKEN: "t" };
    const program = rawServer({ ...env, TOWOW_HOME: await temporaryHome() }, { spawned: true });
    await program.request("ping");
    for (let look = 0; look < 6; look++)
      expect((await program.call("towow_status", { negotiation_id: "neg_000000000000" })).error?.code).toBe(
        "tool.backend.invalid.too_large",
      );
    const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${program.child.pid}/status`, "utf8"));
    expect(Number(peak?.[1]) / 1024).toBeLessThan(300);
  });
});

describe("answers that are more than anybody means", () => {
  const agents = (count: number) => Array.from({ length: count }, (_, n) => ({ agent_id: `a${n}` }));
  const answering = async (more: object) =>
    client((await serve((response) => json(response, 200, { ...negotiation, ...more }))).url).getNegotiation("neg_1");

  test("up to 1 MB are read, and not a byte more", async () => {
    expect(await answering({ plan_output: "x".repeat(1_000_000) })).toMatchObject({ state: "created" });
    expect(await failure(answering({ plan_output: "x".repeat(MEGABYTE) }))).toMatchObject({
      code: "tool.backend.invalid.too_large",
      params: { limit_bytes: MEGABYTE },
    });
  });

  test.each([
    ["a list", { participants: [{ agent_id: "a", offer_content: new Array(30_000).fill(0) }] }],
    [
      "keys",
      { participants: [{ offer_content: Object.fromEntries(agents(30_000).map(({ agent_id }) => [agent_id, 1])) }] },
    ],
    ["lists in lists", { offer: new Array(30_000).fill([]) }],
  ])("25,000 values (%s) are refused unparsed; commas and brackets in a text are none", async (_, more) => {
    expect(await failure(answering(more))).toMatchObject({
      code: "tool.backend.invalid.wrong_shape",
      detail: "too many values",
    });
    expect(await answering({ plan_output: '[{,"\\'.repeat(30_000) })).toMatchObject({ state: "created" });
  });

  test.each([
    ["sub_session_ids", new Array(1_001).fill("neg_1")],
    ["demand_raw", "字".repeat(50_001)],
    ["demand_formulated", "字".repeat(50_001)],
    ["demand_formulated", { text: "字".repeat(50_001) }],
  ])("too much of %s is a wrong shape that names it", async (field, value) => {
    expect(await failure(answering({ [field]: value }))).toMatchObject({
      code: "tool.backend.invalid.wrong_shape",
      params: { field },
    });
  });

  test("two thousand participants are read", async () => {
    expect((await answering({ participants: agents(2_000) })).participants).toHaveLength(2_000);
  });
});

describe("heads that grow", () => {
  const quick = { readTimeoutMs: 400, readTotalMs: 1_000 };
  test("headers without end", async () => {
    const url = await bytesServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      withoutEnd(socket, `X-Filler: ${"x".repeat(1_000)}\r\n`);
    });
    expect((await failure(client(url).getNegotiation("neg_1"))).code).toBe("tool.backend.invalid.cut_body");
  });

  test("early hints without end", async () => {
    const url = await bytesServer((socket) => withoutEnd(socket, "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"));
    expect((await failure(client(url, quick).getNegotiation("neg_1"))).code).toMatch(
      /^tool\.backend\.(timeout|invalid)\./,
    );
  });

  test("a byte now and then, head or body: the time for the whole answer counts", async () => {
    for (const start of ["HTTP/1.1 200 OK\r\nX-Slow: ", 'HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n{"a":"']) {
      const url = await bytesServer((socket) => {
        socket.write(start);
        const timer = setInterval(() => socket.write("x"), 50);
        socket.on("close", () => clearInterval(timer));
      });
      expect((await failure(client(url, quick).getNegotiation("neg_1"))).code).toBe("tool.backend.timeout.read");
    }
  });
});

describe("headers that want something", () => {
  test.each(["1e9", "1000000000", "999999999", "99999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT"])(
    "Retry-After: %s holds nobody up",
    async (after) => {
      const server = await serve((response) => json(response, 429, {}, { "retry-after": after }));
      const error = await failure(client(server.url).submitDemand(demand));
      expect(error.code).toBe("tool.backend.unavailable.rate_limited");
      expect(Number.isFinite(error.retryAfterSeconds ?? 0)).toBe(true);
      expect(server.seen.length).toBeLessThanOrEqual(4);
    },
  );

  test("a cookie is not kept", async () => {
    const server = await serve((response) => json(response, 200, negotiation, { "set-cookie": "track=me; Path=/" }));
    const api = client(server.url);
    await api.getNegotiation("neg_1");
    await api.getNegotiation("neg_1");
    expect(server.seen.map(({ headers }) => headers.cookie)).toEqual([undefined, undefined]);
  });

  test("a redirect that smuggles credentials or another scheme is not followed", async () => {
    for (const target of ["http://u:p@HOST/x", "ftp://HOST/x", "file:///etc/passwd", "data:application/json,{}"]) {
      const server = await serve((response, { url }) => {
        if (url === "/x") return json(response, 200, negotiation);
        response.writeHead(307, { location: target.replace("HOST", new URL(server.url).host) }).end();
      });
      const error = await failure(client(server.url).getNegotiation("neg_1"));
      expect(error.code, target).toBe("tool.backend.invalid.redirect");
      expect(JSON.stringify(error.params), target).not.toContain("u:p");
      expect(server.seen.filter(({ url }) => url === "/x")).toEqual([]);
    }
  });

  test("what they say is one clean line by the time that a model reads it", async () => {
    const server = await bytesServer((socket) =>
      socket.end(
        "HTTP/1.1 200 \u001b[31mOK\r\nContent-Type: text/html\u001b[2J\tIGNORE ALL\r\nContent-Length: 2\r\n\r\nno",
      ),
    );
    const env = { TOWOW_BACKEND_URL: server, TOWOW_USER_ID: "u", TOWOW_API_TOKEN: "t" };
    const program = rawServer({ ...env, TOWOW_HOME: await temporaryHome() }, { spawned: true });
    const { error, text } = await program.call("towow_status", { negotiation_id: "neg_000000000000" });
    expect(error?.code).toMatch(/^tool\.backend\.invalid\./);
    expect(text.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
  });
});

test("nothing that a caller names becomes a header of its own", async () => {
  const server = await serve((response) => json(response, 200, negotiation));
  const evil = "neg_1 HTTP/1.1\r\nX-Evil: 1\r\n\r\n";
  await client(server.url)
    .getNegotiation(evil)
    .catch(() => {});
  await client(server.url)
    .submitDemand({ ...demand, intent: evil, scene_id: evil })
    .catch(() => {});
  await client(server.url)
    .listScenes({ status: evil })
    .catch(() => {});
  expect(server.seen.length).toBeGreaterThan(1);
  for (const { headers } of server.seen) expect(headers).not.toHaveProperty("x-evil");
});
