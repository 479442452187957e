import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { alongside } from "../journeys/alongside.ts";
import { type Endpoint, type EndpointOptions, send, startEndpoint } from "../support/endpoint.ts";
import { freePort } from "../support/free-port.ts";
import { httpBrowser } from "../support/http-browser.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { soon } from "../support/soon.ts";

/** Signing in with a token that no client has used yet: the endpoint tries it at the backend, with one read. */

const INVENTED = "invented-0123456789-abcdefghij";

async function published(options: EndpointOptions = {}) {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const args = ["--port", `${port}`, "--public-url", origin, "--metrics", "on"];
  const endpoint = await startEndpoint({ ...options, args: [...args, ...(options.args ?? [])] });
  return { endpoint, port, origin };
}

let endpoint: Endpoint;
let port = 0;
let origin = "";
beforeAll(async () => {
  ({ endpoint, port, origin } = await published());
});
afterAll(() => endpoint.close());

const roomAt = async (at: string, from: number) =>
  `${at}${(await httpBrowser(from, at).ask(`${at}/room`)).headers.location}`;
const users = async () =>
  Number(/^towow_users (\d+)$/m.exec((await send(port, { method: "GET", path: "/metrics" })).text)?.[1]);

describe.each(["browsers", "room"])("on /%s", (page) => {
  const address = async () => (page === "room" ? roomAt(origin, port) : `${origin}/browsers`);

  it("a token that the backend has just issued signs its person in", async () => {
    const token = await endpoint.token();
    endpoint.mock.journal.length = 0;
    const hers = httpBrowser(port, origin);
    expect((await hers.ask(await address(), { token: ` ${token}\n` })).status).toBe(303);
    expect(new Set(endpoint.mock.journal.map(({ method, path }) => `${method} ${path}`))).toEqual(
      new Set(["GET /v1/api/scenes"]),
    );
    expect((await hers.ask(await address())).text).not.toContain('type="password"');
    expect(endpoint.log()).not.toContain(token);
  });

  it("an invented one signs nobody in, and leaves no trace", async () => {
    const before = await users();
    const theirs = httpBrowser(port, origin);
    const answer = await theirs.ask(await address(), { token: INVENTED });
    expect([answer.status, theirs.cookies.size]).toEqual([403, 0]);
    expect(answer.text).toContain("Unknown token");
    expect(await users()).toBe(before);
    const kept = join(endpoint.home, "users");
    expect(existsSync(kept) ? readdirSync(kept) : []).toEqual([]);
    expect(endpoint.log()).not.toContain(INVENTED);
  });
});

it("what can be nobody's token never reaches the backend", async () => {
  endpoint.mock.journal.length = 0;
  const answers = [
    "<your Towow token, as it is>",
    "$TOWOW_TOKEN_OF_THE_WHOLE_TEAM",
    `towow-home-${"x".repeat(43)}`,
    "令牌令牌令牌令牌令牌令牌令牌令牌令牌令牌令牌令牌",
  ];
  for (const token of answers)
    expect((await httpBrowser(port, origin).ask(`${origin}/browsers`, { token })).status).toBe(403);
  expect(endpoint.mock.journal).toEqual([]);
});

it("where the backend lists nothing, a token cannot be tried, and the page says so", async () => {
  const legacy = await published({ mock: { legacyRoutes: true } });
  onTestFinished(() => legacy.endpoint.close());
  const theirs = httpBrowser(legacy.port, legacy.origin);
  const answer = await theirs.ask(`${legacy.origin}/browsers`, { token: INVENTED });
  expect([answer.status, theirs.cookies.size]).toEqual([403, 0]);
  expect(answer.text).toContain("Use yours once in your client, then sign in here.");
});

it("where the backend does not answer, it is said, without its address", async () => {
  const alone = await published();
  onTestFinished(() => alone.endpoint.close());
  const token = await alone.endpoint.token();
  await alone.endpoint.mock.close();
  for (const page of [`${alone.origin}/browsers`, await roomAt(alone.origin, alone.port)]) {
    const answer = await httpBrowser(alone.port, alone.origin).ask(page, { token });
    expect([answer.status, answer.headers["retry-after"]]).toEqual([503, "10"]);
    expect(answer.text).toContain("could not be tried");
    expect(answer.text).not.toContain(new URL(alone.endpoint.mockUrl).host);
  }
}, 30_000);

it("strangers who try invented tokens have the bound of new tokens together: 200 reads in ten seconds", async () => {
  const clock = new ManualClock();
  const { endpoint, port, origin } = await published({ clock });
  onTestFinished(() => alongside(clock, endpoint.close()));
  let n = 0;
  const one = async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 8; i++)
      statuses.push(
        (await httpBrowser(port, origin).ask(`${origin}/browsers`, { token: `${INVENTED}-${++n}` })).status,
      );
    return statuses;
  };
  const tried = () => endpoint.mock.journal.filter(({ path }) => path === "/v1/api/scenes");
  const tries = Promise.all(Array.from({ length: 40 }, one));
  // No moment passes: 200 are read, and the others wait.
  await soon(() => tried().length).toBe(200);
  const statuses = (await alongside(clock, tries)).flat();
  expect(new Set(statuses)).toEqual(new Set([403, 503]));
  const from = tried()[0]?.at ?? 0;
  expect(tried().filter(({ at }) => at - from < 10_000)).toHaveLength(200);
}, 60_000);
