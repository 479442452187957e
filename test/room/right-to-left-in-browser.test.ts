import { expect, it } from "vitest";
import type { Negotiation } from "../../src/backend/contract.ts";
import type { RoomDemand } from "../../src/room/room-state.ts";
import { inChromium, openPainted } from "../support/room-browser.ts";
import { asking, room } from "../support/room-parts.ts";

const FIRST = "أبحث";
const LAST = "2026";
const DEMAND = `${FIRST} عن مصمم (v2.0) يبدأ ${LAST}`;
const JOINED = ["scene_000000000000"];

/** How far the text's first word stands to the right of its last one, in pixels, in what matches. */
const FIRST_BEFORE_LAST = `(selector) => {
  const leftOf = (word) => {
    const walker = document.createTreeWalker(document.querySelector(selector), NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const at = node.data.indexOf(word);
      if (at < 0) continue;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + word.length);
      return range.getBoundingClientRect().left;
    }
    return NaN;
  };
  return leftOf("${FIRST}") - leftOf("${LAST}");
}`;

inChromium("a text that is written from right to left", {}, (browser) => {
  it("is read from the right, whatever stands in it", async () => {
    const { context, page, show } = await openPainted(browser(), { viewport: { width: 1280, height: 900 } });
    const { demand, ...state } = asking("en", {}, { edited: DEMAND });
    const negotiation = { ...demand?.negotiation, demand_raw: DEMAND } as Negotiation;
    await show({ ...state, demand: { ...demand, negotiation } as RoomDemand });
    for (const place of [".sheet .text", ".yours blockquote"])
      expect(await page.evaluate(`(${FIRST_BEFORE_LAST})("${place}")`), place).toBeGreaterThan(0);
    await show(room("en", { place: "demand" }, { intent: DEMAND, joined: JOINED } as never));
    const bidi = `getComputedStyle(document.querySelector("#f-intent")).unicodeBidi`;
    expect(await page.evaluate(bidi)).toBe("plaintext");
    await context.close();
  });
});
