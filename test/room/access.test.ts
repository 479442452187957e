import { describe, expect, it } from "vitest";
import { openPause } from "../e2e/call-support.ts";
import { cli } from "../support/cli.ts";
import { openedRoom, raw } from "../support/open-room.ts";

const FORM = { "content-type": "application/x-www-form-urlencoded" };

async function visited() {
  const opened = await openedRoom();
  const { address, origin } = opened;
  const entered = await raw(address);
  const cookie = entered.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
  const room = `${origin}${entered.headers.location}`;
  const act = (body: string, headers: Record<string, string> = {}) =>
    raw(`${room}/act`, { method: "POST", headers: { ...FORM, cookie, origin, ...headers }, body });
  return { ...opened, entered, cookie, room, act };
}

describe("who comes into a room", () => {
  it("an address opens it once, in one browser, and its key stays in no address", async () => {
    const { address, entered, cookie, room } = await visited();
    expect(entered.status).toBe(303);
    // Every server of this host gets the cookies of its path: nobody else's has this one.
    expect(entered.headers.location).toMatch(/^\/room\/[\w-]{21}$/);
    expect(entered.headers["set-cookie"]?.[0]).toContain(
      `; Path=${entered.headers.location}; HttpOnly; SameSite=Strict`,
    );
    const page = await raw(room, { headers: { cookie } });
    expect(page.status).toBe(200);
    expect(page.body).toContain("Who should hear you?");
    expect(page.body).not.toContain(address.split("/").at(-1));
    for (const path of ["/anything", "/plan.md"]) {
      const missing = await raw(`${room}${path}`, { headers: { cookie } });
      expect(missing.status).toBe(404);
      expect(missing.body).toContain(`href="${entered.headers.location}">Open your room</a>`);
      expect(missing.body).not.toContain("closed");
    }
    const again = await raw(address);
    expect(again.status).toBe(403);
    expect(again.headers["set-cookie"]).toBeUndefined();
    expect(again.body).toContain("towow-mcp open");
  });

  it.each<[string, { method?: string; headers?: Record<string, string> }, number]>([
    ["a prefetch", { headers: { "sec-purpose": "prefetch" } }, 503],
    ["a prerender", { headers: { "sec-purpose": "prefetch;prerender", "sec-fetch-site": "none" } }, 503],
    ["a prefetch of an older browser", { headers: { purpose: "prefetch" } }, 503],
    ["a prefetch of an older Firefox", { headers: { "x-moz": "prefetch" } }, 503],
    ["a preview", { headers: { "x-purpose": "preview" } }, 503],
    ["a HEAD", { method: "HEAD" }, 405],
  ])("%s uses no address up", async (_, request, status) => {
    const { address } = await openedRoom();
    const ahead = await raw(address, request);
    expect([ahead.status, ahead.headers["set-cookie"]]).toEqual([status, undefined]);
    expect((await raw(address)).status).toBe(303);
  });

  it("nobody without its cookie reads, hears or does anything", async () => {
    const { origin, room, cookie: own, act } = await visited();
    for (const path of ["", "/events", "/plan.md", "/report.html", "/anything"])
      expect((await raw(`${room}${path}`)).status, path).toBe(403);
    for (const path of ["/", "/room", "/room/", "/room/events"])
      expect((await raw(`${origin}${path}`, { headers: { cookie: own } })).status, path).toBe(403);
    for (const cookie of ["", "towow_visit=", "towow_visit=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"])
      expect((await act("do=setLanguage%3Flang%3Dzh", { cookie })).status).toBe(403);
    expect((await raw(`${room}/enter/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA`)).status).toBe(403);
  });

  it("no other site's form, script, frame or name of this machine", async () => {
    const { cookie, room, act } = await visited();
    const language = "do=setLanguage%3Flang%3Dzh";
    expect((await act(language, { origin: "https://evil.example" })).status).toBe(403);
    expect((await act(language, { origin: "null" })).status).toBe(403);
    expect((await raw(`${room}/act`, { method: "POST", headers: { ...FORM, cookie }, body: language })).status).toBe(
      403,
    );
    const fetched = { cookie, "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" };
    expect((await raw(room, { headers: fetched })).status).toBe(403);
    const framed = { cookie, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" };
    expect((await raw(room, { headers: framed })).status).toBe(403);
    expect((await raw(room, { headers: { cookie, host: "rebound.example" } })).status).toBe(403);
    expect((await raw(room, { headers: { cookie } })).body).toContain("Who should hear you?"); // still English
    const policy = (await raw(room, { headers: { cookie } })).headers;
    expect(policy["content-security-policy"]).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    expect(policy["cache-control"]).toBe("no-store");
  });

  it("whatever is posted: nothing but what is on the screen is done", async () => {
    const { act, mock, said } = await visited();
    const posts = [
      "do=broadcast%3FquestionId%3Dq%26textHash%3Dh",
      "do=next",
      "do=__proto__",
      "do=constructor%3Fx%3D1",
      `do=${"x".repeat(10_000)}`,
      "f.__proto__=1&f.text=2&f.intent=3&do=next",
      "do=setField%3FfieldId%3Dconstructor%26value%3Dx",
      "do=openDemand%3FitemId%3Dneg_5b8cf8d6ab84",
      "do[]=next&do[a]=b",
      "",
    ];
    for (const post of posts) expect([200, 303], post).toContain((await act(post)).status);
    expect((await act("do=next", { "content-type": "text/plain" })).status).toBeLessThan(500);
    expect((await act(`f.sceneQuery=${"x".repeat(3_000_000)}`)).status).toBe(413);
    expect(mock.negotiations()).toHaveLength(0);
    expect(said()).not.toMatch(/Error|at .*\.js/);
  });

  it("refuses a port that is none, and one that is taken, in a sentence", async () => {
    const { env, origin } = await openedRoom();
    const bad = await cli(["open", "--no-open", "--port", "x"], { env });
    expect([bad.status, bad.stderr]).toEqual([1, expect.not.stringContaining("    at ")]);
    const taken = await cli(["open", "--port", new URL(origin).port], { env });
    expect(taken.status).toBe(1);
    expect(taken.stderr).toContain("towow-mcp open --port 0 takes any free one");
    expect(taken.stderr).not.toContain("    at ");
  });

  it("no script gets its address: into a pipe it writes none, and ends: tool.policy.blocked.terminal_needed", async () => {
    const { env } = await openedRoom();
    const { status, stdout, stderr } = await cli(["open", "--no-open"], { env });
    expect(status).toBe(2);
    expect(stdout + stderr).not.toMatch(/https?:|\/enter\//);
    expect(stderr).toContain("Run towow-mcp open in a terminal.\n(tool.policy.blocked.terminal_needed)");
    expect(stderr).not.toContain("browser");
  });

  it("without a terminal and a browser it ends while a demand waits, and leaves that waiting", async () => {
    const { env, id, mock } = await openPause();
    for (const words of [["open"], ["open", id]]) {
      const { status, stderr } = await cli(words, { env });
      expect(status).toBe(2);
      expect(stderr).toContain("No browser could be opened");
      expect(stderr).toContain(`Run towow-mcp ${words.join(" ")} in a terminal.`);
    }
    expect(mock.negotiations()).toMatchObject([{ confirmCount: 0, cancelled: false }]);
  }, 20_000);

  it("without a backend it says how to name one", async () => {
    const { home } = await openedRoom();
    const { status, stderr } = await cli(["open", "--no-open"], { env: { HOME: home, TOWOW_HOME: `${home}/none` } });
    expect(status).toBe(1);
    expect(stderr).toContain("backend");
  });
});
