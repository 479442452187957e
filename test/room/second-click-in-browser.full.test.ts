import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { cancels, confirms, requests, submits } from "../support/backend.ts";
import { openedRoom, ownWindowOn, toSheet } from "../support/open-room.ts";
import { inChromium } from "../support/room-browser.ts";

/** As people double-click: the page has time to answer between. */
const BETWEEN_MS = 150;

async function clickTwice(page: Page, selector: string): Promise<void> {
  const { x, y, width, height } = (await page.locator(selector).boundingBox())!;
  for (const _ of [1, 2]) {
    await page.mouse.click(x + width / 2, y + height / 2);
    await page.waitForTimeout(BETWEEN_MS);
  }
}

const GO = ".act .go:enabled:not([aria-disabled=true])";

/** A page without a script holds its buttons for its first moments; before its stylesheet is there, nothing shows that. */
async function released(page: Page): Promise<void> {
  await page.waitForLoadState("load");
  await expect.poll(() => page.locator(GO).evaluate((button) => getComputedStyle(button).pointerEvents)).toBe("auto");
}
const heading = (page: Page) => page.locator("h1").textContent();

/** A person whose profile and demand are filled in already, at the scenes again, with a scene that they have not joined. */
async function comeBack(page: Page, sceneId: string, other: string): Promise<void> {
  await toSheet(page, { sceneId });
  await page.locator("button[value^=withdraw]").click();
  await page.locator("button[value='restart?words=kept']").click();
  await page.locator(`button[value="select?itemId=${other}"]`).click();
  await page.locator(`button[value="select?itemId=${other}"][aria-pressed=true]`).waitFor();
}

inChromium("a second click where the next stage's button stands", (browser) => {
  it("publishes no profile, sends no demand, and takes none back", async () => {
    const { mock, address } = await openedRoom();
    const { page } = await ownWindowOn(browser(), address);
    const other = mock.scenes()[1]?.scene_id ?? "";
    await comeBack(page, mock.sceneId, other);
    const joins = () => requests(mock, "POST", /\/scenes\/[^/]+\/agents$/).length;
    await clickTwice(page, GO);
    expect(await heading(page)).toContain("Join");
    expect(joins()).toBe(1);
    expect(await page.locator(".note").count()).toBe(0);
    await page.locator(GO).waitFor();
    await clickTwice(page, GO);
    await expect.poll(() => heading(page)).toBe("What do you need?");
    expect([joins(), submits(mock).length]).toEqual([2, 1]);
    await page.locator(GO).waitFor();
    await clickTwice(page, GO);
    await page.locator("button[value^=broadcast]:enabled:not([aria-disabled=true])").waitFor();
    expect([submits(mock).length, cancels(mock).length]).toEqual([2, 1]);
    await clickTwice(page, "button[value^=broadcast]:enabled:not([aria-disabled=true])");
    await page.locator(".plan .prose").waitFor();
    expect([confirms(mock).length, cancels(mock).length]).toEqual([1, 1]);
  });

  it("without a script: neither on the next page, nor on the same page again", async () => {
    const { mock, address } = await openedRoom();
    const { page, context } = await ownWindowOn(browser(), address, { javaScriptEnabled: false });
    const other = mock.scenes()[1]?.scene_id ?? "";
    await comeBack(page, mock.sceneId, other);
    const send = () =>
      context.request.post(`${page.url()}/act`, {
        form: { do: "next" },
        headers: { origin: new URL(page.url()).origin },
      });
    await released(page);
    await clickTwice(page, GO);
    expect(await heading(page)).toContain("Join");
    await send(); // as from the page before
    await page.reload();
    expect(await heading(page)).toContain("Join");
    expect(requests(mock, "POST", /\/scenes\/[^/]+\/agents$/)).toHaveLength(1);
    await page.locator(GO).click();
    await expect.poll(() => heading(page)).toBe("What do you need?");
    await released(page);
    // The second click comes while the first is on its way.
    mock.faults.add({ route: "submit", kind: "delay", delayMs: 1_500 });
    await clickTwice(page, GO);
    await page.locator("button[value^=broadcast]").waitFor();
    await page.waitForTimeout(1_000);
    expect([submits(mock).length, cancels(mock).length]).toEqual([2, 1]);
  });
});
