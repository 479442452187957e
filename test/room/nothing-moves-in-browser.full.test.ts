import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { confirms } from "../support/backend.ts";
import { typeInto } from "../support/keys.ts";
import { openedRoom, toSheet, windowOn } from "../support/open-room.ts";
import { hidden, inChromium, openLive } from "../support/room-browser.ts";
import { roomStates } from "../support/room-states.ts";

/** At a decision no button moves while the person reads, changes and comes back: a second click lands on what the first did. */

const TEXTS = {
  en: "We are looking for product design in Hangzhou and growth marketing for a three-month pilot with two clinics. Call me at 13800138000. Remote is fine.",
  zh: "在杭州寻找产品设计和增长营销的伙伴，与两家诊所一起做三个月的试点。电话 13800138000。可以远程。",
};

const WINDOWS = [
  ["en", { width: 1280, height: 800 }],
  ["zh", { width: 1280, height: 800 }],
  ["en", { width: 390, height: 844 }],
  ["zh", { width: 360, height: 740 }],
] as const;

/** Where each button stands, those of the bar in the window and the others on the page: one that takes out and puts back is the same. */
const places = (page: Page) =>
  page.evaluate(`Object.fromEntries([...document.querySelectorAll("button[name=do]")].flatMap((button) => {
    const { x, y, width, height } = button.getBoundingClientRect();
    if (width < 2 || button.value === "") return [];
    const fromTop = button.closest(".act") ? y : y + scrollY; // the test's own clicks scroll
    const [what, query = ""] = button.value.split("?");
    const part = new URLSearchParams(query).get("itemId");
    const name = part !== null ? "part " + part : (button.closest(".act") ? "bar " : "") + what;
    return [[name, [x, fromTop, width, height].map(Math.round).join(" ")]];
  }))`) as Promise<Record<string, string>>;

/** Those of the second that stood elsewhere in the first. */
const moved = (before: Record<string, string>, after: Record<string, string>, but: readonly string[] = []) =>
  Object.entries(after).flatMap(([name, place]) =>
    name in before && before[name] !== place && !but.includes(name) ? `${name}: ${before[name]} → ${place}` : [],
  );

