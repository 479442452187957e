import type { BrowserContextOptions, Page } from "playwright-core";
import { expect, it } from "vitest";
import type { AskedProfile } from "../../src/ask/asked.ts";
import { inChromium, readToEnd } from "../support/room-browser.ts";
import { windowOf } from "../support/windows.ts";
import { openPage } from "./page-support.ts";

/** The page that asks whether something may be sent: its yes counts once all of it was in the window, and stays where it is. */

const lines = (count: number) =>
  Array.from({ length: count }, (_, n) => `${n + 1}. Two days a week on site.`).join("\n");
const profile = (bio: string): AskedProfile => ({
  about: "profile",
  scene: { id: "scene_248c1e89af9e", name: "Indie product studio" },
  fields: [
    ["display_name", "Lin"],
    ["bio", bio],
  ],
});
const yes = (page: Page) => page.getByRole("button", { name: "Send this profile" });
const no = (page: Page) => page.getByRole("button", { name: "Send nothing" });
const more = (page: Page) => page.getByRole("button", { name: /^More below/ });
const armed = (page: Page) => page.locator("[value=accept]:not([aria-disabled])");

inChromium("a question whether something may be sent", (browser) => {
  async function asked(bio: string, options: BrowserContextOptions = {}) {
    const { pages } = await openPage("A designer.");
    const decided: string[] = [];
    const { forClient } = await pages.openPermission({
      ...{ id: "profile-1", kind: "send", title: "", text: "", asked: profile(bio), lang: "en" },
      ...{ host: "towow.example", until: "21:07:00" },
      isOpen: async () => decided.length === 0,
      decide: async (verdict) => void decided.push(verdict),
    });
    const { page } = await windowOf(browser(), options);
    await page.goto(forClient);
    return { page, decided };
  }

  it.each([
    { width: 1280, height: 800 },
    { width: 360, height: 740 },
  ])("whose end is below is not sent by a click or a key before that was in the window: $width", async (viewport) => {
    const { page, decided } = await asked(lines(200), { viewport });
    await more(page).waitFor();
    const before = [await yes(page).boundingBox(), await no(page).boundingBox()];
    expect(await yes(page).getAttribute("aria-disabled")).toBe("true");
    await yes(page).click({ force: true });
    expect(decided).toEqual([]);
    await yes(page).focus();
    for (const key of ["Enter", "Space"]) {
      await page.keyboard.press(key);
      expect(decided).toEqual([]);
    }
    expect(await page.locator("#sent").count()).toBe(1);
    for (const key of ["Shift+Tab", "Shift+Tab", "Enter"]) await page.keyboard.press(key); // to "More below"
    await expect.poll(() => page.evaluate("scrollY")).toBeGreaterThan(0);
    await readToEnd(page, armed(page));
    expect(decided).toEqual([]);
    const ends = await page.evaluate(`[...document.querySelectorAll("[data-end]")].map((end) => end.dataset.end)`);
    expect(ends).toEqual(["sheet", "follows"]);
    expect([await yes(page).boundingBox(), await no(page).boundingBox()]).toEqual(before);
    await armed(page).click();
    await page.getByRole("status").waitFor();
    expect(decided).toEqual(["accept"]);
  });

  it("behind the bar is not seen: it is where the text is a line longer than the room above it", async () => {
    const { page } = await asked(lines(14), { viewport: { width: 360, height: 740 } });
    await page.evaluate(`(() => {
      const end = document.querySelector("[data-end=follows]").getBoundingClientRect().top;
      scrollTo(0, end - innerHeight + document.querySelector(".act").clientHeight / 2);
    })()`);
    await more(page).waitFor();
    expect(await yes(page).getAttribute("aria-disabled")).toBe("true");
    await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
    await armed(page).waitFor();
  });

  it("that is seen at once waits for a moment, and what was seen stays seen in a smaller window", async () => {
    const { page, decided } = await asked("A designer.");
    await armed(page).waitFor();
    expect(await more(page).isVisible()).toBe(false);
    await page.setViewportSize({ width: 360, height: 600 });
    expect(await yes(page).getAttribute("aria-disabled")).toBeNull();
    await no(page).click();
    await page.getByRole("status").waitFor();
    expect(decided).toEqual(["reject"]);
  });

  it("a no counts from the first, also where the end is below", async () => {
    const { page, decided } = await asked(lines(200));
    await more(page).waitFor();
    await no(page).click();
    await page.getByRole("status").waitFor();
    expect(decided).toEqual(["reject"]);
  });

  it("stands behind the text and works where no script does", async () => {
    const { page, decided } = await asked(lines(200), { javaScriptEnabled: false });
    const [bar, end] = [
      await page.locator(".act").boundingBox(),
      await page.locator("[data-end=follows]").boundingBox(),
    ];
    expect(bar!.y).toBeGreaterThanOrEqual(end!.y);
    expect(await more(page).isVisible()).toBe(false);
    await yes(page).click();
    await page.getByRole("status").waitFor();
    expect(decided).toEqual(["accept"]);
  });

  it("lies over nothing in a low window", async () => {
    const { page } = await asked(lines(40), { viewport: { width: 740, height: 360 } });
    await more(page).waitFor();
    expect(await page.evaluate("getComputedStyle(document.querySelector('.act')).position")).toBe("relative");
  });
});
