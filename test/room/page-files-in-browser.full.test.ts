import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { openedRoom } from "../support/open-room.ts";
import { inChromium } from "../support/room-browser.ts";
import { ownWindow } from "../support/windows.ts";

/** What each of the room's files cost on the network, in bytes, and how long it is once it is unpacked; in the order of their ends. */
async function costsOf(page: Page) {
  const network = await page.context().newCDPSession(page);
  const lengths = new Map<string, number>();
  const costs: { file: string; onNetwork: number; length: number }[] = [];
  const files = new Map<string, string>();
  network.on("Network.responseReceived", ({ requestId, response }) => {
    const [, file] = /\/room\.\w+\.(js|css)$/.exec(response.url) ?? [];
    if (file !== undefined) files.set(requestId, file);
  });
  network.on("Network.dataReceived", ({ requestId, dataLength }) =>
    lengths.set(requestId, (lengths.get(requestId) ?? 0) + dataLength),
  );
  network.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const file = files.get(requestId);
    if (file !== undefined) costs.push({ file, onNetwork: encodedDataLength, length: lengths.get(requestId) ?? 0 });
  });
  await network.send("Network.enable");
  return costs;
}

inChromium("script and styles in a browser", (browser) => {
  it("come compressed, and once", async () => {
    const { address } = await openedRoom();
    const { page } = await ownWindow(browser()); // one that is handed on may have them from the same port
    const costs = await costsOf(page);
    await page.goto(address);
    await page.locator(".items li").first().waitFor();
    await expect.poll(() => costs.map(({ file }) => file)).toHaveLength(2);
    expect(new Set(costs.map(({ file }) => file))).toEqual(new Set(["css", "js"]));
    for (const { onNetwork, length } of costs) {
      expect(onNetwork).toBeGreaterThan(0);
      expect(onNetwork).toBeLessThan(length / 2);
    }
    costs.length = 0;
    await page.reload();
    await page.locator(".items li").first().waitFor();
    await expect.poll(() => costs.length).toBe(2);
    expect(costs).toMatchObject([{ onNetwork: 0 }, { onNetwork: 0 }]);
  });
});