inChromium("at a decision", (browser) => {
  async function asked(lang: "en" | "zh", viewport: { width: number; height: number }) {
    const { mock, address } = await openedRoom({}, { TOWOW_LANG: lang });
    mock.engine.formulateWith(() => TEXTS[lang]);
    const { page } = await windowOn(browser(), address, { viewport });
    await toSheet(page, { sceneId: mock.sceneId, lang });
    await page.locator(".adds button").first().waitFor();
    return { mock, page };
  }

  it.each(WINDOWS)("no button moves, whatever is done: %s, %o", async (lang, viewport) => {
    const { mock, page } = await asked(lang, viewport);
    const first = await places(page);
    const act = async (selector: string, then: string) => {
      await page.locator(selector).first().click();
      await page.locator(then).first().waitFor();
      return places(page);
    };
    const out = await act(".adds button[value^='takeOut?itemId=1']", ".adds button[value^=putBack]");
    expect(moved(first, out), "taken out").toEqual([]);
    const parts = page.locator(".adds button[value^=takeOut]");
    for (let left = await parts.count(); left > 0; left--) {
      await parts.first().click();
      await expect.poll(() => parts.count()).toBe(left - 1);
    }
    expect(moved(first, await places(page)), "all taken out").toEqual([]);
    const reset = await act("button[value=reset]", ".adds button[value^='takeOut?itemId=1']");
    expect(moved(first, reset), "back to the network's text").toEqual([]);
    const editing = await act(".act button[value=edit]", ".layers textarea");
    expect(moved(first, editing), "editing").toEqual([]);
    await typeInto(page.locator(".layers textarea"), lang === "zh" ? "每周两天。" : " Two days a week.");
    await page.locator(".under .you").first().waitFor();
    expect(moved(editing, await places(page), ["reset"]), "typed").toEqual([]);
    const done = await act(".act button[value=edit]", ".text ins.you");
    expect(moved(first, done, ["reset"]), "edited").toEqual([]);
    const back = await act("button[value=reset]", ".adds button[value^=takeOut]");
    expect(moved(first, back), "back again").toEqual([]);
    const other = lang === "zh" ? "en" : "zh-CN";
    const spoken = await act("button[value^=setLanguage]", `html[lang="${other}"]`);
    expect(
      moved(
        first,
        spoken,
        Object.keys(first).filter((name) => name !== "setLanguage"),
      ),
      "language",
    ).toEqual([]);
    await act("button[value^=setLanguage]", `html:not([lang="${other}"])`);
    expect(moved(first, await places(page)), "and back").toEqual([]);
    await page.route("**/act", (route) => route.abort());
    await page.locator("button[value=edit]").first().click();
    await page.locator(".note.error").waitFor();
    expect(moved(first, await places(page)), "an error").toEqual([]);
    expect(await hidden(page), "an error").toEqual([]);
    expect(confirms(mock)).toHaveLength(0);
  });

  it.each(WINDOWS)("all that goes wrong at once is read whole, and moves nothing: %s, %o", async (lang, viewport) => {
    const states = roomStates(lang);
    const { page, load, change } = await openLive(browser(), { viewport });
    await load(states.decide!);
    const first = await places(page);
    await change(states["decide-outage"]!);
    await page.locator(".note.error").waitFor();
    expect(await hidden(page), "the backend is away").toEqual([]);
    await page.route("**/act", (route) => route.abort());
    await page.locator("button[value^=setLanguage]").click();
    await expect.poll(() => page.locator(".note.error").count()).toBe(2);
    expect(await hidden(page), "and the program").toEqual([]);
    expect(moved(first, await places(page))).toEqual([]);
  });

  it("the second of two clicks on the same place does nothing more", async () => {
    const { page } = await asked("en", { width: 1280, height: 800 });
    const acts: string[] = [];
    page.on("request", (request) => {
      const what = new URLSearchParams(request.postData() ?? "").get("do") ?? "";
      if (what !== "") acts.push(what);
    });
    await page.locator(".adds button[value^='takeOut?itemId=1']").dblclick();
    await page.locator(".adds button[value^='putBack?itemId=1']").waitFor();
    await page.locator(".act button[value=edit]").dblclick();
    await page.locator(".layers textarea").waitFor();
    await page.locator("button[value=reset]").click();
    await page.locator(".adds button[value^='takeOut?itemId=1']").waitFor();
    expect(acts).toEqual(["takeOut?itemId=1", "edit", "reset"]);
  });

  it("a mark holds no space at its ends, and no letter moves when the text becomes an editor", async () => {
    const { page } = await asked("en", { width: 1280, height: 800 });
    const marks = await page.locator(".sheet .text ins").allTextContents();
    expect(marks.map((text) => text.replace(/^added: /, ""))).not.toContainEqual(expect.stringMatching(/^\s|\s$/));
    const lines = (selector: string) =>
      page.evaluate(`(() => {
        const walker = document.createTreeWalker(document.querySelector(${JSON.stringify(selector)}), NodeFilter.SHOW_TEXT);
        const found = {};
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          if (node.parentElement.closest(".vh, sup")) continue;
          for (const { 0: word, index } of node.data.matchAll(/[A-Za-z]{4,}|\\d{11}/g)) {
            const range = document.createRange();
            range.setStart(node, index);
            range.setEnd(node, index + word.length);
            const { x, y } = range.getBoundingClientRect();
            found[word] ??= Math.round(x) + " " + Math.round(y);
          }
        }
        return found;
      })()`) as Promise<Record<string, string>>;
    const read = await lines(".sheet .text");
    await page.locator(".act button[value=edit]").click();
    await page.locator(".layers textarea").waitFor();
    expect(await lines(".under")).toEqual(read);
    expect(await page.locator(".under .pii").allTextContents()).toEqual(["13800138000"]);
  });

  it("the yes keeps its words, and what is struck out is not said to go out as shown", async () => {
    const { page } = await asked("en", { width: 1280, height: 800 });
    const yes = page.locator("button[value^=broadcast]");
    expect(await page.locator(".sheet header").textContent()).toContain("it goes out exactly as shown");
    await page.locator(".adds button[value^=takeOut]").first().click();
    await page.locator(".adds button[value^=putBack]").waitFor();
    expect(await page.locator(".sheet header").textContent()).toContain("it goes out without what is struck out");
    expect(await yes.textContent()).toBe("Broadcast this text");
    await page.locator(".act button[value=edit]").click();
    await typeInto(page.locator(".layers textarea"), " Two days a week.");
    await page.locator(".act button[value=edit]").click();
    await page.locator(".text ins.you").first().waitFor();
    expect(await page.locator(".sheet h2").textContent()).toContain("Your version");
    expect(await yes.textContent()).toBe("Broadcast this text");
  });
});
