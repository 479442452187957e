import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import ROOM_CSS from "../../src/room/page/room.css";
import { roomTexts } from "../../src/text/room.ts";
import { cancels, confirms } from "../support/backend.ts";
import { FAST_DEADLINE, fastClock } from "../support/fast-clock.ts";
import { typeInto } from "../support/keys.ts";
import { openedRoom, ownWindowOn, toSheet, windowOn } from "../support/open-room.ts";
import { afterHeld, inChromium, sheetText } from "../support/room-browser.ts";

const MAX_PAGE_BYTES = 40 * 1024;
const say = roomTexts("en");

const heading = (page: Page) => page.locator("h1").textContent();
const broadcast = (page: Page) => page.locator("button[value^=broadcast]:enabled");

it("the script and the styles of the page weigh less than 40 KB, compressed", () => {
  const script = readFileSync(new URL("../../dist/room.js", import.meta.url));
  const bytes = gzipSync(script).length + gzipSync(ROOM_CSS).length;
  expect(bytes).toBeLessThan(MAX_PAGE_BYTES);
  expect(script.toString()).not.toMatch(/https?:\/\/(?!www\.w3\.org)/);
});

inChromium("the room in a browser", (browser) => {
  it("a person alone, from an empty home to the plan", async () => {
    const { mock, address, origin } = await openedRoom();
    const { page, asked, complaints } = await windowOn(browser(), address);
    const typed = await toSheet(page, { sceneId: mock.sceneId });
    // The button that led here is gone: who reads by keyboard goes on at the heading.
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
    expect(await page.locator(".yours blockquote").textContent()).toBe(typed);
    const shown = await sheetText(page);
    expect(confirms(mock)).toHaveLength(0);
    await broadcast(page).click();
    await page.locator(".plan").waitFor();
    expect(mock.negotiations()[0]?.confirmedText).toBe(shown);
    expect(confirms(mock)).toHaveLength(1);
    // Nothing was asked of anybody else, and nothing that the page wants is forbidden to it.
    expect([...new Set(asked.map((url) => url.origin))]).toEqual([origin]);
    expect(complaints).toEqual([]);
  });

  it("without a script: readable, decided, and followed to the plan", async () => {
    const { mock, address } = await openedRoom();
    const { page } = await windowOn(browser(), address, { javaScriptEnabled: false });
    // The search has a button of its own then.
    await page.locator(".items li").first().waitFor();
    const all = await page.locator(".items li").count();
    await typeInto(page.locator("#f-sceneQuery"), "zzz");
    await page.locator("#f-sceneQuery").press("Enter");
    await page.getByText(say.scene.noMatch).waitFor();
    await typeInto(page.locator("#f-sceneQuery"), "");
    await page.locator(".search .unscripted").click();
    await expect.poll(() => page.locator(".items li").count()).toBe(all);
    await page.locator(`button[value="next?sceneId=${mock.sceneId}"]`).click();
    await typeInto(page.locator("#f-display_name"), "Lin");
    await page.locator(".act .go").click();
    await typeInto(
      page.locator("#f-intent"),
      "Product design and growth marketing for a pilot, by phone: 13800138000.",
    );
    await page.locator(".act .go").click();
    await page.locator(".sheet .adds").waitFor();
    // The editor's text comes along with its button, and is marked before it can go out.
    await page.locator("button[value=edit]").first().click();
    await expect.poll(() => page.locator(".editing .hint").isVisible()).toBe(false); // nothing is marked as it is typed
    await typeInto(page.locator("#f-text"), "Product design for a short pilot.");
    await page.locator("button[value=edit]").first().click();
    expect(await page.locator(".sheet ins.you").first().textContent()).toContain("short");
    // A broadcast from the editor shows first what it would send, and does not call it somebody else's change.
    await page.locator("button[value=edit]").first().click();
    await typeInto(page.locator("#f-text"), "Product design for a pilot.");
    await page.locator("button[value^=broadcast]").click();
    await page.getByText(say.decision.ownChange).waitFor();
    expect(await page.getByText(say.decision.changed).count()).toBe(0);
    expect(confirms(mock)).toHaveLength(0);
    await page.locator("button[value^=broadcast]").click();
    await page.locator(".plan").waitFor();
    expect(mock.negotiations()[0]?.confirmedText).toBe("Product design for a pilot.");
    expect(await page.locator('[value="export?as=print"]').isVisible()).toBe(false); // a form cannot print
  });

  it("without a script: another language, or another page of the room, loses nothing that was typed, and no address has it", async () => {
    const { mock, address, origin } = await openedRoom();
    const { page, asked } = await windowOn(browser(), address, { javaScriptEnabled: false });
    const language = () => page.locator("button[value^=setLanguage]").click();
    await page.locator(`button[value="next?sceneId=${mock.sceneId}"]`).click();
    const typed = {
      resume: "Eleven years of hospital software,\nand two of queues.",
      display_name: "Lin <b>& sons",
      bio: "Somebody who plans queues.",
      skills: "design\nplanning",
    };
    const said = async () =>
      Object.fromEntries(
        await Promise.all(Object.keys(typed).map(async (id) => [id, await page.locator(`#f-${id}`).inputValue()])),
      );
    await page.locator("details:has(#f-resume) > summary").click();
    for (const [id, text] of Object.entries(typed)) await typeInto(page.locator(`#f-${id}`), text);
    await language();
    await expect.poll(() => page.locator("html").getAttribute("lang")).toBe("zh-CN");
    expect(await said()).toEqual(typed);
    // Enter in a field still presses nothing, and least of all the first button of the page.
    await typeInto(page.locator("#f-display_name"), "Lin");
    await page.locator("#f-display_name").press("Enter");
    expect(await page.locator("html").getAttribute("lang")).toBe("zh-CN");
    await language();
    await expect.poll(() => page.locator("html").getAttribute("lang")).toBe("en");
    expect(await said()).toEqual({ ...typed, display_name: "Lin" });
    await typeInto(page.locator("#f-bio"), "Somebody else.");
    await page.locator("button[value=openHistory]").click();
    await page.locator("button[value=closeHistory]").click();
    expect(await said()).toEqual({ ...typed, display_name: "Lin", bio: "Somebody else." });
    await page.locator(".act .go").click();
    await typeInto(page.locator("#f-intent"), "Half a sentence of");
    await language();
    await expect.poll(() => page.locator("html").getAttribute("lang")).toBe("zh-CN");
    expect(await page.locator("#f-intent").inputValue()).toBe("Half a sentence of");
    await typeInto(page.locator("#f-intent"), "Product design for a hospital pilot.");
    await page.locator(".act .go").click();
    await page.locator("button[value=edit]").first().click();
    await typeInto(page.locator("#f-text"), "Product design, changed.");
    await language();
    await expect.poll(() => page.locator("html").getAttribute("lang")).toBe("en");
    expect(await page.locator("#f-text").inputValue()).toBe("Product design, changed.");
    const [entered = "", ...searches] = asked.filter((url) => url.origin === origin).map((url) => url.search);
    expect([entered, ...searches].join("")).toBe("");
    expect(mock.negotiations()[0]).toMatchObject({ confirmCount: 0 });
  });

  it("marks a change while it is typed, and sends exactly what stands there", async () => {
    const { mock, address } = await openedRoom();
    const { page } = await windowOn(browser(), address);
    const typed = await toSheet(page, { sceneId: mock.sceneId });
    await page.locator(".act button[value=edit]").click();
    const editor = page.locator(".layers textarea");
    await editor.waitFor();
    const text = (await editor.inputValue()).replace("three-month", "six-week");
    await typeInto(editor, text);
    await expect.poll(() => page.locator(".under .you").allTextContents()).toEqual(["six-week"]);
    expect(await page.locator(".gone-words del").textContent()).toBe("three-month");
    // The marks lie under the words: both layers have the same size.
    const sizes = await page.evaluate(
      "['.under', '.layers textarea'].map((one) => { const { width, height } = document.querySelector(one).getBoundingClientRect(); return [width, height]; })",
    );
    expect((sizes as number[][])[0]).toEqual((sizes as number[][])[1]);
    await page.locator(".act button[value=edit]").click();
    await page.locator(".sheet ins.you").waitFor();
    expect(await page.locator("button[value^=broadcast]").textContent()).toContain("Broadcast this text");
    await broadcast(page).click();
    await page.locator(".neg, .plan").first().waitFor();
    expect(mock.negotiations()[0]?.confirmedText).toBe(text);
    expect(text).not.toBe(typed);
  });

  it("a broadcast cannot be clicked in the first moments of a text, and has no focus", async () => {
    const { mock, address } = await openedRoom();
    const { page } = await ownWindowOn(browser(), address);
    await toSheet(page, { sceneId: mock.sceneId });
    await page.clock.install(); // on a busy machine those moments are over when the page has loaded
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.reload();
    await page.locator("button[value^=broadcast][aria-disabled=true]").waitFor();
    expect(await page.evaluate("document.activeElement?.value ?? ''")).not.toMatch(/broadcast/);
    await afterHeld(page);
    await page.locator("button[value^=broadcast]:enabled:not([aria-disabled])").waitFor();
    expect(confirms(mock)).toHaveLength(0);
  });

  it("a page that is loaded again, or a second window, shows the same room", async () => {
    const { mock, address } = await openedRoom();
    const { page, context } = await windowOn(browser(), address);
    await toSheet(page, { sceneId: mock.sceneId });
    await page.locator("button[value^='takeOut?']").first().click();
    await page.locator(".adds .off").first().waitFor();
    const second = await context.newPage();
    await second.goto(address); // the address that was used once, in the same browser
    await second.locator(".adds .off").first().waitFor();
    await second.locator("button[value^='putBack?']").click();
    await expect.poll(() => page.locator(".adds .off").count()).toBe(0);
    await page.locator("button[value^=withdraw]").click();
    await expect.poll(() => heading(second)).toBe("Withdrawn");
    expect(cancels(mock)).toHaveLength(1);
  });

  it("an answer that a newer state has overtaken does not bring the past back", async () => {
    const { address } = await openedRoom();
    const { page, context } = await windowOn(browser(), address);
    await page.locator(".items li").first().waitFor();
    const second = await context.newPage();
    await second.goto(address);
    const released = Promise.withResolvers<void>();
    await page.route("**/act", async (route) => {
      const response = await route.fetch();
      await released.promise;
      await route.fulfill({ response });
    });
    const answered = page.waitForResponse("**/act");
    await page.locator("button[value^=setLanguage]").click();
    await expect.poll(() => heading(second)).toBe("想问哪群人？");
    await second.locator("button[value=openHistory]").click();
    await expect.poll(() => heading(page)).toBe("历史");
    released.resolve();
    await answered;
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    expect(await heading(page)).toBe("历史");
  });

  it("a backend that is gone for a while: said, and over when it is back", async () => {
    const { mock, address } = await openedRoom({ stepMs: 400 }, FAST_DEADLINE, [], { clock: fastClock });
    const { page } = await windowOn(browser(), address);
    await toSheet(page, { sceneId: mock.sceneId });
    mock.faults.add({ route: "get", kind: "status", status: 503, times: 1_000 });
    await page.locator(".note.error").waitFor();
    mock.faults.clear();
    await expect.poll(() => page.locator(".note.error").count()).toBe(0);
    await broadcast(page).click();
    await page.locator(".plan").waitFor();
  });

  it("an address in the room that leads nowhere: a page as the others, and the way back", async () => {
    const { address } = await openedRoom();
    const { page, complaints } = await windowOn(browser(), address);
    await page.locator(".items li").first().waitFor();
    await page.goto(`${page.url()}/nothing`);
    expect(await heading(page)).toBe("There is nothing at this address");
    expect(await page.evaluate("getComputedStyle(document.querySelector('.col')).maxWidth")).toBe("448px");
    expect(complaints.filter((said) => !said.includes("404"))).toEqual([]);
    await page.getByRole("link", { name: "Open your room" }).click();
    await page.locator(".items li").first().waitFor();
  });

  it("the program that has gone: the page says that it hears nothing more", async () => {
    const { address, program } = await openedRoom({}, {}, [], { spawned: true });
    const { page } = await windowOn(browser(), address);
    await page.locator(".items li").first().waitFor();
    program.kill("SIGKILL");
    await page.locator(".note.error").waitFor();
  });
});
