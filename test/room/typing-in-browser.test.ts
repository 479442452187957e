import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { typeInto } from "../support/keys.ts";
import { openedRoom, windowOn } from "../support/open-room.ts";
import { agentAt } from "../support/relay.ts";
import { inChromium } from "../support/room-browser.ts";

const GO = ".act .go";

/** Types into every field of the page, over whatever it holds. Gives what they hold then, by their names. */
async function typeIntoAll(page: Page, words: string): Promise<Map<string, string>> {
  const typed = new Map<string, string>();
  for (const field of await page.locator("[data-field]").all()) {
    const id = (await field.getAttribute("data-field")) ?? "";
    const isList = /skills|capabilities|interests/.test(id);
    const nth = `${words} ${typed.size}`;
    const text = isList ? `${nth},\n${nth}` : nth;
    await typeInto(field, text);
    typed.set(id, text);
  }
  return typed;
}

const held = async (page: Page): Promise<Map<string, string>> => {
  const fields = await page.locator("[data-field]").all();
  return new Map(
    await Promise.all(
      fields.map(async (one) => [(await one.getAttribute("data-field")) ?? "", await one.inputValue()] as const),
    ),
  );
};

inChromium("every field of every stage takes keys", { timeout: 240_000 }, (browser) => {
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
      for (const how of ["loaded", "reloaded", "in Chinese", "in English"]) {
        if (how === "reloaded") await page.reload();
        if (how.startsWith("in ")) {
          const lang = how === "in Chinese" ? "zh-CN" : "en";
          await page.locator("button[value^=setLanguage]").click();
          await expect.poll(() => page.locator("html").getAttribute("lang")).toBe(lang);
        }
        await page.locator("[data-field]").first().waitFor();
        const typed = await typeIntoAll(page, how);
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
    await goOn(`button[value="select?itemId=${mock.sceneId}"]`);
    await goOn();
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
    await page.locator("button[value^=cancel]").waitFor();
    await typeHere("negotiating");
    await goOn("button[value^=cancel]");
    await page.locator("#f-intent").waitFor();
    await typeHere("done");
    // Four times each: a search, nine of the profile, the demand, the text, the demand again; everywhere a word to the agent.
    expect(count).toEqual({ scene: 8, profile: 40, demand: 8, decision: 8, negotiating: 4, done: 8 });
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
    await page.locator(`${GO}:enabled`).waitFor();
  });
});
