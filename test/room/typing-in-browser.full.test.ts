import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { typeInto } from "../support/keys.ts";
import { endNegotiation, openedRoom, windowOn } from "../support/open-room.ts";
import { agentAt } from "../support/relay.ts";
import { inChromium, openLive } from "../support/room-browser.ts";
import { roomStates } from "../support/room-states.ts";

const GO = ".act .go";

/** What every field of the page holds, by their names. */
const held = async (page: Page): Promise<Map<string, string>> =>
  new Map(
    await page
      .locator("[data-field]")
      .evaluateAll((all) =>
        (all as HTMLTextAreaElement[]).map((one): [string, string] => [one.dataset.field ?? "", one.value]),
      ),
  );

/** Types into every field of the page, over whatever it holds; a fold is opened by hand. Gives what they hold then. */
async function typeIntoAll(page: Page, words: string): Promise<Map<string, string>> {
  const typed = new Map<string, string>();
  const closed = page.locator("details:not([open]):has([data-field]) > summary");
  while ((await closed.count()) > 0) await closed.first().click();
  for (const id of (await held(page)).keys()) {
    const nth = `${words} ${typed.size}`;
    const text = /skills|capabilities|interests/.test(id) ? `${nth},\n${nth}` : nth;
    await typeInto(page.locator(`[data-field="${id}"]`), text);
    typed.set(id, text);
  }
  return typed;
}

inChromium("every field of every stage takes keys", (browser) => {
  it.each([
    ["with a script", true],
    ["without one", false],
  ] as const)("%s: after a load, a reload and a language change", async (_, javaScriptEnabled) => {
    const { mock, address, said } = await openedRoom({}, {}, ["--agent"]);
    mock.engine.offerWith(() => "hang");
    const { page, complaints } = await windowOn(browser(), address, { javaScriptEnabled });
    await expect.poll(said).toMatch(/ws:\/\/\S+token=\S+/);
    const agent = await agentAt(/ws:\/\/\S+/.exec(said())?.[0] ?? "");
    await agent.ask("relay.join", { role: "agent", sessionId: "default", name: "a" });
    await agent.ask("session.start", {});
    const count: Record<string, number> = {};
    const typeHere = async (stage: string) => {
      for (const how of ["load", "again", "other"]) {
        if (how === "again") await page.reload();
        if (how === "other") {
          const lang = (await page.locator("html").getAttribute("lang")) === "en" ? "zh-CN" : "en";
          await page.locator("button[value^=setLanguage]").click();
          await expect.poll(() => page.locator("html").getAttribute("lang")).toBe(lang);
        }
        await page.locator("[data-field]").first().waitFor();
        const typed = await typeIntoAll(page, how.slice(0, 1)); // a few keys are as good as many
        count[stage] = (count[stage] ?? 0) + typed.size;
        expect(await held(page)).toEqual(typed);
      }
    };
    const goOn = (selector = `${GO}:enabled`) => page.locator(selector).first().click();

    if (!javaScriptEnabled) await page.reload(); // shows the agent that has come
    await page.locator("#f-message").waitFor();
    await page.locator(".items li").first().waitFor();
    await typeHere("scene");
    await typeInto(page.locator("#f-sceneQuery"), "");
    if (!javaScriptEnabled) await page.locator(".search .unscripted").click();
    await goOn(`button[value="next?sceneId=${mock.sceneId}"]`);
    await page.locator("#f-bio").waitFor();
    await typeHere("profile");
    await goOn();
    await page.locator("#f-intent").waitFor();
    await typeHere("demand");
    await typeInto(page.locator("#f-intent"), "Product design and growth marketing for a pilot");
    await goOn();
    await goOn("button[value=edit]:enabled");
    await page.locator("#f-text").waitFor();
    await typeHere("decision");
    await typeInto(page.locator("#f-text"), "Product design and growth marketing for a pilot");
    await goOn("button[value=edit]:enabled");
    await goOn("button[value^=broadcast]:enabled");
    await page.locator(".asks").waitFor();
    await typeHere("negotiating");
    await endNegotiation(page);
    await page.locator("#f-intent").waitFor();
    await typeHere("done");
    // Three times each: a search and an id, nine of the profile, the demand, the text, the demand again; everywhere a word to the agent.
    expect(count).toEqual({ scene: 9, profile: 30, demand: 6, decision: 6, negotiating: 3, done: 6 });
    expect(complaints).toEqual([]);
  });

  it("a scene's id, where the backend lists none", async () => {
    const { address } = await openedRoom({ legacyRoutes: true });
    const { page } = await windowOn(browser(), address);
    const id = page.locator("#f-sceneId");
    await typeInto(id, "scene_000000000001");
    await page.reload();
    await typeInto(id, "scene_000000000002");
    await page.locator("button[value^=setLanguage]").click();
    await expect.poll(() => page.locator("html").getAttribute("lang")).toBe("zh-CN");
    await typeInto(id, "scene_000000000003");
    await page.locator(".by-id .go:enabled").waitFor();
  });

  it("a fold is closed until somebody's words stand in it, and stays open as they are taken out again", async () => {
    const { page, load, change } = await openLive(browser());
    const { profile: state } = roomStates("en");
    const withInterests = (interests: string) => ({
      ...state!,
      form: { ...state!.form, profile: { ...state!.form.profile, interests } },
    });
    const isOpen = () =>
      page.locator("details:has([data-field=interests])").evaluate((fold) => fold.hasAttribute("open"));
    await load(withInterests(""));
    expect(await isOpen()).toBe(false);
    await change(withInterests("walks"));
    expect(await isOpen()).toBe(true);
    await change(withInterests(""));
    expect(await isOpen()).toBe(true);
  });
});
