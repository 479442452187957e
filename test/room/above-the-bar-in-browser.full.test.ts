import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { typeKeys } from "../support/keys.ts";
import { inChromium, openLive, openPainted } from "../support/room-browser.ts";
import { roomStates } from "../support/room-states.ts";

const states = roomStates("en");
const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
  { width: 640, height: 430 },
] as const;

/**
 * From now on every key notes what has the focus by then, and whether any of its first 40 pixels is behind the bar, or out
 * of the window.
 */
const NOTE = `(() => {
  globalThis.met = [];
  const meet = () => {
    const one = document.activeElement;
    if (one === null || one === document.body) return;
    const bar = document.querySelector(".act");
    const { top, bottom, height } = one.getBoundingClientRect();
    const isIn = bar !== null && (bar.contains(one) || getComputedStyle(bar).position !== "sticky");
    const end = bar === null || isIn ? innerHeight : bar.getBoundingClientRect().top;
    const first = Math.min(bottom, Math.max(top, 0) + Math.min(height, 40));
    met.push({ name: one.id || one.value || one.localName, isCovered: first > end + 0.5 || bottom <= 0 });
  };
  addEventListener("keydown", meet, true);
})()`;
const MOST = 40;

/** What is met on the way through the page, as fast as it takes the keys. */
async function tabThrough(page: Page, modifiers: 0 | 8): Promise<{ name: string; isCovered: boolean }[]> {
  await page.evaluate(NOTE);
  const cdp = await page.context().newCDPSession(page);
  const tab = { key: "Tab", code: "Tab", windowsVirtualKeyCode: 9, modifiers };
  const stops = await page.locator("a[href],button,input,textarea,summary,[tabindex]").count();
  const types = Array.from({ length: Math.min(MOST, stops) + 1 }, () => ["rawKeyDown", "keyUp"] as const).flat();
  await Promise.all(types.map((type) => cdp.send("Input.dispatchKeyEvent", { type, ...tab })));
  await cdp.detach();
  return page.evaluate("met");
}

inChromium("what is in front of a person", (browser) => {
  it.each(SIZES)("the focus is never under the bar: $width × $height, with a script and without", async (viewport) => {
    const covered: string[] = [];
    for (const javaScriptEnabled of [true, false]) {
      const live = javaScriptEnabled ? await openLive(browser(), { viewport }) : undefined;
      const { page, show } = live ? { ...live, show: live.load } : await openPainted(browser(), { viewport });
      for (const name of ["scene", "profile", "demand", "decide", "decide-with-agent", "decide-editing", "nobody"]) {
        await show(states[name]!);
        for (const shift of [0, 8] as const) {
          const met = await tabThrough(page, shift);
          expect(met.length, name).toBeGreaterThan(3);
          for (const one of met)
            if (one.isCovered) covered.push(`${name}, ${shift}: ${one.name}, script ${javaScriptEnabled}`);
        }
      }
    }
    expect(covered).toEqual([]);
  });

  it("what is typed at the end of a long text is above the bar", async () => {
    const { page, load } = await openLive(browser(), { viewport: { width: 640, height: 430 } });
    await load(states["decide-editing"]!);
    await page.locator("#f-text").press("ControlOrMeta+End");
    await typeKeys(page, `${"More words. ".repeat(40)}\nThe end`);
    const end = () =>
      page.evaluate(`(() => {
        const { bottom } = document.querySelector("#f-text").getBoundingClientRect();
        return bottom - document.querySelector(".act").getBoundingClientRect().top;
      })()`);
    await expect.poll(end).toBeLessThan(24); // the last line stands 12 pixels and a border above the end of its box
  });

  it("a low window still shows the sheet, and all that is decided by", async () => {
    const { page, load } = await openLive(browser(), { viewport: { width: 640, height: 430 } });
    for (const name of ["decide", "decide-editing", "decide-late", "decide-outage", "decide-runs-out"]) {
      await load(states[name]!);
      const bar = (await page.locator(".act").boundingBox())!;
      const text = (await page.locator(".sheet .text").boundingBox())!;
      expect(bar.y - text.y, name).toBeGreaterThan(80);
      expect(bar.y + bar.height, name).toBeLessThanOrEqual(430);
      for (const button of await page.locator(".act button:not(#more)").all()) {
        const { y, height } = (await button.boundingBox())!;
        expect(y + height, name).toBeLessThanOrEqual(430);
        expect(height, name).toBeGreaterThanOrEqual(40);
      }
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name).toBe(true);
    }
  });

  it("on a phone a thumb meets all that is decided by, and what the person wrote is there", async () => {
    const { page, load } = await openLive(browser(), { viewport: SIZES[1], hasTouch: true, isMobile: true });
    for (const name of ["decide", "decide-with-agent", "decide-edited"]) {
      await load(states[name]!);
      for (const button of await page.locator(".act button:not(#more)").all()) {
        const { y, height } = (await button.boundingBox())!;
        expect(height, name).toBeGreaterThanOrEqual(44);
        expect(y + height, name).toBeLessThanOrEqual(844);
      }
      expect(await page.locator(".yours blockquote").isVisible(), name).toBe(true);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name).toBe(true);
    }
  });
});
