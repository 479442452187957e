import { connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Endpoint, startEndpoint } from "../support/endpoint.ts";
import { freePort } from "../support/free-port.ts";

/** What somebody without a token can send on a connection of their own, to every route there is. */

let endpoint: Endpoint;
let host = "";
let room = "";
beforeAll(async () => {
  const port = await freePort();
  host = `127.0.0.1:${port}`;
  endpoint = await startEndpoint({
    args: ["--port", `${port}`, "--public-url", `http://${host}`, "--token-page", "on"],
  });
  const entrance = await fetch(`http://${host}/room`, { redirect: "manual" });
  room = String(entrance.headers.get("location"));
});
afterAll(() => endpoint.close());

/** What comes back until the endpoint closes the connection. */
function answerTo(bytes: string | Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(endpoint.port, "127.0.0.1");
    let said = "";
    socket
      .setEncoding("latin1")
      .on("data", (text) => {
        said += text;
      })
      .on("error", () => {})
      .on("close", () => resolve(said));
    socket.write(bytes);
  });
}

const request = (line: string, headers: Record<string, string | undefined> = {}, body = "") =>
  [
    line,
    ...Object.entries({ Host: host, Connection: "close", ...headers })
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name}: ${value}`),
    "",
    body,
  ].join("\r\n");

const UPGRADE = {
  Upgrade: "websocket",
  Connection: "Upgrade",
  "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
  "Sec-WebSocket-Version": "13",
};
const FORM = { Origin: "", "Content-Type": "application/x-www-form-urlencoded" };
const CHUNKED = { ...FORM, "Transfer-Encoding": "chunked" };

const pathsOf = (route: string) => [
  `/${route}`,
  `${route}//`,
  `${route}%00`,
  `${route}%E0%A4%A`,
  `${route}?token=%`,
  `${route}\\..\\x`,
  `http://evil.example${route}`,
  `http://[${route}`,
  "http://",
  `//[${route}`,
];

const bytesFor = (route: string): string[] => {
  const origin = `http://${host}`;
  const post = (headers: Record<string, string | undefined>, body = "") =>
    request(`POST ${route} HTTP/1.1`, { ...headers, Origin: origin }, body);
  return [
    ...pathsOf(route).flatMap((path) => [
      request(`GET ${path} HTTP/1.1`),
      request(`GET ${path} HTTP/1.1`, UPGRADE),
      request(`POST ${path} HTTP/1.1`, { ...FORM, Origin: origin, "Content-Length": "7" }, "token=x"),
    ]),
    ...["CONNECT", "TRACE", "OPTIONS", "PROPFIND"].map((method) => request(`${method} ${route} HTTP/1.1`)),
    ...["", "evil.example", "[::1", "%", `${host}@evil`].flatMap((name) => [
      request(`GET ${route} HTTP/1.1`, { Host: name }),
      request(`GET ${route} HTTP/1.1`, { ...UPGRADE, Host: name }),
    ]),
    request(`GET ${route} HTTP/1.0`, { Host: undefined }),
    request(`GET ${route} HTTP/1.1`, { Expect: "100-continue", ...UPGRADE }),
    request(`GET ${route} HTTP/1.1`, { ...UPGRADE, "Sec-WebSocket-Key": "x" }, "\x81\xff".repeat(100)),
    request(`GET ${route} HTTP/1.1`, { Cookie: "towow_browser_%E0=%E0%A4%A; =;; towow_browser_aaaaaaaaaaaa=%" }),
    post({ ...FORM, Expect: "200-ok", "Content-Length": "0" }),
    post({ "Content-Type": "multipart/form-data", "Content-Length": "3" }, "abc"),
    post({ "Content-Type": "multipart/form-data; boundary=", "Content-Length": "3" }, "abc"),
    post({ ...FORM, "Content-Length": "20" }, "token=%E0%A4%A&a[]=%0"),
    post(CHUNKED, "zz\r\n\r\n"),
    post(CHUNKED, `${"f".repeat(17)}\r\nx`),
    post(CHUNKED, `1;${"a".repeat(50_000)}\r\nx\r\n0\r\n\r\n`),
    post({ ...CHUNKED, "Content-Length": "4" }, "0\r\n\r\n"),
    post({ ...CHUNKED, "Transfer-Encoding": "chunked, gzip" }, "0\r\n\r\n"),
  ];
};

it("no bytes of somebody without a token end the endpoint, fail in it, or show how it is made", async () => {
  const routes = [
    "/",
    "/mcp",
    "/metrics",
    "/token",
    "/.well-known/oauth-protected-resource/mcp",
    "/register",
    "/oauth/token",
    "/oauth/revoke",
    "/authorize",
    "/authorize/x",
    "/approve/x",
    "/browsers",
    "/room",
    "/agent/ws",
    room,
    `${room}/act`,
  ];
  const flood = ["GET / HTTP/1.1", ...Array.from({ length: 5_000 }, (_, index) => `X-${index}: y`), "", ""].join(
    "\r\n",
  );
  const all: (string | Buffer)[] = [
    ...routes.flatMap(bytesFor),
    flood,
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "GET / HTTP/1.1\r\nHost : x\r\n\r\n",
    Buffer.from([0x16, 0x03, 0x01, 0x00, 0xc8, 0x01, 0x00, 0x00]),
  ];
  const failed: string[] = [];
  await Promise.all(
    Array.from({ length: 16 }, async (_, worker) => {
      for (let at = worker; at < all.length; at += 16) {
        const said = await answerTo(all[at]!);
        if (/^HTTP\/1\.1 5\d\d |node:|\.js:\d/m.test(said)) failed.push(`${String(all[at]).slice(0, 200)}\n→ ${said}`);
      }
    }),
  );
  expect(failed).toEqual([]);
  expect(endpoint.strayLines()).toEqual([]);
  expect(
    endpoint
      .log()
      .split("\n")
      .filter((line) => /"level":(?:50|60)/.test(line)),
  ).toEqual([]);
  expect((await fetch(`http://${host}/healthz`)).status).toBe(200);
});
