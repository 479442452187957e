import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { cancels, confirms } from "../support/backend.ts";
import { openedRoom, ownWindowOn, toSheet, windowOn } from "../support/open-room.ts";
import { inChromium } from "../support/room-browser.ts";

const heading = (page: Page) => page.locator("h1").textContent();
const LOOKED_AT =
  "Object.defineProperty(document, 'hidden', { configurable: true, get: () => globalThis.isAway === true })";
/** What a browser says of a tab that its person leaves, or comes back to. */
const setAway = (page: Page, isAway: boolean) =>
  page.evaluate(`globalThis.isAway = ${isAway}; document.dispatchEvent(new Event("visibilitychange"))`);

// A browser opens six connections to one origin.
inChromium("more pages than a browser has connections", (browser) => {
  it("pages that nobody looks at hold none: the next one loads, decides, and they show it when looked at", async () => {
    const { mock, address } = await openedRoom();
    const { page, context } = await ownWindowOn(browser(), address);
    await context.addInitScript(LOOKED_AT);
    await toSheet(page, { sceneId: mock.sceneId });
    const others: Page[] = [];
    for (let i = 0; i < 6; i++) {
      const other = await context.newPage();
      await other.goto(page.url());
      await setAway(other, true);
      others.push(other);
    }
    await page.locator("button[value^=setLanguage]").click();
    await expect.poll(() => heading(page)).toBe("要广播这段文本吗？");
    await expect.poll(() => heading(others[0] as Page)).toBe("要广播这段文本吗？");
    await page.locator("button[value^=broadcast]:enabled").click();
    await page.locator(".plan").waitFor();
    await setAway(others[0] as Page, false);
    await others[0]?.locator(".plan").waitFor();
    // Those whose demand is over hold none either, looked at or not, and show what comes of it.
    for (const other of others) await setAway(other, false);
    const last = await context.newPage();
    await last.goto(page.url());
    await last.locator("button[value^=setLanguage]").click();
    await expect.poll(() => heading(last)).toBe("The plan");
    await expect.poll(() => heading(page)).toBe("The plan");
  });

  it("a yes that could not leave the browser is overtaken by a withdrawal, and never sent later", async () => {
    const { mock, address } = await openedRoom();
    const { page } = await windowOn(browser(), address);
    await toSheet(page, { sceneId: mock.sceneId });
    let held = 0;
    await page.route("**/act", async (route) => {
      const isYes = route.request().postData()?.includes("do=broadcast") === true;
      if (isYes)
        held += 1; // it finds no free connection
      else await route.continue();
    });
    await page.locator("button[value^=broadcast]:enabled").click();
    await expect.poll(() => held).toBe(1);
    await page.locator("button[value^=withdraw]:enabled").click();
    await expect.poll(() => heading(page)).toBe("Withdrawn");
    expect([confirms(mock).length, cancels(mock).length, held]).toEqual([0, 1, 1]);
  });
});
