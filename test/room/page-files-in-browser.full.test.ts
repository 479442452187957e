import { expect, it } from "vitest";
import { openedRoom, windowOn } from "../support/open-room.ts";
import { inChromium } from "../support/room-browser.ts";

inChromium("script and styles in a browser", (browser) => {
  it("come compressed, and once", async () => {
    const { address } = await openedRoom();
    const { page } = await windowOn(browser(), address);
    await page.locator(".items li").first().waitFor();
    const loaded = () =>
      page.evaluate(`performance.getEntriesByType("resource").filter(({ name }) => /room\\.\\w+\\.(js|css)/.test(name))
        .map(({ transferSize, encodedBodySize, decodedBodySize }) => ({ transferSize, isPacked: encodedBodySize < decodedBodySize / 2 }))`);
    // The address leads on by a form of its own page: what that page loads comes later than `load` of the first.
    await expect.poll(loaded).toMatchObject([{ isPacked: true }, { isPacked: true }]);
    await page.reload();
    await page.locator(".items li").first().waitFor();
    await expect.poll(loaded).toEqual([
      { transferSize: 0, isPacked: true },
      { transferSize: 0, isPacked: true },
    ]);
  });
});
