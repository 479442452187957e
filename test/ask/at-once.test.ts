import { describe, expect, it } from "vitest";
import { turn } from "../support/soon.ts";
import { LONG, openPage, send } from "./page-support.ts";

/** What is bounded one after the other is bounded at once. */

/** Long enough for the others' requests to come. */
const turns = async () => {
  for (let n = 0; n < 50; n++) await turn();
};

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
    expect(pages.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 403, 403]);
    expect(pages.find(({ status }) => status === 200)?.body).toContain("hospital software");
  });
});
