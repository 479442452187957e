import { setTimeout } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { proxy } from "./proxy.ts";
import { client, demand, failure, json, negotiation, noAuth, serve } from "./support.ts";

const token = { ...noAuth, bearer: async () => "secret" };

const ok = () => serve((response) => json(response, 200, negotiation));

test.each(["http://", ""])("plain http goes through HTTP_PROXY (written with %j), whole", async (scheme) => {
  const backend = await ok();
  const through = await proxy(backend.port);
  const httpProxy = scheme + new URL(through.url).host;
  await client("http://backend.test/base", { proxy: { httpProxy } }, token).submitDemand(demand);
  expect(through.forwarded).toEqual(["POST http://backend.test/base/v1/api/negotiations/submit"]);
  expect(backend.seen[0]).toMatchObject({ method: "POST", body: JSON.stringify(demand) });
  expect(backend.seen[0]?.headers).toMatchObject({ host: "backend.test", authorization: "Bearer secret" });
});

test("https goes through HTTPS_PROXY in a tunnel, of which the proxy learns the host and nothing else", async () => {
  const backend = await ok();
  const through = await proxy(backend.port);
  const api = client("https://backend.test", { proxy: { httpsProxy: through.url, httpProxy: "http://unused" } }, token);
  // The server behind it speaks no TLS, so the handshake fails: before anything was sent.
  const error = await failure(api.submitDemand(demand));
  expect(error).toMatchObject({ code: "tool.backend.blocked.connection" });
  expect(through.tunnels[0]?.target).toBe("backend.test:443");
  expect(JSON.stringify(through.tunnels)).not.toContain("secret");
  expect(backend.seen).toHaveLength(0);
});

test.each(["127.0.0.1", "localhost, 127.0.0.1", "*", "127.0.0.1:PORT"])("NO_PROXY=%s goes straight", async (list) => {
  const backend = await ok();
  const through = await proxy(backend.port);
  const noProxy = list.replace("PORT", String(backend.port));
  await client(backend.url, { proxy: { httpProxy: through.url, noProxy } }).getNegotiation("neg_1");
  expect(through.forwarded).toEqual([]);
  expect(backend.seen).toHaveLength(1);
});

test("NO_PROXY for others does not", async () => {
  const backend = await ok();
  const through = await proxy(backend.port);
  await client(backend.url, { proxy: { httpProxy: through.url, noProxy: "example.org" } }).getNegotiation("neg_1");
  expect(through.forwarded).toEqual([`GET ${backend.url}/v1/api/negotiations/neg_1`]);
});

test("nothing is read from the environment", async () => {
  const backend = await ok();
  const through = await proxy(backend.port);
  process.env.HTTP_PROXY = through.url;
  onTestFinished(() => void delete process.env.HTTP_PROXY);
  await client(backend.url).getNegotiation("neg_1");
  expect(through.forwarded).toEqual([]);
});

test.each([403, 407, 502])("a tunnel refused with %i: the backend was not reached", async (status) => {
  const backend = await ok();
  const through = await proxy(backend.port, status);
  const api = client("https://backend.test", { proxy: { httpsProxy: through.url } });
  expect(await failure(api.submitDemand(demand))).toMatchObject({
    code: "tool.backend.unavailable.unreachable",
    params: { origin: "https://backend.test", reason: "proxy_refused" },
  });
});

test.each(["at once", "within its answer"] as const)("a proxy that hangs up %s is asked four times", async (how) => {
  const backend = await ok();
  const through = await proxy(backend.port, how);
  const api = client("https://backend.test", { proxy: { httpsProxy: through.url } });
  for (const call of [() => api.getNegotiation("neg_1"), () => api.submitDemand(demand)])
    expect(await failure(call())).toMatchObject({
      code: "tool.backend.unavailable.unreachable",
      params: { reason: "proxy_refused" },
    });
  expect(through.tunnels).toHaveLength(8);
  // Real time: what would connect again does so at once.
  await setTimeout(100);
  expect(through.tunnels).toHaveLength(8);
});

test("a proxy that speaks another protocol: the backend was not reached", async () => {
  const through = await proxy(0, "as ssh");
  const api = client("https://backend.test", { proxy: { httpsProxy: through.url } });
  expect(await failure(api.submitDemand(demand))).toMatchObject({
    code: "tool.backend.unavailable.unreachable",
    params: { reason: "proxy_not_http" },
  });
});

test("407 for plain http: the backend was not reached", async () => {
  const through = await proxy(0, 407);
  const error = await failure(
    client("http://backend.test", { proxy: { httpProxy: through.url } }).submitDemand(demand),
  );
  expect(error.code).toBe("tool.backend.unavailable.unreachable");
});

test.each(["http", "https"])("a proxy that is not there, for %s: the backend was not reached", async (scheme) => {
  const proxy = { httpProxy: "http://127.0.0.1:1" };
  const error = await failure(client(`${scheme}://backend.test`, { proxy }).submitDemand(demand));
  expect(error).toMatchObject({ code: "tool.backend.unavailable.unreachable", params: { reason: "ECONNREFUSED" } });
});

test("a proxy that is no address is named, without its password", async () => {
  const proxy = { httpProxy: "http://me:hunter2@[bad" };
  const error = await failure(client("http://backend.test", { proxy }).submitDemand(demand));
  expect(error).toMatchObject({ code: "tool.backend.unavailable.unreachable", params: { reason: "proxy_invalid" } });
  expect(`${error.stack}${error.cause}`).not.toContain("hunter2");
});
