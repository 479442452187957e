import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { cancels, confirms, requests, submits } from "../support/backend.ts";
import { untilEnded } from "../support/gated-clock.ts";
import { openedRoom, ownWindowOn, toSheet } from "../support/open-room.ts";
import { afterHeld, inChromium } from "../support/room-browser.ts";

/** No other wait of the backend is as long. */
const ON_ITS_WAY_MS = 61_000;

/** Clicks, and once more at that place as soon as this stands there: no moment is over by then, since time stands still. */
async function clickTwice(page: Page, selector: string, next: string): Promise<void> {
  const place = await middleOf(page, selector);
  await page.mouse.click(...place);
  await page.locator(next).first().waitFor();
  await page.mouse.click(...place);
}

async function middleOf(page: Page, selector: string): Promise<[x: number, y: number]> {
  const { x, y, width, height } = (await page.locator(selector).boundingBox())!;
  return [x + width / 2, y + height / 2];
}

const cardOf = (sceneId: string) => `button[value="next?sceneId=${sceneId}"]:enabled`;
const GO = ".act .go:enabled:not([aria-disabled=true])";

/** A page without a script holds its buttons for its first moments; before its stylesheet is there, nothing shows that. */
async function released(page: Page, button = GO): Promise<void> {
  await page.waitForLoadState("load");
  await expect.poll(() => page.locator(button).evaluate((one) => getComputedStyle(one).pointerEvents)).toBe("auto");
}
const heading = (page: Page) => page.locator("h1").textContent();

/** A person whose profile and demand are filled in already, at the scenes again, with a scene that they have not joined. */
async function comeBack(page: Page, sceneId: string, other: string): Promise<void> {
  await toSheet(page, { sceneId });
  await page.locator("button[value^=withdraw]").click();
  await page.locator("button[value='restart?words=kept']").click();
  await page.locator(cardOf(other)).waitFor();
}

inChromium("a second click where the next stage's button stands", (browser) => {
  it("publishes no profile, sends no demand, and takes none back", async () => {
    const { mock, address } = await openedRoom();
    const { page } = await ownWindowOn(browser(), address);
    const other = mock.scenes()[1]?.scene_id ?? "";
    await comeBack(page, mock.sceneId, other);
    const joins = () => requests(mock, "POST", /\/scenes\/[^/]+\/agents$/).length;
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await clickTwice(page, cardOf(other), "h1:text('Join')");
    await afterHeld(page);
    expect(await heading(page)).toContain("Join");
    expect(joins()).toBe(1);
    expect(await page.locator(".note").count()).toBe(0);
    await page.locator(GO).waitFor();
    await clickTwice(page, GO, "h1:text('What do you need?')");
    await afterHeld(page);
    expect([joins(), submits(mock).length]).toEqual([2, 1]);
    await page.locator(GO).waitFor();
    await clickTwice(page, GO, "button[value^=broadcast]");
    await afterHeld(page);
    await page.locator("button[value^=broadcast]:enabled:not([aria-disabled=true])").waitFor();
    expect([submits(mock).length, cancels(mock).length]).toEqual([2, 1]);
    await clickTwice(page, "button[value^=broadcast]:enabled:not([aria-disabled=true])", ".neg, .plan");
    await afterHeld(page);
    await page.locator(".plan").waitFor();
    expect([confirms(mock).length, cancels(mock).length]).toEqual([1, 1]);
  });

  it("without a script: neither on the next page, nor on the same page again", async () => {
    const { clock, end } = untilEnded(ON_ITS_WAY_MS);
    const { mock, address } = await openedRoom({ clock });
    const { page, context } = await ownWindowOn(browser(), address, { javaScriptEnabled: false });
    const other = mock.scenes()[1]?.scene_id ?? "";
    await comeBack(page, mock.sceneId, other);
    const send = () =>
      context.request.post(`${page.url()}/act`, {
        form: { do: "next" },
        headers: { origin: new URL(page.url()).origin },
      });
    const time = await page.context().newCDPSession(page);
    await time.send("Animation.enable");
    await released(page, cardOf(other));
    await time.send("Animation.setPlaybackRate", { playbackRate: 0 });
    await clickTwice(page, cardOf(other), "h1:text('Join')");
    expect(await heading(page)).toContain("Join");
    await send(); // as from the page before
    await time.send("Animation.setPlaybackRate", { playbackRate: 1 });
    await page.reload();
    expect(await heading(page)).toContain("Join");
    expect(requests(mock, "POST", /\/scenes\/[^/]+\/agents$/)).toHaveLength(1);
    await page.locator(GO).click();
    await expect.poll(() => heading(page)).toBe("What do you need?");
    await released(page);
    // The second click comes while the first is on its way.
    mock.faults.add({ route: "submit", kind: "delay", delayMs: ON_ITS_WAY_MS });
    const place = await middleOf(page, GO);
    await page.mouse.click(...place);
    await expect.poll(() => submits(mock).length).toBe(2);
    await page.mouse.click(...place);
    end();
    await page.locator("button[value^=broadcast]").waitFor(); // what answers the second one
    expect([submits(mock).length, cancels(mock).length]).toEqual([2, 1]);
  });
});
