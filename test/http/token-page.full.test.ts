import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { MockBackend } from "../../mock-backend/main.ts";
import { alongside } from "../journeys/alongside.ts";
import { requests } from "../support/backend.ts";
import { cli } from "../support/cli.ts";
import { type Endpoint, type EndpointOptions, send, startEndpoint } from "../support/endpoint.ts";
import { httpBrowser } from "../support/http-browser.ts";
import { ManualClock } from "../support/manual-clock.ts";

/** "New here?": a visitor of the front page gets a token there. */

const TOKEN = /id="token"[^>]*>([^<]+)</;
const FORM = '<form method="post" action="/token">';

async function serving(options: EndpointOptions = {}) {
  const endpoint = await startEndpoint(options);
  onTestFinished(() => endpoint.close());
  return endpoint;
}
function visitor({ port }: Endpoint, origin = `http://127.0.0.1:${port}`) {
  const browser = httpBrowser(port, origin);
  return {
    front: (lang = "en") => browser.ask(`${origin}/`, undefined, { Accept: "text/html", "Accept-Language": lang }),
    asks: (headers: Record<string, string> = {}) => browser.ask(`${origin}/token`, {}, headers),
    browser,
    origin,
  };
}
const mints = (mock: MockBackend) => requests(mock, "POST", /mcp-token$/);

