import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { confirms } from "../support/backend.ts";
import { openedRoom, toSheet, windowOn } from "../support/open-room.ts";
import { painted } from "../support/painted.ts";
import { afterHeld, inChromium, openLive, PICTURES, readToEnd, sheetText } from "../support/room-browser.ts";
import { roomStates } from "../support/room-states.ts";
import { windowOf } from "../support/windows.ts";

const TAIL = "I also accept to pay 50000 in advance.";
const weeks = (count: number) => Array.from({ length: count }, (_, n) => `Week ${n}.`).join("\n\n\n");
const SPACED = weeks(400);
const yes = (page: Page) => page.locator("button[value^=broadcast]");
const armed = (page: Page) => page.locator("button[value^=broadcast]:enabled:not([aria-disabled])");
const more = (page: Page) => page.getByRole("button", { name: /^(More below|下面还有)/ });

const SIZES = [
  { lang: "en", viewport: { width: 1280, height: 800 } },
  { lang: "zh", viewport: { width: 390, height: 844 } },
] as const;

inChromium("a yes before its page's script runs", (browser) => {
  it("is painted as one that does not send yet; where no script will run it is a plain button", async () => {
    const { mock, address } = await openedRoom();
    const { page, context } = await windowOn(browser(), address);
    await page.locator(`button[value="next?sceneId=${mock.sceneId}"]`).click();
    const fillOf = async (one: Page) => {
      const yes = one.locator(".act .go");
      await yes.waitFor();
      return yes.evaluate((button) => [getComputedStyle(button).backgroundColor, button.matches(":disabled")]);
    };
    await page.locator("#f-display_name").waitFor();
    const early = await context.newPage();
    await early.route("**/room.*.js", (route) => route.abort());
    await early.goto(address);
    const [sunk, accent] = ["rgb(237, 240, 239)", "rgb(8, 104, 90)"];
    expect(await fillOf(early)).toEqual([sunk, false]);
    const plain = await windowOn(browser(), page.url(), {
      javaScriptEnabled: false,
      storageState: await context.storageState(),
    });
    expect(await fillOf(plain.page)).toEqual([accent, false]);
  });
});

