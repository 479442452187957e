import { expect, it } from "vitest";
import { violations } from "../support/axe.ts";
import { inChromium, LOOKS_TIMEOUT_MS, openPainted, PICTURES } from "../support/room-browser.ts";
import { roomStates } from "../support/room-states.ts";
import type { Lang } from "../support/room-words.ts";

const WIDTHS = [1280, 800, 390];
const SCHEMES = ["light", "dark"] as const;

/** Every state in every look where pictures are kept; else each in one look, and every look with some. */
function looks() {
  const all = (["en", "zh"] as Lang[]).flatMap((lang) =>
    WIDTHS.flatMap((width) => SCHEMES.map((colorScheme) => ({ lang, width, colorScheme }))),
  );
  const names = Object.keys(roomStates("en"));
  const chosen = names.flatMap((name, index) =>
    (PICTURES === undefined ? [all[index % all.length]!] : all).map((look) => ({ name, ...look })),
  );
  return chosen.map((look) => ({ ...look, state: roomStates(look.lang)[look.name]! }));
}

inChromium("every stage and ending of the room, as it is painted", (browser) => {
  it("axe finds nothing, and nothing has to be scrolled sideways", { timeout: LOOKS_TIMEOUT_MS }, async () => {
    const { page, show } = await openPainted(browser());
    const found: Record<string, string[]> = {};
    for (const { name, state, lang, width, colorScheme } of looks()) {
      await page.setViewportSize({ width, height: width < 500 ? 844 : 800 });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await show(state);
      const look = `${name}-${width}-${colorScheme}-${lang}`;
      const all = await violations(page);
      if (all.length > 0) found[look] = all;
      if (PICTURES !== undefined) await page.screenshot({ path: `${PICTURES}/${look}.png`, fullPage: true });
    }
    expect(found).toEqual({});
  });

  it("prints dark words on white, and what colour says, also where the screen is dark", async () => {
    const { page, show } = await openPainted(browser());
    await page.emulateMedia({ colorScheme: "dark", media: "print" });
    await show(roomStates("en").plan!);
    const styleOf = (selector: string, name: string) =>
      page.evaluate(`getComputedStyle(document.querySelector("${selector}")).getPropertyValue("${name}")`);
    expect(await styleOf("h1", "color")).toBe("rgb(20, 25, 24)");
    expect(await styleOf("html", "background-color")).toBe("rgb(255, 255, 255)");
    expect(await styleOf(".card", "background-color")).toBe("rgb(255, 255, 255)");
    expect(await styleOf(".card", "print-color-adjust")).toBe("exact");
  });
});