describe("an endpoint for this machine", () => {
  let endpoint: Endpoint;
  beforeAll(async () => {
    endpoint = await startEndpoint({ args: ["--metrics", "on"] });
  });
  afterAll(() => endpoint.close());

  it("has the form, in both languages, and shows a token of a new person once: in no address, log or metric", async () => {
    const ada = visitor(endpoint);
    const front = await ada.front();
    expect(front.text).toContain("New here?");
    expect(front.text).toContain(FORM);
    expect(front.headers["content-security-policy"]).toContain("form-action 'self'");
    expect((await ada.front("zh-CN")).text).toContain("第一次来？");
    const page = await ada.asks();
    expect([page.status, page.headers["cache-control"], page.headers.location]).toEqual([200, "no-store", undefined]);
    const token = TOKEN.exec(page.text)?.[1] ?? "";
    expect(token).toMatch(/^towow_[\w-]{32}$/);
    expect(page.text).toMatch(/Valid until <time datetime="[^"]+">\d{4}-\d\d-\d\d \d\d:\d\d UTC<\/time>\./);
    // The address is enough, and the token is for a client that cannot sign in.
    expect(page.text).toContain(`${endpoint.url}\nclaude mcp login towow`);
    expect(page.text).toContain(`Authorization: Bearer ${token}`);
    const { status } = await fetch(`${endpoint.mockUrl}/v1/api/scenes`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(status).toBe(200);
    expect(endpoint.mock.journal.at(-1)?.userId).toMatch(/^[\w-]{36}$/);
    // Once more is another one; the address alone leads back.
    expect((await ada.asks()).text).not.toContain(token);
    const alone = await ada.browser.ask(`${ada.origin}/token`);
    expect([alone.status, alone.headers.location]).toEqual([303, "/"]);
    expect(endpoint.log() + endpoint.out()).not.toContain(token);
    const metrics = (await send(endpoint.port, { method: "GET", path: "/metrics" })).text;
    expect(metrics).not.toContain(token);
    expect(metrics).toContain('towow_http_requests_total{route="/token",status="200"}');
  });

  it("another site, another name and a look ahead get none, and the backend is not asked", async () => {
    const before = mints(endpoint.mock).length;
    const ada = visitor(endpoint);
    for (const headers of [
      { Origin: "https://evil.example" },
      { Origin: "null" },
      { "Sec-Fetch-Site": "same-site" },
      { "Sec-Fetch-Site": "cross-site" },
      { Host: "evil.example" },
    ]) {
      const { status, text } = await ada.asks(headers);
      expect([status, TOKEN.test(text)]).toEqual([403, false]);
    }
    expect((await ada.asks({ "Sec-Purpose": "prefetch" })).status).toBe(503);
    expect(mints(endpoint.mock)).toHaveLength(before);
  });
});

it("all visitors together get ten in ten seconds; the others are asked to wait", async () => {
  const clock = new ManualClock();
  const endpoint = await startEndpoint({ clock });
  onTestFinished(() => alongside(clock, endpoint.close()));
  const answers = await Promise.all(Array.from({ length: 40 }, () => visitor(endpoint).asks()));
  const refused = answers.filter(({ status }) => status === 429);
  expect(answers.filter(({ text }) => TOKEN.test(text)).length).toBe(mints(endpoint.mock).length);
  expect([mints(endpoint.mock).length, refused.length]).toEqual([10, 30]);
  expect(refused[0]?.headers["retry-after"]).toBe("10");
  expect(refused[0]?.text).toContain("Many people are asking for one.");
});

it.each([
  ["with a public address, unless the operator says on", ["--public-url", "https://mcp.example"], {}, false],
  ["with a public address and on", ["--public-url", "https://mcp.example", "--token-page", "on"], {}, true],
  [
    "with a public address and on in the environment",
    ["--public-url", "https://mcp.example"],
    { TOWOW_TOKEN_PAGE: "on" },
    true,
  ],
  ["turned off", ["--token-page", "off"], {}, false],
  ["under dry_run", ["--profile", "dry_run"], {}, false],
] as const)("%s", async (_, args, env, isOffered) => {
  const endpoint = await serving({ args: [...args], env });
  const ada = visitor(endpoint, args.includes("https://mcp.example" as never) ? "https://mcp.example" : undefined);
  const { text, headers } = await ada.front();
  expect([text.includes(FORM), text.includes("Get a token")]).toEqual([isOffered, isOffered]);
  if (!isOffered) expect(text).toContain("Ask the operator for a token.");
  expect(headers["content-security-policy"]).toContain(`form-action '${isOffered ? "self" : "none"}'`);
  const answer = await ada.asks();
  expect([answer.status, TOKEN.test(answer.text)]).toEqual([isOffered ? 200 : 404, isOffered]);
  expect(mints(endpoint.mock)).toHaveLength(isOffered ? 1 : 0);
});

it("a backend without the route: no form, and whom to ask", async () => {
  const endpoint = await serving({ mock: { legacyRoutes: true } });
  const ada = visitor(endpoint);
  const { text } = await ada.front();
  expect([text.includes(FORM), text.includes("Ask the operator for a token.")]).toEqual([false, true]);
  const answer = await ada.asks();
  expect([answer.status, answer.text.includes("gives out no tokens")]).toEqual([404, true]);
  expect(mints(endpoint.mock)).toEqual([]);
});

it("a backend that does not answer: a sentence, without its address", async () => {
  const endpoint = await serving();
  await endpoint.mock.close();
  const ada = visitor(endpoint);
  expect((await ada.front()).status).toBe(200);
  const answer = await ada.asks();
  expect([answer.status, answer.text.includes("The network did not issue one.")]).toEqual([503, true]);
  expect(answer.text).not.toContain(new URL(endpoint.mockUrl).host);
});

it("a token that a shell would take for more than a word is one word in the command", async () => {
  const server = createServer((request, response) => {
    response.statusCode = request.method === "POST" ? 200 : 405;
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ user_id: "u-new", api_token: `a"'$(id)<b>`, expires_at: null }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const endpoint = await serving({ args: ["--sign-in", "off"], backend: { mock: undefined as never, url } });
  const { text } = await visitor(endpoint).asks();
  const shown = text.replaceAll("&#39;", "'").replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">");
  expect(shown).toContain(`--header 'Authorization: Bearer a"'\\''$(id)<b>'`);
  expect(text).not.toContain("$(id)<b>");
  expect(text).toContain("The network did not say how long it is valid.");
});

it("on without an address at which people have pages is refused", async () => {
  const args = ["serve", "--host", "0.0.0.0", "--allowed-hosts", "mcp.example", "--token-page", "on", "--port", "0"];
  const { status, stderr } = await cli(args, {
    env: { TOWOW_BACKEND_URL: "http://127.0.0.1:9", HOME: "/nonexistent" },
  });
  expect([status, stderr]).toEqual([1, expect.stringContaining("--public-url")]);
});
