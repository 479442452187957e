import { expect, it } from "vitest";
import type { Says } from "../../src/negotiation/says.ts";
import { violations } from "../support/axe.ts";
import { afterHeld, hidden, inChromium, openLive, openPainted } from "../support/room-browser.ts";
import { asking, room } from "../support/room-parts.ts";
import { roomStates } from "../support/room-states.ts";

/** As a link with its key in it. */
const WORD = "Pneumono".repeat(50);
const SMALLEST = { width: 320, height: 568 };

inChromium("the room on the smallest screens, and with the longest words", (browser) => {
  it.each(["en", "zh"] as const)("every stage and ending stays within 320 pixels: %s", async (lang) => {
    const { page, show } = await openPainted(browser(), { viewport: SMALLEST });
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
    expect(wide).toEqual([]);
  });

  it.each(["en", "zh"] as const)("the cards of scenes: axe finds nothing at 320 pixels: %s", async (lang) => {
    const { page, show } = await openPainted(browser(), { viewport: SMALLEST });
    const found: Record<string, string[]> = {};
    for (const [name, state] of Object.entries(roomStates(lang)))
      if (name.startsWith("scene")) {
        await show(state);
        found[name] = await violations(page);
      }
    expect(Object.keys(found)).not.toEqual([]);
    expect(Object.values(found).flat()).toEqual([]);
  });

  it("how many offers are in is drawn on a phone too, in one row with its count and its button", async () => {
    const { page, show } = await openPainted(browser(), { viewport: SMALLEST });
    for (const name of ["negotiating", "crowd"]) {
      await show(roomStates("en")[name]!);
      const boxes = await Promise.all(
        [".meter .lines", ".meter b", ".meter summary"].map((part) => page.locator(part).boundingBox()),
      );
      const middles = boxes.map((box) => box!.y + box!.height / 2);
      expect(Math.max(...middles) - Math.min(...middles), name).toBeLessThan(4);
      expect(boxes.at(-1)!.x + boxes.at(-1)!.width, name).toBeLessThanOrEqual(SMALLEST.width - 16);
    }
  });

  it.each([
    { width: 320, height: 568 },
    { width: 390, height: 844 },
  ])("a long error beside a decision covers no heading and is read to its end: $width", async (viewport) => {
    const { page, show } = await openPainted(browser(), { viewport });
    const text = "The backend answered with an error that it has not told anybody of before. ".repeat(8);
    for (const lang of ["en", "zh"] as const) {
      await show(asking(lang, {}, {}, { notice: { tone: "error", text } }));
      const [heading, notes] = [
        (await page.locator("h1").boundingBox())!,
        (await page.locator(".note").boundingBox())!,
      ];
      expect(notes.y).toBeGreaterThanOrEqual(heading.y + heading.height);
      await page.keyboard.press("End");
      await expect.poll(() => page.evaluate("scrollY + innerHeight >= document.body.clientHeight - 1")).toBe(true);
      expect(await hidden(page)).toEqual([]);
      expect(await violations(page)).toEqual([]);
    }
  });

  it.each([
    { width: 320, height: 568 },
    { width: 390, height: 600 },
    { width: 1280, height: 800 },
  ])(
    "warnings beside a decision cover none of its text, and are seen before a yes: $width × $height",
    async (viewport) => {
      const { page, load } = await openLive(browser(), { viewport });
      const { demand, ...others } = asking("en");
      const warnings: Says["warnings"] = ["degraded_formulation", "cancel_too_late"];
      await load({ ...others, demand: { ...demand!, said: { ...demand!.said, warnings } } });
      expect(await page.locator(".note.warning").count()).toBe(2);
      const covered = `[...document.querySelectorAll(".text > *, .adds li")].flatMap((one) => {
      const { left, top } = one.getClientRects()[0];
      const over = document.elementFromPoint(left + 2, top + 2);
      return over?.closest(".note") ? [one.textContent] : [];
    })`;
      const yes = page.locator("button[value^=broadcast]");
      const isSeen = `(() => {
      const { bottom } = [...document.querySelectorAll(".note.warning")].at(-1).getBoundingClientRect();
      return bottom <= document.querySelector(".act").getBoundingClientRect().top;
    })()`;
      expect(await page.evaluate(covered)).toEqual([]);
      expect(await page.evaluate(isSeen), "in the flow, below the text").toBe(false);
      for (let turns = 0; turns < 60 && !(await page.evaluate(isSeen)); turns += 1) {
        expect(await page.evaluate(covered)).toEqual([]);
        expect(await yes.getAttribute("aria-disabled"), "before they were seen").toBe("true");
        await page.mouse.wheel(0, 40);
        await afterHeld(page);
      }
      await page.mouse.wheel(0, 400);
      await afterHeld(page);
      expect(await yes.getAttribute("aria-disabled")).toBe(null);
      expect(await violations(page)).toEqual([]);
    },
  );

  it("a warning that comes while the person reads, and one in the place of another, holds the yes until it is seen", async () => {
    const { page, load, change } = await openLive(browser(), { viewport: { width: 390, height: 600 } });
    const { demand, ...others } = asking("en");
    const warned = (warnings: Says["warnings"]) => ({
      ...others,
      demand: { ...demand!, said: { ...demand!.said, warnings } },
    });
    const isHeld = async () =>
      (await page.locator("button[value^=broadcast]").getAttribute("aria-disabled")) === "true";
    const readOn = async () => {
      await page.mouse.wheel(0, 4_000);
      await afterHeld(page);
    };
    await load(warned([]));
    await readOn();
    expect(await isHeld()).toBe(false);
    for (const warnings of [["degraded_formulation"], ["cancel_too_late"]] satisfies Says["warnings"][]) {
      await page.mouse.wheel(0, -4_000);
      await afterHeld(page);
      await change(warned(warnings));
      expect(await isHeld(), `${warnings}, before it was seen`).toBe(true);
      await readOn();
      expect(await isHeld(), `${warnings}, after it was seen`).toBe(false);
    }
    await page.mouse.wheel(0, -4_000);
    await afterHeld(page);
    await change(warned([]));
    expect(await isHeld(), "a warning that goes holds nothing").toBe(false);
  });

  it.each([
    { width: 320, height: 568 },
    { width: 1280, height: 640 },
  ])(
    "a warning of what a profile or a demand holds is in sight wherever it can be sent: $width × $height",
    async (viewport) => {
      const { page, load } = await openLive(browser(), { viewport });
      const { profile } = room("en", {}).form;
      const inSight = `(() => {
      const note = document.querySelector(".note.warning");
      const { left, top } = note.getBoundingClientRect();
      return note.contains(document.elementFromPoint(left + 4, top + 4));
    })()`;
      const long = "Call me at 13800138000. ".repeat(60);
      for (const state of [
        room("en", { place: "profile" }, { profile: { ...profile, bio: long } }),
        room("en", { place: "demand" }, { joined: ["scene_000000000000"], intent: long }),
      ]) {
        await load(state);
        expect(await page.locator(".note.warning").count()).toBe(1);
        expect(await page.locator(".act .go").isEnabled()).toBe(true);
        for (const end of ["0", "document.body.scrollHeight"]) {
          await page.evaluate(`scrollTo({ top: ${end} })`);
          expect(await page.evaluate(inSight), `${state.place}, ${end}`).toBe(true);
        }
      }
    },
  );

  it.each([320, 390])("where a profile goes stands above the buttons, in a bar of one height: %i", async (width) => {
    const { page, show } = await openPainted(browser(), { viewport: { width, height: 844 } });
    const box = async (selector: string) => (await page.locator(selector).first().boundingBox())!;
    for (const lang of ["en", "zh"] as const) {
      const heights = new Set<number>();
      for (const name of ["profile", "profile-empty", "profile-joining"]) {
        await show(roomStates(lang)[name]!);
        const [bar, goes, yes] = [await box(".act"), await box(".act dl > div"), await box(".act .go")];
        expect(goes.y + goes.height, name).toBeLessThanOrEqual(yes.y);
        expect(goes.width, name).toBeGreaterThan(width / 2);
        heights.add(bar.height);
      }
      expect([...heights], lang).toHaveLength(1);
    }
  });

  it.each([390, 1280])("a scene's name without an end breaks no other word of the header: %i", async (width) => {
    const { page, show } = await openPainted(browser(), { viewport: { width, height: 800 } });
    const scenes = {
      state: "listed" as const,
      items: [{ id: "scene_000000000000", name: WORD, description: "", agents: 3 }],
    };
    await show(room("en", { place: "profile", scenes }));
    expect((await page.locator(".scene-name").boundingBox())!.height).toBeLessThan(52);
    const rows = await page
      .locator(".top > b:visible, .top > .opt:visible")
      .evaluateAll((parts) => parts.map((part) => part.getClientRects()[0]!.height));
    for (const height of rows) expect(height).toBeLessThan(30);
  });

  it.each([320, 1280])("a word without an end makes no page wider: %i", async (width) => {
    const { page, show } = await openPainted(browser(), { viewport: { width, height: 800 } });
    const states = {
      demand: room("en", { place: "demand" }, { intent: WORD, joined: ["scene_000000000000"] }),
      profile: room("en", { place: "profile" }, { resume: WORD }),
      edited: asking("en", {}, { edited: WORD }),
      editing: asking("en", {}, { edited: WORD, isEditing: true }),
    };
    for (const [name, state] of Object.entries(states)) {
      await show(state);
      expect(await page.evaluate("document.documentElement.scrollWidth"), name).toBeLessThanOrEqual(width);
    }
  });
});
