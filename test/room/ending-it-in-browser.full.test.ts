import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { violations } from "../support/axe.ts";
import { cancels } from "../support/backend.ts";
import { ARMED, armed, drawn } from "../support/chat-drawn.ts";
import { endNegotiation, openedRoom, toSheet, windowOn } from "../support/open-room.ts";
import { inChromium, readToEnd } from "../support/room-browser.ts";
import { untilHolds } from "../support/soon.ts";

/** A broadcast text cannot be called back, so the button that ends its negotiation asks once; a no before that never does. */

const LABELS = {
  en: ["Cancel negotiation", "Cancel this negotiation?", "The text is out already; it cannot be taken back."],
  zh: ["结束协商", "要结束这次协商吗？", "文本已经发出，无法收回。"],
} as const;

const heading = (page: Page) => page.locator("h1").textContent();
const focused = (page: Page) => page.evaluate("document.activeElement.textContent");
const question = (page: Page) => page.locator(".asks .card");

inChromium("ending a negotiation in the room", (browser) => {
  async function negotiating(lang: "en" | "zh", options = {}) {
    const { mock, address } = await openedRoom({ offerTimeoutMs: 3_600_000 }, { TOWOW_LANG: lang });
    mock.engine.offerWith(() => "hang");
    const { page } = await windowOn(browser(), address, options);
    await toSheet(page, { sceneId: mock.sceneId, lang });
    await readToEnd(page);
    await page.locator("button[value^=broadcast]:enabled:not([aria-disabled])").click();
    await page.locator(".asks").waitFor();
    return { mock, page };
  }

  it.each(["en", "zh"] as const)("is asked once by keys, and Esc goes back: %s", async (lang) => {
    const [label, asked, out] = LABELS[lang];
    const { mock, page } = await negotiating(lang);
    const button = page.locator(".asks summary");
    expect(await button.textContent()).toBe(label);
    for (let tabs = 0; tabs < 40 && (await focused(page)) !== label; tabs++) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await question(page).waitFor();
    expect(await question(page).innerText()).toContain(asked);
    expect(await question(page).innerText()).toContain(out);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Escape");
    await question(page).waitFor({ state: "hidden" });
    expect(await focused(page)).toBe(label);
    expect(cancels(mock)).toHaveLength(0);
    for (const key of ["Enter", "Tab", "Tab"]) await page.keyboard.press(key);
    expect(cancels(mock)).toHaveLength(0);
    await page.keyboard.press("Enter");
    await expect.poll(() => heading(page)).toBe(lang === "zh" ? "已撤回" : "Withdrawn");
    expect(cancels(mock)).toHaveLength(1);
  });

  it("by clicks: two on its button open the question, and letting it go on sends nothing", async () => {
    const { mock, page } = await negotiating("en", { viewport: { width: 320, height: 568 } });
    await page.locator(".asks summary").dblclick();
    await question(page).waitFor();
    await page.getByRole("button", { name: "Let it go on" }).click();
    await question(page).waitFor({ state: "hidden" });
    expect(cancels(mock)).toHaveLength(0);
    await page.locator(".asks summary").click();
    await page.getByRole("button", { name: "Cancel it" }).click();
    await expect.poll(() => heading(page)).toBe("Withdrawn");
    expect(cancels(mock)).toHaveLength(1);
  });

  it("without a script it is asked too, by a page that stays long enough to read the question", async () => {
    const { mock, page } = await negotiating("en", { javaScriptEnabled: false });
    const reload = page.locator("meta[http-equiv=refresh]");
    expect(Number(await reload.getAttribute("content"))).toBeGreaterThanOrEqual(20); // as accessible pages allow (WCAG 2.2.1)
    await page.locator(".asks summary").click();
    expect(cancels(mock)).toHaveLength(0);
    await endNegotiation(page);
    await expect.poll(() => heading(page)).toBe("Withdrawn");
    expect(cancels(mock)).toHaveLength(1);
  });

  it("in the chat it is asked too", async () => {
    const { page, window, result, mock, clock } = await drawn(browser());
    mock.engine.offerWith(() => "hang");
    await result();
    await armed(page);
    await page.locator(ARMED).click();
    await expect.poll(() => clock.advance(300).then(() => page.locator(".asks").count())).toBe(1);
    const card = page.locator(".asks .card");
    /** A click is lost while the host gives the frame another height: who clicked in vain clicks again. */
    const press = (button: Locator, { opens }: { opens: boolean }) =>
      untilHolds(async () => {
        if ((await card.isVisible()) !== opens) await button.click({ timeout: 1_000 });
        expect(await card.isVisible()).toBe(opens);
      });
    const button = page.locator(".asks summary");
    await press(button, { opens: true });
    expect(await page.locator(".asks h2").textContent()).toBe("Cancel this negotiation?");
    await window.keyboard.press("Escape");
    await card.waitFor({ state: "hidden" });
    await press(button, { opens: true });
    await press(page.getByRole("button", { name: "Let it go on" }), { opens: false });
    await press(button, { opens: true });
    expect(cancels(mock)).toHaveLength(0);
    await press(page.getByRole("button", { name: "Cancel it" }), { opens: false });
    await expect.poll(() => clock.advance(300).then(() => cancels(mock).length)).toBe(1);
  });
});
