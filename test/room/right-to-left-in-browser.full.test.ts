import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { permissionPage } from "../../src/ask/page/permission-page.ts";
import { uiSpec } from "../../src/room/ui-spec.ts";
import { textsOf } from "../../src/text/index.ts";
import { inChromium, openPainted, picture } from "../support/room-browser.ts";
import { asking, DRAWING, over, replied, room, stageAs } from "../support/room-parts.ts";
import { roomStates } from "../support/room-states.ts";

const NEED = "أبحث عن product designer لمدة 3 أشهر";
const FIRST = "أبحث";
const LAST = "أشهر";
const TEXTS = { demand_raw: NEED, demand_formulated: `${NEED}\nRemote is fine.` };

/** Where in the element the first and the last word of the sentence stand, from the left. */
const places = (page: Page, selector: string) =>
  page.locator(selector).evaluate(
    (element, [first, last]) => {
      const left = (word: string) => {
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
          const at = node.textContent?.indexOf(word) ?? -1;
          if (at < 0) continue;
          const range = document.createRange();
          range.setStart(node, at);
          range.setEnd(node, at + word.length);
          return range.getBoundingClientRect().left;
        }
        return Number.NaN;
      };
      return { first: left(first as string), last: left(last as string) };
    },
    [FIRST, LAST],
  );

inChromium("a text that is read from right to left", (browser) => {
  it("stands in that order in the decision and in the plan", async () => {
    const { page, show } = await openPainted(browser());
    const state = asking("en");
    const { demand } = state;
    if (demand?.negotiation === undefined) throw new Error("no demand");
    const negotiation = { ...demand.negotiation, ...TEXTS };
    await show({ ...state, demand: { ...demand, negotiation } });
    for (const selector of [".sheet .text", ".yours blockquote"]) {
      const { first, last } = await places(page, selector);
      expect(first, selector).toBeGreaterThan(last);
    }
    await picture(page, "right-to-left-decision");

    await show(
      over("en", stageAs("over", "accept", "broadcast"), {
        ...TEXTS,
        participants: replied("en"),
        plan_output: `## Plan\n\n${NEED}`,
      }),
    );
    const { first, last } = await places(page, ".prose p");
    expect(first, "the plan").toBeGreaterThan(last);
  });

  it("is typed in that order: the demand, and the text that is changed", async () => {
    const { page, show } = await openPainted(browser());
    const bidi = (selector: string) =>
      page.locator(selector).evaluate((element) => getComputedStyle(element).unicodeBidi);
    await show(room("en", { place: "demand" }, { intent: NEED, joined: ["scene_000000000000"] }));
    expect(await bidi("#f-intent")).toBe("plaintext");
    await show(asking("en", {}, { edited: NEED, isEditing: true }));
    expect(await bidi("#f-text")).toBe("plaintext");
    const { first, last } = await places(page, ".layers .under");
    expect(first, "what lies under the editor").toBeGreaterThan(last);
  });

  it("stands in that order on the page that asks about a profile", async () => {
    const { page } = await openPainted(browser());
    const html = await permissionPage(
      {
        ...{ id: "1", kind: "send", title: "Send?", text: NEED, host: "towow.example", until: "21:07:00", lang: "en" },
        asked: { about: "profile", scene: { id: "scene_1", name: LAST }, fields: [["bio", NEED]] },
        isOpen: async () => true,
        decide: async () => {},
      },
      { texts: textsOf("en"), host: "localhost:8765" },
    );
    await page.setContent(String(html));
    const { first, last } = await places(page, "#sent dd");
    expect(first).toBeGreaterThan(last);
    // Neither the id nor the host behind such a name is turned around.
    const left = await page
      .locator(".to dd > span")
      .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().left));
    expect(left).toHaveLength(3);
    expect(left).toEqual(left.toSorted((one, other) => one - other));
  });
});

/** Of the states whose steps are alike, one. */
const RAILS = [
  ...new Map(
    Object.entries(roomStates("en")).map((one) => [JSON.stringify(uiSpec(one[1], DRAWING).steps), one] as const),
  ).values(),
];

inChromium("the steps above the room", (browser) => {
  it("no name of a step and no time is broken in two", async () => {
    const { page, show } = await openPainted(browser());
    for (const [name, state] of RAILS) {
      await show(state);
      for (const width of [721, 760, 800, 860]) {
        await page.setViewportSize({ width, height: 800 });
        const broken = await page.evaluate(`[...document.querySelectorAll(".rail li>div *")].flatMap((one) => {
          const range = document.createRange();
          range.selectNodeContents(one);
          const rows = new Set([...range.getClientRects()].filter(({ width }) => width > 1).map(({ top }) => top));
          return one.matches(".vh") || rows.size < 2 ? [] : [one.textContent];
        })`);
        expect(broken, `${name}, ${width}`).toEqual([]);
      }
    }
  });
});
