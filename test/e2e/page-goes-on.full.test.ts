import { expect, it } from "vitest";
import { confirms, runningMock } from "../support/backend.ts";
import { modernClient } from "../support/clients.ts";
import { temporaryHome } from "../support/home.ts";
import { windowOn } from "../support/open-room.ts";
import { inChromium } from "../support/room-browser.ts";

const INTENT =
  "We are looking for product design and growth marketing for a three-month pilot in an outpatient clinic, two days a week, mostly remote, with somebody who has worked with older patients before, and who can begin in January. ".repeat(
    3,
  );

inChromium("the page that a client opens for a question", (browser) => {
  it.each([
    ["en", {}],
    ["zh", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
    ["en", { javaScriptEnabled: false }],
  ] as const)("is the sheet, and the same page goes on to the plan (%s, %o)", async (lang, options) => {
    const mock = await runningMock({ stepMs: 120 });
    const env = { TOWOW_HOME: await temporaryHome(), TOWOW_BACKEND_URL: mock.url, TOWOW_LANG: lang };
    const decided = Promise.withResolvers<Awaited<ReturnType<typeof windowOn>>>();
    const session = await modernClient({ env, pages: true }, async ({ url = "" }) => {
      const window = await windowOn(browser(), url, options);
      const { page } = window;
      await page.locator(".sheet .text").waitFor();
      expect(await page.locator(".who").first().textContent()).toContain(
        lang === "zh" ? "你的 AI 写的" : "Your AI wrote",
      );
      expect(confirms(mock)).toHaveLength(0);
      await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)"); // on a phone its end is below
      await page.locator("button[value^=broadcast]:enabled").click();
      await page.locator(".sheet").waitFor({ state: "detached" }); // a person sees it go before they say that they are done
      decided.resolve(window);
      return { action: "accept" };
    });
    const demand = await session.call("towow_demand", { intent: INTENT, scene_id: mock.sceneId });
    expect(demand.result.data).toMatchObject({ decision: "accept", decided_by: "page" });
    const { page, asked, complaints } = await decided.promise;
    const address = page.url();
    await page.locator(".plan").waitFor();
    expect(page.url()).toBe(address);
    expect(confirms(mock)).toHaveLength(1);
    expect([...new Set(asked.map(({ origin }) => origin))]).toEqual([new URL(address).origin]);
    expect(complaints).toEqual([]);
  });
});
