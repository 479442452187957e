import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { roomTexts } from "../../src/text/room.ts";
import { confirms } from "../support/backend.ts";
import { untilEnded } from "../support/gated-clock.ts";
import { typeKeys } from "../support/keys.ts";
import { openedRoom, windowOn } from "../support/open-room.ts";
import { inChromium, PICTURES, picture } from "../support/room-browser.ts";

const GO = ".act .go:enabled";
/** No other wait of the backend is as long. */
const OFFER_TIMEOUT_MS = 29_000;
/** More places than any page of the room has. */
const MAX_TABS = 80;

const WORDS = {
  en: {
    resume: "Lin, Hangzhou. Eight years of recommenders.",
    profile: {
      display_name: "Lin Zhiyuan",
      bio: "I predict waiting times in hospitals. I look for a product designer for a pilot.",
      description: "Works from Hangzhou",
      skills: "time series\nPython\nrecommenders",
      capabilities: "forecasts\nprototypes",
      interests: "hospitals",
      experience: "Eight years of recommender systems.",
      constraints: "Ten hours a week",
    },
    intent: "We are looking for product design and growth marketing for a three-month pilot.",
    change: " Nights are fine.",
  },
  zh: {
    resume: "林知远，杭州，做了八年推荐系统。",
    profile: {
      display_name: "林知远",
      bio: "我做医院门诊排队时间的预测。正在找一位产品设计师一起做试点。",
      description: "常驻杭州",
      skills: "时间序列预测\nPython\n推荐系统",
      capabilities: "预测模型\n原型开发",
      interests: "医疗",
      experience: "八年推荐系统经验。",
      constraints: "每周十小时",
    },
    intent: "寻找产品设计和增长营销的伙伴，一起做三个月的试点。",
    change: "晚上也可以。",
  },
} as const;

/** Whether no box that scrolls cuts off the ring around what has the focus, above it or beside it. */
const RING_IS_WHOLE = `(() => {
  const { activeElement } = document;
  const { outlineWidth, outlineOffset } = getComputedStyle(activeElement);
  const ring = parseFloat(outlineWidth) + parseFloat(outlineOffset);
  const { left, right, top } = activeElement.getBoundingClientRect();
  for (let box = activeElement.parentElement; box !== document.body; box = box.parentElement) {
    const edge = box.getBoundingClientRect();
    const isCut = left - ring < edge.left || right + ring > edge.right || top - ring < edge.top;
    if (getComputedStyle(box).overflowY !== "visible" && isCut) return false;
  }
  return true;
})()`;

/** A person who has nothing but keys: what they press and type, and a count of it. */
function atKeyboard(page: Page) {
  const isThere = (selector: string) =>
    page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)}) === true`);
  /** By Tab, from wherever the focus is. */
  const goTo = async (selector: string) => {
    await page.locator(selector).first().waitFor();
    for (let tabs = 0; tabs < MAX_TABS && !(await isThere(selector)); tabs++) await page.keyboard.press("Tab");
    expect(await isThere(selector), `${selector} is not reached by Tab`).toBe(true);
    expect(await page.evaluate(RING_IS_WHOLE), `the ring around ${selector} is cut off`).toBe(true);
  };
  return {
    goTo,
    async press(selector: string, key = "Enter") {
      await goTo(selector);
      await page.keyboard.press(key);
    },
    async types(field: string, text: string) {
      await goTo(`#f-${field}`);
      await page.keyboard.press("ControlOrMeta+End");
      await typeKeys(page, text);
    },
  };
}

inChromium("by keyboard alone, from an empty home to the plan", (browser) => {
  it.each([
    ["en", 1280],
    ["zh", 390],
  ] as const)("%s, %i wide", async (lang, width) => {
    const say = roomTexts(lang);
    const { resume, profile, intent, change } = WORDS[lang];
    // Slow enough to be looked at, where it is filmed.
    const step = PICTURES === undefined ? {} : { stepMs: 900 };
    const { clock, end } = untilEnded(OFFER_TIMEOUT_MS);
    const { mock, address } = await openedRoom(
      { ...step, clock, offerTimeoutMs: OFFER_TIMEOUT_MS },
      { TOWOW_LANG: lang },
    );
    const asked: string[] = [];
    mock.engine.offerWith((agent) => (asked.push(agent) === 1 ? "hang" : undefined));
    const viewport = { width, height: width === 390 ? 844 : 800 };
    const film = PICTURES === undefined ? {} : { recordVideo: { dir: PICTURES, size: viewport } };
    const { page, complaints } = await windowOn(browser(), address, { viewport, ...film });
    await page.evaluate("globalThis.pointers = 0; addEventListener('pointerdown', () => { pointers += 1; }, true)");
    const { press, types, goTo } = atKeyboard(page);
    const heading = () => page.locator("h1").textContent();
    const shot = async (name: string) => {
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      await picture(page, `keys-${lang}-${width}-${name}`);
    };

    await goTo(`button[value="next?sceneId=${mock.sceneId}"]`);
    await shot("1-scenes");
    await page.keyboard.press(lang === "en" ? "Space" : "Enter");
    await expect.poll(heading).toContain(mock.scenes()[0]?.name);
    await shot("2-profile-empty");
    await press(".join form summary");
    for (const [field, text] of Object.entries(profile)) await types(field, text);
    await expect.poll(() => page.locator(".f.thin").count()).toBe(0);
    await press(".join aside summary");
    await types("resume", resume);
    await shot("3-profile");
    await press(GO);
    await expect.poll(heading).toBe(say.demand.heading);
    await types("intent", intent);
    await shot("4-demand");
    await press(GO);
    await press("button[value^='takeOut?']:enabled");
    await press("button[value^='putBack?']:enabled");
    await shot("5-decide");
    await press(".act button[value=edit]:enabled");
    await page.locator(".layers textarea").waitFor();
    await types("text", change);
    await shot("6-editing");
    await press(".act button[value=edit]:enabled");
    const broadcast = "button[value^=broadcast]:enabled:not([aria-disabled])";
    await page.locator(broadcast, { hasText: say.decision.broadcast }).waitFor();
    await goTo(broadcast);
    await shot("7-to-broadcast");
    expect(confirms(mock)).toHaveLength(0);
    await page.keyboard.press("Enter");
    await press(".neg .list li button", "Space");
    await shot("8-offers");
    end();
    await page.locator(".plan").waitFor();
    await shot("9-plan");
    await press("button[value=openHistory]");
    await press("button[value^='openDemand?']");
    await page.locator(".plan").waitFor();
    expect(mock.negotiations()[0]?.confirmedText?.endsWith(change)).toBe(true);
    expect(confirms(mock)).toHaveLength(1);
    expect(Object.values(mock.negotiations()).length).toBe(1);
    expect(await page.evaluate("pointers")).toBe(0);
    expect(complaints).toEqual([]);
  });
});
