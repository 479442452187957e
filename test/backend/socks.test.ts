import { expect, test } from "vitest";
import { soon } from "../support/soon.ts";
import { socksProxy } from "./socks-proxy.ts";
import { client, demand, failure, json, negotiation, noAuth, serve } from "./support.ts";

const token = { ...noAuth, bearer: async () => "secret" };
const ok = () => serve((response) => json(response, 200, negotiation));

test.each(["socks5h", "socks5", "socks"])("%s: the proxy learns the name, and passes requests on", async (scheme) => {
  const backend = await ok();
  const { host, asked } = await socksProxy(backend.port);
  const api = client("http://backend.test", { proxy: { HTTP_PROXY: `${scheme}://${host}` } }, token);
  await api.submitDemand(demand);
  await api.getNegotiation("neg_1");
  expect(new Set(asked)).toEqual(new Set(["backend.test:80"]));
  expect(backend.seen.map(({ method }) => method)).toEqual(["POST", "GET"]);
  expect(backend.seen[0]).toMatchObject({ body: JSON.stringify(demand), headers: { authorization: "Bearer secret" } });
});

test("https goes through it as well; the server behind it speaks no TLS, and nothing is sent", async () => {
  const backend = await ok();
  const { host, asked } = await socksProxy(backend.port);
  const api = client("https://backend.test", { proxy: { https_proxy: `socks5h://${host}` } }, token);
  expect(await failure(api.submitDemand(demand))).toMatchObject({ code: "tool.backend.blocked.connection" });
  expect([asked[0], backend.seen]).toEqual(["backend.test:443", []]);
});

test("a name and a password are given to it, and to nobody else", async () => {
  const backend = await ok();
  const { host, asked } = await socksProxy(backend.port, { account: "me:p@ss" });
  const HTTP_PROXY = `socks5://me:p%40ss@${host}`;
  await client("http://backend.test", { proxy: { HTTP_PROXY } }).getNegotiation("neg_1");
  expect(asked).toEqual(["backend.test:80"]);
  expect(JSON.stringify(backend.seen)).not.toContain("p@ss");
  const wrong = client("http://backend.test", { proxy: { HTTP_PROXY: `socks5://me:no@${host}` } });
  expect(await failure(wrong.submitDemand(demand))).toMatchObject({ params: { reason: "proxy_refused" } });
});

test.each([
  ["refuses", "proxy_refused"],
  ["hangs up", "proxy_refused"],
  ["is silent", "proxy_refused"],
  ["is a web server", "proxy_not_socks"],
] as const)("a proxy that %s: the backend was not reached, and no connection is left", async (how, reason) => {
  const { host, sockets } = await socksProxy(0, { how });
  const api = client("http://backend.test", { connectTimeoutMs: 200, proxy: { HTTP_PROXY: `socks5://${host}` } });
  expect(await failure(api.submitDemand(demand))).toMatchObject({
    code: "tool.backend.unavailable.unreachable",
    params: { reason },
  });
  await soon(() => sockets.size).toBe(0);
});
