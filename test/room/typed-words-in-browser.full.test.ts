import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { openedRoom, ownWindowOn } from "../support/open-room.ts";
import { inChromium } from "../support/room-browser.ts";

const note = (page: Page) => page.locator(".note.error");

async function toProfile(page: Page, sceneId: string): Promise<void> {
  await page.locator(`button[value="next?sceneId=${sceneId}"]`).click();
  await page.locator("#f-bio").waitFor();
}

inChromium("words that are being typed", (browser) => {
  it("who types on without a pause is heard each second", async () => {
    const { mock, address } = await openedRoom();
    const { page } = await ownWindowOn(browser(), address);
    await toProfile(page, mock.sceneId);
    await page.clock.install();
    const sent: string[] = [];
    page.on("request", (request) => sent.push(new URLSearchParams(request.postData() ?? "").get("f.bio") ?? ""));
    await page.locator("#f-bio").focus();
    for (let key = 0; key < 20; key++) {
      await page.keyboard.press("x");
      await page.clock.runFor(200); // no pause is long enough
    }
    await expect.poll(() => sent.length).toBeGreaterThanOrEqual(3);
    expect(sent[0]?.length).toBeLessThanOrEqual(6);
  });

  it("a page that is left and opened again at once has the last letters of every field, and so has the room", async () => {
    const { mock, address } = await openedRoom();
    const { page, context } = await ownWindowOn(browser(), address);
    await toProfile(page, mock.sceneId);
    const second = await context.newPage();
    await second.goto(address);
    await page.bringToFront();
    await page.locator("details:has(#f-description) > summary").click();
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000); // no pause comes in which it would be sent
    await page.locator("#f-bio").pressSequentially("Plans queues in the north.");
    await page.locator("#f-description").pressSequentially("Nights are fine");
    await page.goto("about:blank"); // of what is reloaded a browser fills in fields by itself
    await page.goto(address);
    for (const one of [page, second]) {
      await expect.poll(() => one.locator("#f-bio").inputValue()).toBe("Plans queues in the north.");
      await expect.poll(() => one.locator("#f-description").inputValue()).toBe("Nights are fine");
    }
  });

  it("a page that is closed at once has left its words in the room", async () => {
    const { mock, address } = await openedRoom();
    const { page, context } = await ownWindowOn(browser(), address);
    await toProfile(page, mock.sceneId);
    const second = await context.newPage();
    await second.goto(address);
    await page.bringToFront();
    await page.locator("#f-bio").pressSequentially("The last words");
    await page.close({ runBeforeUnload: true });
    await expect.poll(() => second.locator("#f-bio").inputValue()).toBe("The last words");
  });

  it("what is typed before the script is there stays, and reaches the room", async () => {
    const { mock, address } = await openedRoom();
    const { page, context } = await ownWindowOn(browser(), address);
    await toProfile(page, mock.sceneId);
    const script = Promise.withResolvers<void>();
    await page.route("**/room*.js", async (route) => {
      await script.promise;
      await route.continue();
    });
    await page.reload({ waitUntil: "commit" });
    await page.locator("#f-bio").pressSequentially("Early words");
    script.resolve();
    const second = await context.newPage();
    await second.goto(address);
    await expect.poll(() => second.locator("#f-bio").inputValue()).toBe("Early words");
    await expect.poll(() => page.locator("#f-bio").inputValue()).toBe("Early words");
  });
});

inChromium("a connection that fails", (browser) => {
  it("a program that hangs is noticed by its silence, and so is its return", async () => {
    const { address, program } = await openedRoom({}, {}, [], { spawned: true });
    const { page } = await ownWindowOn(browser(), address);
    await page.locator(".items li").first().waitFor();
    await page.clock.install();
    await page.reload();
    await page.locator(".items li").first().waitFor();
    // The program is what `script` has started.
    const pid = Number(readFileSync(`/proc/${program.pid}/task/${program.pid}/children`, "utf8"));
    process.kill(pid, "SIGSTOP");
    onTestFinished(() => void process.kill(pid, "SIGCONT"));
    for (let second = 0; second < 30 && (await note(page).count()) === 0; second++) await page.clock.runFor(1_000);
    expect(await note(page).count()).toBe(1);
    process.kill(pid, "SIGCONT");
    await expect
      .poll(async () => {
        await page.clock.runFor(1_000);
        return note(page).count();
      })
      .toBe(0);
  });

  it("streams that are refused while requests work: nothing flickers, and changes arrive", async () => {
    const { address } = await openedRoom();
    const { page, context } = await ownWindowOn(browser(), address);
    await page.locator(".items li").first().waitFor();
    await page.route("**/events?*", (route) => route.fulfill({ status: 503, body: "" }));
    await page.addInitScript(`addEventListener("DOMContentLoaded", () =>
      new MutationObserver(() => { window.flickers ||= document.querySelector(".note.error") !== null; })
        .observe(document.body, { subtree: true, childList: true }))`);
    await page.clock.install();
    await page.reload();
    const second = await context.newPage();
    await second.goto(address);
    await second.locator("button[value^=setLanguage]").click();
    await expect
      .poll(async () => {
        await page.clock.runFor(3_000);
        return page.locator("h1").textContent();
      })
      .toBe("想问哪群人？");
    for (let tries = 0; tries < 5; tries++) await page.clock.runFor(3_000);
    expect(await page.evaluate("window.flickers ?? false")).toBe(false);
  });
});
