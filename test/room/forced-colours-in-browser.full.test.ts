import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { inChromium, openPainted } from "../support/room-browser.ts";
import { roomStates } from "../support/room-states.ts";
import { pagesIn } from "../support/small-pages.ts";
import { windowOf } from "../support/windows.ts";

const states = roomStates("en");

/** A part of the page as it is drawn. */
const drawn = async (page: Page, selector: string): Promise<string> => {
  const box = await page.locator(selector).first().boundingBox();
  if (box === null) throw new Error(`nothing is drawn for ${selector}`);
  const around = { x: box.x - 2, y: box.y - 2, width: box.width + 4, height: box.height + 8 };
  return (await page.screenshot({ clip: around, animations: "disabled" })).toString("base64");
};

/** Whether a part looks different from what it is without itself, or without its mark. */
async function isSeen(
  page: Page,
  selector: string,
  without: "visibility:hidden" | "text-decoration:none" | "border-top:0",
) {
  const before = await drawn(page, selector);
  const style = await page.addStyleTag({ content: `${selector}{${without}!important}` });
  const after = await drawn(page, selector);
  await style.evaluate((one) => (one as unknown as { remove(): void }).remove());
  return before !== after;
}

inChromium("in a person's own colours", (browser) => {
  it.each(["light", "dark"] as const)("every dot, mark and legend is drawn: %s", async (colorScheme) => {
    const { page, show } = await openPainted(browser(), { forcedColors: "active", colorScheme });
    const unseen: string[] = [];
    const see = async (state: string, selectors: string[], without: Parameters<typeof isSeen>[2]) => {
      await show(states[state]!);
      for (const selector of selectors)
        if (!(await isSeen(page, selector, without))) unseen.push(`${state}: ${selector}`);
    };
    await see("plan", [".pp .av", ".pp .gap .av", ".tl .mine", ".tl .open", ".check .box"], "visibility:hidden");
    await see(
      "negotiating",
      [".of .bead", ".wa .bead", ".lines i.of", ".lines i.wa", ".todo .yao i"],
      "visibility:hidden",
    );
    await see("decide-editing-rewritten", [".under .you", ".sw.you", ".sw.net"], "text-decoration:none");
    await see("decide-editing", [".under .net"], "text-decoration:none");
    await see("decide-candidate", [".text ins.ag", ".legend .sw.ag"], "text-decoration:none");
    await see("decide-edited", [".text ins.net"], "text-decoration:none");
    // A note lies over the text, with a line around it.
    await see("decide-outage", [".note"], "border-top:0");
    expect(unseen).toEqual([]);
    // And one is told from the other.
    await show(states.negotiating!);
    expect(await drawn(page, ".of .bead")).not.toBe(await drawn(page, ".wa .bead"));
    const [chosen, other] = ["true", "false"].map((is) => `.list li button[aria-pressed=${is}]`) as [string, string];
    const outline = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((one) => getComputedStyle(one).outlineStyle);
    expect([await outline(chosen), await outline(other)]).toEqual(["solid", "none"]);
  });

  it.each(["light", "dark"] as const)("personal data in a question are as readable as the rest: %s", async (scheme) => {
    const { page } = await windowOf(browser(), { forcedColors: "active", colorScheme: scheme, bypassCSP: true });
    const pages = await pagesIn("en");
    for (const name of ["send", "cancel"]) {
      await page.setContent(pages[name] ?? "");
      const colours = await page
        .locator("mark.pii")
        .evaluateAll((marks) =>
          marks.map((mark) => [mark, mark.closest("dd, .text")!].map((one) => getComputedStyle(one).color)),
        );
      expect(colours, name).not.toEqual([]);
      for (const [own, around] of colours) expect(own, name).toBe(around);
    }
  });
});
