import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { violations } from "../support/axe.ts";
import { copiedIn } from "../support/clipboard.ts";
import { inChromium, openLive, openPainted } from "../support/room-browser.ts";
import { roomStates } from "../support/room-states.ts";

const { plan, "plan-warned": warned } = roomStates("en");
const whole = "priya@example.com";
const isSeen = (page: Page) => page.getByText(whole, { exact: true }).isVisible();

inChromium("the plan", (browser) => {
  it("a contact is hidden until it is clicked, also without a script and by keys", async () => {
    const { page, show } = await openPainted(browser(), { javaScriptEnabled: false });
    await show(plan!);
    expect(await isSeen(page)).toBe(false);
    await page.getByText("Show", { exact: true }).first().click();
    expect(await isSeen(page)).toBe(true);
    expect(await page.locator("[data-copy]").count()).toBe(0);
    await show(plan!);
    await page.locator(".ct summary").first().focus();
    await page.keyboard.press("Enter");
    expect(await isSeen(page)).toBe(true);
    expect(await page.getByText("p•••@•••.com").isVisible()).toBe(false);
  });

  it("a contact that is shown is copied as it stands, and moves no other row", async () => {
    const { page, load } = await openLive(browser(), { permissions: ["clipboard-read", "clipboard-write"] });
    await load(plan!);
    const copied = await copiedIn(page);
    const below = () => page.locator(".pp > li").last().boundingBox();
    const before = await below();
    await page.getByText("Show", { exact: true }).first().click();
    expect(await below()).toEqual(before);
    await page.locator("[data-copy]").first().click();
    await page.locator("[data-copy].ok").waitFor();
    expect(await copied()).toBe(whole);
  });

  it("a warning that comes while the page is open is announced, by what stood there before", async () => {
    const { page, load, change } = await openLive(browser());
    await load(plan!);
    const regions = await page.locator("[aria-live], [role=status]").elementHandles();
    await change(warned!);
    const words = await page.locator(".note.warning").allTextContents();
    expect(words.length).toBeGreaterThan(0);
    const said = await Promise.all(regions.map((region) => region.textContent()));
    for (const word of words) expect(said.join("\n")).toContain(word);
  });

  it("names of 300 letters, right to left, 320 px and twice the size: nothing is cut or has to be scrolled sideways", async () => {
    const { page, show } = await openPainted(browser());
    const long = (text: string) => text.repeat(60).slice(0, 300);
    const names = [long("Priyanka"), long("مريم"), long("陈若溪")];
    const participants = plan!.demand!.negotiation!.participants.map((one, i) => ({
      ...one,
      display_name: names[i]!,
      offer_capabilities: [names[i]!],
    }));
    const tasks = plan!.demand!.tasks!.map((task, i) => ({ ...task, title: names[i] ?? long("הסכם") }));
    const negotiation = { ...plan!.demand!.negotiation!, participants };
    const state = { ...plan!, demand: { ...plan!.demand!, negotiation, tasks } };
    for (const width of [320, 640, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await show(state);
      for (const summary of await page.locator(".plan summary").all()) await summary.click();
      expect(await violations(page)).toEqual([]); // among them: nothing scrolls sideways
      for (const name of names) expect(await page.getByText(name, { exact: true }).first().isVisible()).toBe(true);
    }
  });

  it("prints who does what and what comes next, and nothing that is folded, on one sheet", async () => {
    const { page, show } = await openPainted(browser());
    await show(plan!);
    await page.emulateMedia({ media: "print" });
    expect(await page.locator(".gap .txt").isVisible()).toBe(true);
    expect(await page.locator(".check").isVisible()).toBe(true);
    expect(await page.locator(".folds").isVisible()).toBe(false);
    const pdf = await page.pdf({ format: "A4", printBackground: true });
    expect(pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  });
});
