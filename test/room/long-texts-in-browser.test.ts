import { expect, it } from "vitest";
import { openedRoom, windowOn } from "../support/open-room.ts";
import { inChromium, picture } from "../support/room-browser.ts";

const GO = ".act .go";

inChromium("texts that a field does not take", { timeout: 60_000 }, (browser) => {
  it("a demand that is too long stays whole where it was pasted, is said to be, and cannot be sent until it is shorter", async () => {
    const { mock, address } = await openedRoom();
    const { page } = await windowOn(browser(), address);
    await page.locator(`button[value="select?itemId=${mock.sceneId}"]`).click();
    await page.locator(`${GO}:enabled`).click();
    await page.locator("#f-display_name").fill("Lin");
    await page.locator(`${GO}:enabled`).click();
    await page.locator("#f-intent").focus();
    await page.keyboard.insertText("汉".repeat(20_005));
    await page.getByText("5 characters too long: 20,000 at most.").waitFor();
    expect((await page.locator("#f-intent").inputValue()).length).toBe(20_005);
    await picture(page, "too-long");
    for (let i = 0; i < 5; i++) {
      expect(await page.locator(GO).isDisabled()).toBe(true);
      await page.keyboard.press("Backspace");
    }
    await page.locator(`${GO}:enabled`).waitFor();
    expect(await page.getByText("too long").count()).toBe(0);
    await page.reload();
    expect((await page.locator("#f-intent").inputValue()).length).toBe(20_000);
  });
});
