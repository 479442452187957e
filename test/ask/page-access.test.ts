import { describe, expect, it } from "vitest";
import { confirms } from "../support/backend.ts";
import { comeTo, fetched, LONG, openPage, send, visit } from "./page-support.ts";

describe("who gets into the approval page", () => {
  it.each([
    ["a guessed address", (url: string) => send(url.replace(/[^/]+$/, "guess")), 410],
    ["another Host (DNS rebinding)", (url: string) => send(url, undefined, { host: "evil.example" }), 403],
    [
      "a form of another site",
      (url: string) => send(url, { decision: "accept" }, { origin: "http://evil.example" }),
      403,
    ],
    ["a script of another site", (url: string) => send(url, undefined, fetched("no-cors", "script")), 403],
    ["a frame of another site", (url: string) => send(url, undefined, fetched("navigate", "iframe")), 403],
    ["another site without more", (url: string) => send(url, undefined, { "sec-fetch-site": "cross-site" }), 403],
    [
      "a form of another site that hides where it is from",
      (url: string) => send(url, { decision: "accept" }, fetched("navigate", "document")),
      403,
    ],
    ["a post by somebody who never opened it", (url: string) => send(url, { decision: "accept" }), 403],
    ["a button by somebody who never opened it", (url: string) => send(`${url}/act`, { do: "withdraw" }), 403],
    ["what is below it, for somebody who never opened it", (url: string) => send(`${url}/events`), 403],
    [
      "a button of another site",
      (url: string) => send(`${url}/act`, { do: "withdraw" }, { origin: "http://evil.example" }),
      403,
    ],
    [
      "a megabyte by somebody who never opened it",
      (url: string) => send(url, { decision: "accept", text: "x".repeat(1_000_000) }),
      403,
    ],
  ])("refuses %s", async (_, attempt, status) => {
    const { world, url } = await openPage();
    expect((await attempt(url)).status).toBe(status);
    expect(confirms(world.mock)).toHaveLength(0);
  });

  it("a browser that loads ahead does not open it: who comes then does", async () => {
    const { world, url } = await openPage();
    const ahead = await send(url, undefined, { "sec-purpose": "prefetch" });
    expect([ahead.status, ahead.cookie]).toEqual([503, undefined]);
    const fill = await visit(url);
    expect((await fill({ decision: "accept" })).status).toBe(200);
    expect(confirms(world.mock)).toHaveLength(1);
  });

  it("a link of another site opens it in a window of its own: a redirect file is one", async () => {
    const { url } = await openPage();
    expect((await send(url, undefined, fetched("navigate", "document"))).status).toBe(200);
  });

  it("its address alone, which others may see, only makes it open in this person's own browser", async () => {
    const windows: string[] = [];
    const { world, url } = await openPage(LONG, "en", { openWindow: async (page) => windows.push(page) > 0 });
    const seen = await send(url);
    expect(seen.status).toBe(200);
    expect(seen.body).toContain("another browser window");
    expect(seen.body).toContain(`towow-mcp confirm ${world.mock.negotiations()[0]?.negotiation_id}`);
    expect(seen.body).not.toMatch(/hospital software|confirmation_id|\/approve\//);
    expect(seen.cookie).toBeUndefined();
    expect((await send(url, { decision: "accept" })).status).toBe(403);
    expect(windows).toHaveLength(1);
    expect(windows[0]).not.toBe(url);
    for (let n = 0; n < 9; n++) await send(url);
    expect(windows).toHaveLength(5); // a desktop is not to be flooded
    const fill = await visit(windows[0]!);
    expect((await send(url)).status).toBe(403); // it is open there
    expect((await fill({ decision: "accept" })).status).toBe(200);
    expect(confirms(world.mock)).toHaveLength(1);
  });

  it("where no more windows are opened, that is no other way to the page; ten minutes later they are", async () => {
    const { pages, url, forResult, world } = await openPage(LONG, "en", { openWindow: async () => true });
    for (let n = 0; n < 8; n++) expect(await pages.openWindow(forResult)).toBe(true);
    expect(await pages.openWindow(forResult)).toBe(false);
    expect((await send(url)).status).toBe(403);
    expect((await send(url, { decision: "accept" })).status).toBe(403);
    expect(confirms(world.mock)).toHaveLength(0);
    await world.clock.advance(10 * 60_000);
    expect(await pages.openWindow(forResult)).toBe(true);
  });

  it("the browser that has opened it is let in by each of its addresses", async () => {
    const windows: string[] = [];
    const openWindow = async (page: string) => windows.push(page) > 0;
    const { world, url, forResult } = await openPage(LONG, "en", { openWindow });
    await send(url);
    const fill = await visit(windows[0]!);
    const own = { cookie: fill.cookie };
    for (const address of [url, forResult, windows[0]!]) {
      const page = await send(address, undefined, own);
      expect([page.status, page.body.includes("hospital software")]).toEqual([200, true]);
      const other = await send(address);
      expect([other.status, other.body.includes("hospital software")]).toEqual([403, false]);
    }
    expect(windows).toHaveLength(1);
    expect((await (await visit(url, own))({ decision: "accept" })).status).toBe(200);
    expect(confirms(world.mock)).toHaveLength(1);
  });

  it("the cookie of one page opens no other", async () => {
    const { url, pages, negotiationId } = await openPage();
    const { cookie } = await visit(url);
    const { forClient: other } = await pages.open({ negotiationId, lang: "en" });
    await visit(other);
    expect(new URL(other).pathname.split("/")[2]).not.toBe(new URL(url).pathname.split("/")[2]);
    expect((await send(other, undefined, { cookie })).status).toBe(403);
  });

  it("a page that waits to be let in asks for itself, and opens no window by it", async () => {
    const windows: string[] = [];
    const { url, forResult } = await openPage(LONG, "en", { openWindow: async (page) => windows.push(page) < 0 });
    expect((await comeTo(forResult)).body).toContain('id="code"');
    const before = windows.length;
    const asked = { "sec-fetch-dest": "empty", "sec-fetch-mode": "cors", "sec-fetch-site": "same-origin" };
    expect((await send(forResult, undefined, asked)).status).toBe(403);
    expect((await send(url, undefined, asked)).status).toBe(403); // nor does it take what opens once
    expect(windows).toHaveLength(before);
    expect(before).toBeGreaterThan(0);
  });

  it("a page whose code has expired while it asks for itself gets no new one that nobody sees", async () => {
    const { pages, forResult, world } = await openPage();
    const page = await comeTo(forResult);
    const asked = { "sec-fetch-dest": "empty", "sec-fetch-mode": "cors", "sec-fetch-site": "same-origin" };
    const headers = { ...asked, cookie: `towow_keeps_cookies=1; ${page.cookie}` };
    const codeIn = ({ body }: { body: string }) => /data-code="([^"]+)"/.exec(body)?.[1];
    expect(codeIn(await send(forResult, undefined, headers))).toBe(codeIn(page));
    await world.clock.advance(10 * 60_000);
    const over = await send(forResult, undefined, headers);
    expect([over.status, over.headers["set-cookie"], codeIn(over)]).toEqual([403, undefined, undefined]);
    expect(await pages.browsers.waiting()).toEqual([]);
  });

  it("a second browser does not get in before it has proved itself", async () => {
    const { world, url, pages } = await openPage();
    await send(url);
    const second = await comeTo(url);
    expect(second.status).toBe(403);
    expect(second.body).toContain("Open in another browser");
    expect(second.body).not.toContain("hospital software");
    expect((await send(url, { decision: "accept" }, { cookie: "towow_visit=guess" })).status).toBe(403);
    expect(confirms(world.mock)).toHaveLength(0);
    const [, code = ""] = /id="code" data-code="([^"]+)"/.exec(second.body) ?? [];
    await pages.browsers.letIn(code);
    expect((await send(url, undefined, { cookie: String(second.cookie) })).body).toContain("hospital software");
  });
});
