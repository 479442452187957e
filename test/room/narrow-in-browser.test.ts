import { expect, it } from "vitest";
import { inChromium, openPainted } from "../support/room-browser.ts";
import { roomStates } from "../support/room-states.ts";

const SMALLEST = { width: 320, height: 568 };

inChromium("the room on the smallest screens", {}, (browser) => {
  it.each(["en", "zh"] as const)(
    "every stage and ending stays within 320 pixels: %s",
    { timeout: 120_000 },
    async (lang) => {
      const { context, page, show } = await openPainted(browser(), { viewport: SMALLEST });
      const wide: string[] = [];
      for (const [name, state] of Object.entries(roomStates(lang))) {
        await show(state);
        // What a person cannot scroll to, or reads letter by letter below each other.
        const found = await page.evaluate(`[...document.querySelectorAll("button, .legend .sw")]
        .filter((one) => one.getClientRects().length > 0 && !one.closest(".scroll, .vh"))
        .filter((one) => one.getBoundingClientRect().right > innerWidth || one.matches(".sw") && one.getClientRects().length > 1)
        .map(({ textContent }) => textContent)`);
        if ((found as string[]).length > 0) wide.push(`${name}: ${found}`);
        if (await page.evaluate("document.documentElement.scrollWidth > innerWidth")) wide.push(`${name}: the page`);
      }
      await context.close();
      expect(wide).toEqual([]);
    },
  );
});
