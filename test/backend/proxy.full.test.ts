import { expect, onTestFinished, test } from "vitest";
import { proxyFor } from "../../src/backend/proxy.ts";
import { proxy } from "./proxy.ts";
import { client, demand, failure, json, negotiation, noAuth, serve } from "./support.ts";

const token = { ...noAuth, bearer: async () => "secret" };

const ok = () => serve((response) => json(response, 200, negotiation));

test.each(["http://", ""])("plain http goes through HTTP_PROXY (written with %j), whole", async (scheme) => {
  const backend = await ok();
  const through = await proxy(backend.port);
  const httpProxy = scheme + new URL(through.url).host;
  await client("http://backend.test/base", { proxy: { HTTP_PROXY: httpProxy } }, token).submitDemand(demand);
  expect(through.forwarded).toEqual(["POST http://backend.test/base/v1/api/negotiations/submit"]);
  expect(backend.seen[0]).toMatchObject({ method: "POST", body: JSON.stringify(demand) });
  expect(backend.seen[0]?.headers).toMatchObject({ host: "backend.test", authorization: "Bearer secret" });
});

test("https goes through HTTPS_PROXY in a tunnel, of which the proxy learns the host and nothing else", async () => {
  const backend = await ok();
  const through = await proxy(backend.port);
  const api = client(
    "https://backend.test",
    { proxy: { HTTPS_PROXY: through.url, HTTP_PROXY: "http://unused" } },
    token,
  );
  // The server behind it speaks no TLS, so the handshake fails: before anything was sent.
  const error = await failure(api.submitDemand(demand));
  expect(error).toMatchObject({ code: "tool.backend.blocked.connection" });
  expect(through.tunnels[0]?.target).toBe("backend.test:443");
  expect(JSON.stringify(through.tunnels)).not.toContain("secret");
  expect(backend.seen).toHaveLength(0);
});

test.each([
  "127.0.0.1",
  "localhost, 127.0.0.1",
  "*",
  "127.0.0.1:PORT",
  "127.*",
  "127.0.*:PORT",
  "10.0.0.0/8,127.0.0.0/8",
  "127.0.0.1/32",
  "0.0.0.0/0",
])("NO_PROXY=%s goes straight", async (list) => {
  const backend = await ok();
  const through = await proxy(backend.port);
  const noProxy = list.replace("PORT", String(backend.port));
  await client(backend.url, { proxy: { HTTP_PROXY: through.url, NO_PROXY: noProxy } }).getNegotiation("neg_1");
  expect(through.forwarded).toEqual([]);
  expect(backend.seen).toHaveLength(1);
});

test.each([
  "example.org",
  "127.0.0.2",
  "128.*",
  "7.0.0.1",
  "127.0.0.1:1",
  "10.0.0.0/8",
  "127.0.0.1/33",
  "127.0.0.1/x",
  "::/0",
])("NO_PROXY=%s, for others, does not", async (list) => {
  const backend = await ok();
  const through = await proxy(backend.port);
  await client(backend.url, { proxy: { HTTP_PROXY: through.url, NO_PROXY: list } }).getNegotiation("neg_1");
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
  const api = client("https://backend.test", { proxy: { HTTPS_PROXY: through.url } });
  expect(await failure(api.submitDemand(demand))).toMatchObject({
    code: "tool.backend.unavailable.unreachable",
    params: { origin: "https://backend.test", reason: "proxy_refused" },
  });
});

test.each(["at once", "within its answer"] as const)("a proxy that hangs up %s is asked four times", async (how) => {
  const backend = await ok();
  const through = await proxy(backend.port, how);
  const api = client("https://backend.test", { proxy: { HTTPS_PROXY: through.url } });
  for (const call of [() => api.getNegotiation("neg_1"), () => api.submitDemand(demand)])
    expect(await failure(call())).toMatchObject({
      code: "tool.backend.unavailable.unreachable",
      params: { reason: "proxy_refused" },
    });
  expect(through.tunnels).toHaveLength(8);
  // What would connect again by itself does so before what is asked next.
  await failure(api.getNegotiation("neg_1"));
  expect(through.tunnels).toHaveLength(12);
});

test("a proxy that speaks another protocol: the backend was not reached", async () => {
  const through = await proxy(0, "as ssh");
  const api = client("https://backend.test", { proxy: { HTTPS_PROXY: through.url } });
  expect(await failure(api.submitDemand(demand))).toMatchObject({
    code: "tool.backend.unavailable.unreachable",
    params: { reason: "proxy_not_http" },
  });
});

test("407 for plain http: the backend was not reached", async () => {
  const through = await proxy(0, 407);
  const error = await failure(
    client("http://backend.test", { proxy: { HTTP_PROXY: through.url } }).submitDemand(demand),
  );
  expect(error.code).toBe("tool.backend.unavailable.unreachable");
});

test.each(["http", "https"])("a proxy that is not there, for %s: the backend was not reached", async (scheme) => {
  const proxy = { HTTP_PROXY: "http://127.0.0.1:1" };
  const error = await failure(client(`${scheme}://backend.test`, { proxy }).submitDemand(demand));
  expect(error).toMatchObject({ code: "tool.backend.unavailable.unreachable", params: { reason: "ECONNREFUSED" } });
});

test.each([
  ["http://[::1]", "::1,fe80::/10", true],
  ["https://a.backend.test:8443", "*.backend.test:8443", true],
  ["https://backend.test", ".backend.test", true],
  ["https://notbackend.test", "backend.test", false],
  ["http://[fe80::7]", "::1,fe80::/10", true],
  ["http://[::1]:8080", "[::1]:8080", true],
  ["http://[::1]:8080", "[::1]:8081", false],
  ["http://10.1.2.3", "10.1.2.0/24:80", true],
  ["http://172.32.0.1", "172.16.0.0/12", false],
])("%s beside NO_PROXY=%s", (url, no_proxy, isStraight) => {
  const proxy = proxyFor(new URL(url), { HTTP_PROXY: "proxy:8080", NO_PROXY: "never.example", no_proxy });
  expect(proxy?.url.href).toBe(isStraight ? undefined : "http://proxy:8080/");
});

test.each([
  "http://me:hunter2@[bad",
  "http://",
  "socks4://127.0.0.1:1080",
  "ftp://127.0.0.1",
  "http://me:hunter2%@127.0.0.1:1",
])("tool.config.invalid.proxy: HTTP_PROXY=%s is named, without its password, and asked once", async (value) => {
  const variables = { HTTP_PROXY: value, http_proxy: "" };
  const error = await failure(client("http://backend.test", { proxy: variables }).submitDemand(demand));
  expect(error).toMatchObject({ code: "tool.config.invalid.proxy", params: { variable: "HTTP_PROXY" } });
  expect(`${error.stack}${error.cause}`).not.toContain("hunter2");
});

test("a proxy variable that cannot be read harms nothing that does not need it", async () => {
  const backend = await ok();
  const bad = { HTTP_PROXY: "socks4://127.0.0.1:1", HTTPS_PROXY: "nonsense://", NO_PROXY: "localhost,127.0.0.1" };
  await client(backend.url, { proxy: bad }).getNegotiation("neg_1");
  const through = await proxy(backend.port);
  await client("http://backend.test", { proxy: { ...bad, HTTP_PROXY: through.url } }).getNegotiation("neg_1");
  expect(backend.seen).toHaveLength(2);
});
