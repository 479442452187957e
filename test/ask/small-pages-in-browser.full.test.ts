import { Hono } from "hono";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { frontPage } from "../../src/mcp/http/front-page.ts";
import { violations } from "../support/axe.ts";
import { copiedIn } from "../support/clipboard.ts";
import { inChromium, LOOKS_TIMEOUT_MS, PICTURES, picture } from "../support/room-browser.ts";
import { ORIGIN, pagesIn } from "../support/small-pages.ts";
import { ownWindow, windowOf } from "../support/windows.ts";

function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (said) => said.type() === "error" && complaints.push(said.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  return complaints;
}

inChromium("every small page", (browser) => {
  it("axe finds nothing, nothing has to be scrolled sideways, and the page complains of nothing", {
    timeout: LOOKS_TIMEOUT_MS,
  }, async () => {
    const { page } = await windowOf(browser(), { bypassCSP: true });
    const complaints = complaintsOf(page);
    let body = "";
    await page.route("**", (route) => {
      if (route.request().resourceType() === "fetch") return; // a page that waits to be let in goes on waiting
      const isPage = new URL(route.request().url()).pathname === "/";
      return isPage ? route.fulfill({ contentType: "text/html; charset=utf-8", body }) : route.fulfill({ status: 204 });
    });
    const looks = (["en", "zh"] as const).flatMap((lang) =>
      [1280, 390].flatMap((width) => (["light", "dark"] as const).map((colorScheme) => ({ lang, width, colorScheme }))),
    );
    const painted = { en: await pagesIn("en"), zh: await pagesIn("zh") };
    const found: Record<string, string[]> = {};
    for (const [index, name] of Object.keys(painted.en).entries())
      for (const { lang, width, colorScheme } of PICTURES === undefined ? [looks[index % looks.length]!] : looks) {
        await page.setViewportSize({ width, height: 844 });
        await page.emulateMedia({ colorScheme });
        body = painted[lang][name] ?? "";
        await page.goto(`${ORIGIN}/`);
        const look = `${name}-${width}-${colorScheme}-${lang}`;
        const all = [...(await violations(page)), ...complaints.splice(0)];
        if (all.length > 0) found[look] = all;
        await picture(page, look);
      }
    expect(found).toEqual({});
  });

  it("on a phone the header names whose page it is, and what waits stands beside its sign", async () => {
    const { page } = await windowOf(browser(), { viewport: { width: 390, height: 844 }, bypassCSP: true });
    const pages = await pagesIn("en");
    const show = (name: string) => page.setContent(pages[name] ?? "");
    await page.goto("about:blank");
    await show("sign-in");
    expect(await page.locator(".top .mono").isVisible()).toBe(true);
    await show("way-with-code");
    const [sign, words] = await Promise.all([
      page.locator(".live .dot").boundingBox(),
      page.locator(".live .dot + span").boundingBox(),
    ]);
    expect(sign!.x + sign!.width, "the sign ends before the words begin").toBeLessThan(words!.x);
    expect(sign!.y, "the sign stands beside the words").toBeGreaterThan(words!.y);
  });

  it("the endpoint's own address: each button copies its block whole, under the page's own policy", async () => {
    const { page } = await ownWindow(browser(), { permissions: ["clipboard-read", "clipboard-write"] });
    const complaints = complaintsOf(page);
    const front = new Hono().get("/", (c) =>
      frontPage(c, ORIGIN, {
        room: "/room",
        isSignedIn: false,
        policy: { confirmation_policy: "strict", on_unconfirmed: "cancel" },
      }),
    );
    await page.route("**", async (route) => {
      if (new URL(route.request().url()).pathname !== "/") return route.fulfill({ status: 204 });
      const answer = await front.request("/");
      return route.fulfill({ headers: Object.fromEntries(answer.headers), body: await answer.text() });
    });
    await page.goto(`${ORIGIN}/`);
    const copied = await copiedIn(page);
    const blocks = await page.locator("pre").allTextContents();
    const tabs = await page.locator(".tabs label").all();
    expect(tabs).toHaveLength(blocks.length);
    for (const [index, tab] of tabs.entries()) {
      await tab.click();
      const button = page.locator("pre + button:visible");
      await button.click();
      await expect.poll(() => button.textContent()).toBe("Copied");
      expect(await copied()).toBe(blocks[index]);
    }
    expect(complaints).toEqual([]);
  });
});
