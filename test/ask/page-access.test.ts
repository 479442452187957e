import { describe, expect, it } from "vitest";
import { confirms } from "../support/backend.ts";
import { fetched, LONG, openPage, send, visit } from "./page-support.ts";

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

  it("a second browser does not get in", async () => {
    const { world, url } = await openPage();
    await send(url);
    const second = await send(url);
    expect(second.status).toBe(403);
    expect(second.body).toContain("another browser");
    expect((await send(url, { decision: "accept" }, { cookie: "towow_visit=guess" })).status).toBe(403);
    expect(confirms(world.mock)).toHaveLength(0);
  });
});