inChromium("a yes whose text goes on below", (browser) => {
  async function asked(
    { lang, viewport }: { lang: "en" | "zh"; viewport: { width: number; height: number } },
    text: string,
    options = {},
  ) {
    const { mock, address } = await openedRoom({}, { TOWOW_LANG: lang });
    mock.engine.formulateWith(() => text);
    const { page } = await windowOn(browser(), address, { viewport, ...options });
    await toSheet(page, { sceneId: mock.sceneId, lang });
    return { mock, page };
  }

  it.each(SIZES)(
    "does nothing until its end was in the window: $lang, $viewport.width × $viewport.height",
    async (size) => {
      const { mock, page } = await asked(size, `Looking for a designer in Berlin. ${SPACED}\n${TAIL}`);
      await more(page).waitFor();
      if (PICTURES !== undefined)
        await page.screenshot({ path: `${PICTURES}/more-below-${size.lang}-${size.viewport.width}.png` });
      await expect.poll(() => yes(page).getAttribute("aria-disabled")).toBe("true");
      await yes(page).click({ force: true });
      await yes(page).focus();
      for (const key of ["Enter", "Space"]) await page.keyboard.press(key);
      expect(confirms(mock)).toHaveLength(0);
      await page.keyboard.press("Shift+Tab");
      while (!(await more(page).evaluate((button) => button === document.activeElement)))
        await page.keyboard.press("Shift+Tab"); // before the yes
      await page.keyboard.press("Enter");
      await armed(page).waitFor();
      expect(await more(page).count()).toBe(0);
      expect(await page.evaluate("document.activeElement.dataset.end")).toBe("sheet");
      const covered = await page.evaluate(`(() => {
      const bar = document.querySelector(".act");
      const top = getComputedStyle(bar).position === "sticky" ? bar.getBoundingClientRect().top : innerHeight;
      return document.activeElement.getBoundingClientRect().bottom > top;
    })()`);
      expect(covered).toBe(false);
      expect(confirms(mock)).toHaveLength(0);
      await armed(page).click();
      await expect.poll(() => confirms(mock)).toHaveLength(1); // what becomes of such a text may be over at once
    },
  );

  it("in a low window, where the bar lies over nothing, its end counts at the very edge", async () => {
    const viewport = { width: 1280, height: 400 };
    const { page } = await asked({ lang: "en", viewport }, `Looking for a designer in Berlin. ${SPACED}\n${TAIL}`);
    await more(page).waitFor();
    expect(await page.evaluate("getComputedStyle(document.querySelector('.act')).position")).toBe("relative");
    await page.evaluate(
      "scrollTo(0, scrollY + document.querySelector('[data-end]').getBoundingClientRect().bottom - innerHeight + 2)",
    );
    await armed(page).waitFor();
    expect(await more(page).count()).toBe(0);
  });

  it("counts from the first where all of the text is in the window, and a gap hides nothing", async () => {
    const { page } = await asked(SIZES[0], `Looking for a designer in Berlin.${"\n".repeat(3_000)}${TAIL}`);
    await armed(page).waitFor();
    expect(await more(page).count()).toBe(0);
    expect(await sheetText(page)).toMatch(/Berlin\.\s*↵ × 3000\s*I also accept/);
    expect(await page.evaluate("document.documentElement.scrollHeight <= innerHeight")).toBe(true);
  });

  it.each([true, false])(
    "stands behind the text and works where no script does (can run: %s, but is not there)",
    async (javaScriptEnabled) => {
      const { mock, address } = await openedRoom();
      mock.engine.formulateWith(() => `Looking for a designer in Berlin. ${SPACED}\n${TAIL}`);
      const { page: first } = await windowOn(browser(), address);
      await toSheet(first, { sceneId: mock.sceneId });
      const { context, page } = await windowOf(browser(), { javaScriptEnabled });
      await context.addCookies(await first.context().cookies());
      await page.route("**/room.*.js", (route) => route.abort());
      await page.goto(first.url());
      const [bar, tail] = await Promise.all([
        page.locator(".act").boundingBox(),
        page.locator(".sheet .text").boundingBox(),
      ]);
      expect(bar!.y).toBeGreaterThanOrEqual(tail!.y + tail!.height);
      expect(bar!.y).toBeGreaterThan(800);
      expect(await more(page).count()).toBe(0);
      await armed(page).click();
      await expect.poll(() => confirms(mock)).toHaveLength(1); // what becomes of such a text may be over at once
    },
  );

  it("what the person takes out does not begin anew; what they have not seen does, whoever brought it", async () => {
    const states = roomStates("en");
    const { page, load, change } = await openLive(browser(), { viewport: { width: 900, height: 600 } });
    await load(states.decide!);
    await more(page).click();
    await afterHeld(page);
    await armed(page).waitFor();
    await page.evaluate("scrollTo(0, 0)");
    await change(states["decide-taken-out"]!);
    expect(await armed(page).count()).toBe(1);
    const { demand } = states.decide!;
    const negotiation = {
      ...demand!.negotiation!,
      demand_formulated: `${demand!.negotiation!.demand_formulated} ${TAIL}`,
    };
    await change({ ...states.decide!, demand: { ...demand!, negotiation } });
    expect(await page.locator(".sheet .text").textContent()).toContain("50000");
    expect(await armed(page).count()).toBe(0);
    expect(await more(page).count()).toBe(1);
    expect(painted(states.decide!)).not.toMatch(/aria-disabled|id="more"/);
  });

  it("in a window that is made higher, the end counts above the bar that lies over the text from then on", async () => {
    const viewport = { width: 1280, height: 400 };
    const { page } = await asked({ lang: "en", viewport }, `Looking for a designer in Berlin. ${SPACED}\n${TAIL}`);
    await more(page).waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
    await expect.poll(() => page.evaluate("getComputedStyle(document.querySelector('.act')).position")).toBe("sticky");
    const toBottom = (less: string) =>
      page.evaluate(`(async () => {
      const end = () => document.querySelector("[data-end]").getBoundingClientRect().bottom;
      scrollTo(0, scrollY + end() - innerHeight + ${less});
      for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame);
    })()`);
    await toBottom("10"); // under the bar
    await afterHeld(page);
    expect(await armed(page).count()).toBe(0);
    await toBottom("document.querySelector('.act').clientHeight + 10");
    await armed(page).waitFor();
  });

  it.each([
    [390, 844],
    [360, 560],
    [320, 480],
    [640, 430],
    [426, 240],
    [850, 700],
    [1280, 800],
  ])("where it goes elsewhere, its text can be read and decided on in %s × %s", async (width, height) => {
    const { page, load } = await openLive(browser(), { viewport: { width, height } });
    const state = roomStates("en").decide!;
    const negotiation = { ...state.demand!.negotiation!, demand_formulated: `${weeks(40)}\n${TAIL}` };
    const unusual = { sceneId: "scene_b7ce5b4a8d80", userId: `agent_${"0123456789".repeat(19)}` };
    await load({ ...state, demand: { ...state.demand!, unusual, negotiation } });
    await readToEnd(page);
    await armed(page).waitFor();
    const free = await page.evaluate(`(() => {
      const bar = document.querySelector(".act");
      return getComputedStyle(bar).position === "sticky" ? 1 - bar.clientHeight / innerHeight : 1;
    })()`);
    expect(free).toBeGreaterThanOrEqual(0.5);
    await page.locator("button[value^=withdraw]").click({ trial: true });
    await armed(page).click({ trial: true });
  });
});
