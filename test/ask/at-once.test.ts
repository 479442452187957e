import { nanoid } from "nanoid";
import { describe, expect, it } from "vitest";
import { createApprovalPages } from "../../src/ask/page/approval-pages.ts";
import { createHostedSite } from "../../src/ask/page/hosted-site.ts";
import type { PageSignIn } from "../../src/ask/page/open-page.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { browsersOf } from "../support/pages.ts";
import { LONG, openPage, send } from "./page-support.ts";

/** What is bounded one after the other is bounded at once. */

const turns = () => new Promise((resolve) => setTimeout(resolve, 50));

describe("windows of one page", () => {
  it("that are asked for at once are one window, and are bounded all the same", async () => {
    const windows: string[] = [];
    const { url, forResult } = await openPage(LONG, "en", {
      openWindow: async (page) => {
        windows.push(page);
        await turns();
        return true;
      },
    });
    for (let round = 0; round < 8; round++) {
      const pages = await Promise.all(Array.from({ length: 12 }, (_, n) => send(n % 2 ? url : forResult)));
      for (const { body } of pages) expect(body).not.toMatch(/hospital software|confirmation_id/);
      if (round === 0) expect(pages.map(({ status }) => status)).toEqual(pages.map(() => 200));
    }
    expect(windows).toHaveLength(5);
  });

  it("one that cannot be opened counts for nothing: the address is the page's, for the first that comes", async () => {
    const { url } = await openPage(LONG, "en", {
      openWindow: async () => {
        await turns();
        return false;
      },
    });
    const pages = await Promise.all([send(url), send(url), send(url)]);
    expect(pages.map(({ status }) => status).sort()).toEqual([200, 403, 403]);
    expect(pages.find(({ status }) => status === 200)?.body).toContain("hospital software");
  });
});

it("wrong tokens that come at once to one page lock it as those one after the other do", async () => {
  const clock = new ManualClock();
  const publicUrl = new URL("https://towow.example");
  const browsers = browsersOf({ clock });
  const site = createHostedSite({
    clock,
    newId: nanoid,
    publicUrl,
    replica: "a",
    ownerOf: async () => undefined,
    signIn: async () => "unknown",
  });
  const signIn: PageSignIn = {
    isToken: (token) => token === "right",
    enter: (...browser) => browsers.signIn(...browser),
  };
  const pages = createApprovalPages({
    site,
    openRoom: () => Promise.reject(new Error("nobody comes in")),
    owner: { id: "ada", isStrict: () => false, browsers, signIn },
  });
  const { forClient } = await pages.open({ negotiationId: "neg_1", lang: "en" });
  const tried = async (token: string) =>
    (
      await site.apps["/approve/a"]!.fetch(
        new Request(forClient, {
          method: "POST",
          headers: { host: publicUrl.host, origin: publicUrl.origin },
          body: new URLSearchParams({ token }),
        }),
      )
    ).status;
  const tokens = [...Array.from({ length: 10 }, (_, n) => `guess-${n}`), "right"];
  expect(await Promise.all(tokens.map(tried))).toEqual(tokens.map(() => 403));
  expect((await browsers.list()).length).toBe(0);
});
