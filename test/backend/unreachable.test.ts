import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { client, demand, failure, ImmediateClock, negotiation } from "./support.ts";

/** A server that does something else than TLS. */
async function spoiled(meet: (socket: Socket) => void): Promise<{ url: string; met: () => number }> {
  let met = 0;
  const server = createServer((socket) => {
    met += 1;
    socket.on("error", () => {});
    socket.once("data", () => meet(socket));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, met: () => met };
}

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
    const error = await failure(kind === "read" ? api.getNegotiation("neg_1") : api.submitDemand(demand));
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

  test("a port of another protocol is never tried", async () => {
    expect(await failure(client("http://localhost:6000").submitDemand(demand))).toMatchObject({
      code: "tool.backend.blocked.connection",
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
      code: "tool.backend.blocked.connection",
      params: { reason: "DEPTH_ZERO_SELF_SIGNED_CERT" },
    });
    expect(attempts).toBe(1);
  });

  test("https to a server that speaks plain http: refused here, once", async () => {
    const { url, met } = await spoiled((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    expect(await failure(client(url).submitDemand(demand))).toMatchObject({
      code: "tool.backend.blocked.connection",
      params: { origin: url, reason: expect.stringMatching(/^ERR_SSL_/) },
    });
    expect(met()).toBe(1);
  });

  test.each([
    ["ended", (socket: Socket) => socket.end()],
    ["reset", (socket: Socket) => socket.resetAndDestroy()],
  ])("a handshake that is %s sent nothing, so a write is repeated", async (_how, meet) => {
    const { url, met } = await spoiled(meet);
    const error = await failure(client(url, { clock: new ImmediateClock() }).submitDemand(demand));
    expect(error).toMatchObject({ code: "tool.backend.unavailable.unreachable", params: { reason: "ECONNRESET" } });
    expect(met()).toBe(4);
  });

  test("a handshake that nobody answers ends in time, with nothing sent", async () => {
    const { url, met } = await spoiled(() => {});
    const error = await failure(
      client(url, { clock: new ImmediateClock(), connectTimeoutMs: 30 }).submitDemand(demand),
    );
    expect(error).toMatchObject({
      code: "tool.backend.unavailable.unreachable",
      params: { reason: "UND_ERR_CONNECT_TIMEOUT" },
    });
    expect(met()).toBe(4);
  });

  test("TLS that breaks after the handshake leaves a write's outcome open", async () => {
    const fetch = async (): Promise<Response> => {
      const code = "ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC";
      throw new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code }) });
    };
    expect(await failure(client("https://x.test", { fetch }).submitDemand(demand))).toMatchObject({
      code: "tool.backend.timeout.outcome_unknown",
    });
  });
});
