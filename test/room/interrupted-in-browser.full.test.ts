import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { Fault } from "../../mock-backend/main.ts";
import { cancels, confirms } from "../support/backend.ts";
import { FAST_DEADLINE, fastClock } from "../support/fast-clock.ts";
import { typeInto } from "../support/keys.ts";
import { openedRoom, ownWindowOn, toSheet, windowOn } from "../support/open-room.ts";
import { hidden, inChromium, picture } from "../support/room-browser.ts";

const GONE: Fault = { route: "get", kind: "drop_before", times: 1_000 };
const note = (page: Page) => page.locator(".note.error");
const broadcast = (page: Page) => page.locator("button[value^=broadcast]:enabled");

inChromium("a room that is interrupted", (browser) => {
  it("the backend goes while agents answer: said, still said after a reload, and the plan comes by itself", async () => {
    const { mock, address } = await openedRoom({}, FAST_DEADLINE, [], { clock: fastClock });
    mock.engine.offerWith(() => "hang");
    const { page, complaints } = await windowOn(browser(), address);
    await toSheet(page, { sceneId: mock.sceneId });
    await broadcast(page).click();
    await page.locator(".neg .list li").first().waitFor();
    mock.faults.add(GONE);
    await note(page).waitFor();
    await picture(page, "interrupted-backend-gone");
    await page.reload();
    expect(await note(page).textContent()).toContain("has not answered since");
    expect(await page.locator(".neg .list li").count()).toBeGreaterThan(0);
    await picture(page, "interrupted-reloaded");
    const [id] = mock.negotiations().map(({ negotiation_id }) => negotiation_id);
    mock.engine.patch(id ?? "", { state: "completed", plan_output: "## Plan\n\nA pilot." } as never);
    mock.faults.clear();
    await page.locator(".prose").waitFor();
    await expect.poll(() => note(page).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("the page is closed at the question and while agents answer: it opens where the demand is by then", async () => {
    const { mock, address } = await openedRoom();
    const { page, context } = await windowOn(browser(), address);
    await toSheet(page, { sceneId: mock.sceneId });
    await page.close();
    const second = await context.newPage();
    await second.goto(address);
    await broadcast(second).click();
    await second.locator(".neg, .plan").first().waitFor();
    await second.close();
    const third = await context.newPage();
    await third.goto(address);
    await third.locator(".plan").waitFor();
    expect(confirms(mock)).toHaveLength(1);
  });

  it("a yes whose answer was lost: said until it is seen to have arrived, and no longer", async () => {
    const { mock, address } = await openedRoom({}, FAST_DEADLINE, [], { clock: fastClock });
    const { page } = await windowOn(browser(), address);
    await toSheet(page, { sceneId: mock.sceneId });
    mock.faults.add({ route: "confirm", kind: "status", status: 503, times: 1_000 });
    await broadcast(page).click();
    await note(page).waitFor();
    mock.faults.clear();
    await page.locator(".plan").waitFor();
    expect(await note(page).count()).toBe(0);
  });

  it("Ctrl-C at the question withdraws the demand before the program ends", async () => {
    const { mock, address, program } = await openedRoom();
    const { page } = await windowOn(browser(), address);
    await toSheet(page, { sceneId: mock.sceneId });
    program.stdin?.write("\x03");
    await expect.poll(() => program.exitCode).toBe(0);
    expect(cancels(mock)).toHaveLength(1);
    await note(page).waitFor();
    expect(await page.locator("button[value^=broadcast]").isDisabled()).toBe(true);
  });

  it("a click that did not reach the room: said, nothing more can be clicked until it is back, and then once", async () => {
    const { mock, address } = await openedRoom();
    const { page } = await windowOn(browser(), address);
    await toSheet(page, { sceneId: mock.sceneId });
    await page.route("**/act", (route) => route.abort());
    await broadcast(page).click();
    await note(page).waitFor();
    expect(await page.locator(".act button:enabled:not([value=edit])").count()).toBe(0);
    await picture(page, "interrupted-click-lost");
    await page.unroute("**/act");
    await expect.poll(() => note(page).count()).toBe(0);
    expect(confirms(mock)).toHaveLength(0);
    await broadcast(page).click();
    await page.locator(".neg, .plan").first().waitFor();
    expect(confirms(mock)).toHaveLength(1);
  });

  it.each([
    ["en", { width: 390, height: 600 }],
    ["zh", { width: 390, height: 600 }],
    ["en", { width: 640, height: 400 }],
  ] as const)(
    "where the page is scrolled as a button is pressed, what it met is read there: %s, %o",
    async (lang, viewport) => {
      const { mock, address } = await openedRoom({}, { TOWOW_LANG: lang });
      const { page } = await windowOn(browser(), address, { viewport });
      const toEnd = async (field: string) => {
        await page.locator(field).focus();
        await page.mouse.wheel(0, 4_000);
        await expect.poll(() => page.evaluate("scrollY > 100")).toBe(true);
      };
      await page.locator(`button[value="next?sceneId=${mock.sceneId}"]`).click();
      await typeInto(page.locator("#f-display_name"), "Lin Zhiyuan");
      await toEnd("#f-constraints");
      mock.faults.add({ route: "agents.list", kind: "drop_before", times: 1_000 });
      mock.faults.add({ route: "agents.register", kind: "drop_before", times: 1_000 });
      await page.locator(".act .go:enabled").click();
      await note(page).waitFor();
      expect(await hidden(page), "joining").toEqual([]);
      mock.faults.clear();
      await page.locator(".act .go:enabled").click();
      await typeInto(page.locator("#f-intent"), "Looking for a designer.");
      await page.locator(".act .go:enabled").click();
      await page.locator("button[value^=withdraw]:enabled").click();
      await toEnd("#f-intent");
      mock.faults.add({ route: "submit", kind: "drop_before", times: 1_000 });
      await page.locator("button[value^=next]:enabled").click();
      await note(page).waitFor();
      expect(await hidden(page), "submitting again").toEqual([]);
      expect(mock.negotiations()).toHaveLength(1);
    },
  );

  it("an edit that had not reached the room when its time ran out stands in the field that asks again", async () => {
    const { mock, address } = await openedRoom();
    const { page, context } = await windowOn(browser(), address);
    await toSheet(page, { sceneId: mock.sceneId });
    await page.locator("button[value=edit]").last().click();
    await page.locator("#f-text").waitFor();
    await page.route("**/act", (route) => route.abort());
    await typeInto(page.locator("#f-text"), "A version that took an hour");
    const second = await context.newPage();
    await second.goto(address);
    await second.locator("button[value^=withdraw]:enabled").click();
    await page.locator("#f-intent").waitFor();
    expect(await page.locator("#f-intent").inputValue()).toBe("A version that took an hour");
    await page.unroute("**/act");
    const again = second.locator("#f-intent");
    await expect.poll(() => again.inputValue()).toBe("A version that took an hour");
  });

  it("an endpoint that answers with an error for a while: the page hears its room again by itself", async () => {
    const { address } = await openedRoom();
    const { page, context } = await windowOn(browser(), address);
    await page.locator(".items li").first().waitFor();
    await page.route(/\/(events|act)/, (route) => route.fulfill({ status: 502, body: "<h1>Bad gateway</h1>" }));
    await page.reload();
    await note(page).waitFor();
    await page.unroute(/\/(events|act)/);
    await expect.poll(() => note(page).count()).toBe(0);
    const second = await context.newPage();
    await second.goto(address);
    await second.locator("button[value^=setLanguage]").click();
    await expect.poll(() => page.locator("h1").textContent()).toBe("想问哪群人？");
  });

  it("another room at the same address, after a restart, is shown though it has been drawn less often", async () => {
    const { mock, address } = await openedRoom();
    const { page } = await windowOn(browser(), address);
    await page.route("**/act", async (route) => {
      const response = await route.fetch();
      const { uiSpec } = await response.json();
      await route.fulfill({
        response,
        json: { uiSpec: { ...uiSpec, heading: "Another room" }, room: "another", revision: 0, now: Date.now() },
      });
    });
    await page.locator(`button[value="next?sceneId=${mock.sceneId}"]`).click();
    await expect.poll(() => page.locator("h1").textContent()).toBe("Another room");
  });

  it("a browser that may not be in the room any more: typed words stay to be copied, else the address says it", async () => {
    const { mock, address } = await openedRoom();
    const { page, context } = await windowOn(browser(), address);
    const second = await context.newPage();
    await second.goto(address);
    await second.locator(`button[value="next?sceneId=${mock.sceneId}"]`).click();
    await typeInto(page.locator("#f-bio"), "Words that took an hour");
    await second.locator("#f-bio").waitFor();
    await context.clearCookies();
    await typeInto(page.locator("#f-bio"), "Words that took an hour, and more");
    await note(page).getByText("copy it").waitFor();
    expect(await page.locator("#f-bio").inputValue()).toBe("Words that took an hour, and more");
    await page.reload();
    await page.getByRole("heading", { name: "This address does not work here" }).waitFor();
  });

  it("a machine that slept, its browser's timer too: the countdown is that of the server", async () => {
    const { mock, address } = await openedRoom();
    const { page } = await ownWindowOn(browser(), address);
    await toSheet(page, { sceneId: mock.sceneId });
    await page.addInitScript("performance.now = () => 1_000");
    await page.reload();
    const left = () => page.locator(".ring span").textContent();
    const asleep = await left();
    await expect
      .poll(async () => {
        await page.locator("button[value^='setLanguage']").click();
        return left();
      })
      .not.toBe(asleep);
  });
});
