import { expect, it } from "vitest";
import { cli } from "../support/cli.ts";
import { openedRoom, toSheet, windowOn } from "../support/open-room.ts";
import { inChromium } from "../support/room-browser.ts";

inChromium("a result that is worth a second look, in the person's browser", (browser) => {
  it.each([
    ["en", "It is fine"],
    ["zh", "有疑虑"],
  ] as const)("is answered there, and waits nowhere else: %s", async (lang, label) => {
    const { mock, address, env } = await openedRoom({}, { TOWOW_LANG: lang });
    mock.engine.offerWith(() => "exit");
    const { page, complaints } = await windowOn(browser(), address);
    await toSheet(page, { sceneId: mock.sceneId, lang });
    await page.locator("button[value^=broadcast]").click();
    await page.locator(".review li").first().waitFor();
    const waiting = async () => JSON.parse((await cli(["reviews", "--json"], { env })).stdout).reviews.length;
    expect(await waiting()).toBe(1);
    await page.locator(".review button", { hasText: label }).click();
    await page.locator(".review").waitFor({ state: "detached" });
    expect(await waiting()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
