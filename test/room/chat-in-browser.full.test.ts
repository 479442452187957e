import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import type { Frame } from "playwright-core";
import { expect, it } from "vitest";
import { ROOM_META } from "../../src/question/chat-wire.ts";
import { chatTexts } from "../../src/text/chat-page.ts";
import { roomTexts } from "../../src/text/room.ts";
import { confirms, requests } from "../support/backend.ts";
import { ERAS } from "../support/chat.ts";
import {
  ARMED,
  armed,
  drawn,
  drawnAsForm,
  formsOf,
  type HostOptions,
  LOOKED_MS,
  stands,
} from "../support/chat-drawn.ts";
import { chatHost, QUESTION_PAGE_FILE } from "../support/chat-host.ts";
import { INTENT, PROFILE_ASKED, waitingInChat } from "../support/chat-room.ts";
import { typeInto } from "../support/keys.ts";
import { inChromium, picture } from "../support/room-browser.ts";

const MAX_BYTES = 36 * 1024;

it("the page in the chat is one file that loads nothing, of at most 36 KB, compressed", () => {
  const page = readFileSync(QUESTION_PAGE_FILE);
  expect(gzipSync(page, { level: 9 }).length).toBeLessThanOrEqual(MAX_BYTES);
  expect(page.toString()).not.toMatch(/https?:\/\/(?!www\.w3\.org)| src=|<link|@import|url\(/);
});

const say = chatTexts("en");
/** The text as its person wants it. */
const OWN = "I am looking for a product designer for a three-month pilot in a hospital. Nights are fine.";
const heading = (page: Frame) => page.locator("h1").textContent();
const textOf = (page: Frame) =>
  page.locator(".sheet .text").evaluate((text) => {
    const copy = text.cloneNode(true) as HTMLElement;
    for (const extra of copy.querySelectorAll(".vh, sup")) extra.remove();
    return copy.textContent;
  });

/** What is marked in the text, and as whose. */
const marks = (page: Frame) =>
  page
    .locator(".sheet .text > *")
    .evaluateAll((all) => all.map(({ className, textContent }) => [className, textContent]));

inChromium("the page in the chat", (browser) => {
  it.each(ERAS)(
    "waits, shows the text, lets it be changed and broadcast, and follows it to the plan, by clicks (%s)",
    async (era) => {
      const { page, window, result, mock, clock, calls, complaints, heights } = await drawn(browser(), { era });
      expect(await heading(page)).toBe(say.waiting.title);
      expect(calls).toEqual([]);
      await result();
      await page.waitForSelector(".sheet .text");
      expect(await textOf(page)).toContain(INTENT);
      await expect.poll(() => heights().then(({ length }) => length)).toBe(2);
      const before = await heights();
      await armed(page);
      expect(await heights()).toEqual(before); // the frame stays as it is under the hand
      await picture(window, "chat-decide-720-light-en");
      await page.locator("button[value=edit]:visible").click();
      await typeInto(page.locator("textarea"), OWN);
      await armed(page); // the frame has taken its new height
      await page.locator("button[value=edit]:visible").click();
      await expect.poll(() => page.locator(".sheet .text:not(.editing)").count()).toBe(1);
      const shown = await textOf(page);
      expect(shown).toBe(OWN);
      // It is drawn as theirs whose words it is: what was typed here, beside nobody's.
      expect(await page.locator(".sheet header .who").textContent()).toContain(roomTexts("en").decision.yours);
      expect(await marks(page)).toEqual([[expect.stringMatching(/^you\b/), "your change: Nights are fine."]]);
      await picture(window, "chat-edited-720-light-en");
      await armed(page);
      expect(confirms(mock)).toHaveLength(0);
      const clickedAt = clock.now();
      await page.locator(ARMED).click();
      await expect.poll(() => confirms(mock).length).toBe(1);
      expect(mock.negotiations()[0]?.confirmedText).toBe(shown);
      await page.waitForSelector(".list");
      await picture(window, "chat-progress-720-light-en");
      await expect.poll(() => clock.advance(300).then(() => page.locator(".team li").count())).toBeGreaterThan(0);
      await picture(window, "chat-plan-720-light-en");
      expect(confirms(mock)).toHaveLength(1);
      expect(complaints).toEqual([]);
      // What the page says stood before its person is the text that went out, and by what it is known.
      const sent = formsOf({ calls }).find((form) => form.do?.startsWith("broadcast"));
      expect(sent?.do).toContain(`textHash=${sent?.shown}`);
      expect(sent?.display).toBe("visible");
      expect(Number(sent?.until)).toBeGreaterThan(clickedAt);
      // What is over is not asked about.
      const asked = calls.length;
      await window.waitForTimeout(LOOKED_MS);
      expect(calls).toHaveLength(asked);
    },
  );

  it("the same by keys, in Chinese, where the host is dark and narrow", async () => {
    const { page, window, result, mock, complaints } = await drawn(browser(), {
      width: 360,
      context: { theme: "dark", locale: "zh-CN" },
      config: { lang: "zh" },
      era: "modern",
    });
    await expect.poll(() => heading(page)).toBe(chatTexts("zh").waiting.title);
    await result();
    await armed(page);
    expect(await page.evaluate(() => document.documentElement.lang)).toBe("zh-CN");
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    await picture(window, "chat-decide-360-dark-zh");
    const { whole, seen } = await page
      .locator(".notes")
      .evaluate(({ scrollHeight, clientHeight }) => ({ whole: scrollHeight, seen: clientHeight }));
    expect(whole, "what is said in the lead's place is read without scrolling").toBeLessThanOrEqual(seen);
    const focused = () => page.evaluate(() => (document.activeElement as HTMLButtonElement | null)?.value ?? "");
    await window.locator("iframe").focus();
    for (let pressed = 0; pressed < 20 && !(await focused()).startsWith("broadcast"); pressed += 1)
      await window.keyboard.press("Tab");
    expect(await focused()).toMatch(/^broadcast/);
    expect(confirms(mock)).toHaveLength(0);
    await window.keyboard.press("Enter");
    await expect.poll(() => confirms(mock).length).toBe(1);
    expect(complaints).toEqual([]);
  });

  it("withdraws, and says so; its no is short, whatever was typed before", async () => {
    const { page, result, mock, clock, calls } = await drawn(browser());
    await result();
    await armed(page); // the frame stands by then
    await page.locator("button[value=edit]:visible").click();
    await typeInto(page.locator("textarea"), OWN);
    await armed(page);
    await page.locator("button[value^=withdraw]").click();
    await expect.poll(() => clock.advance(300).then(() => heading(page))).toContain("ithdrawn");
    expect(confirms(mock)).toHaveLength(0);
    const sent = formsOf({ calls }).find((form) => form.do?.startsWith("withdraw"));
    expect(Object.keys(sent ?? {}).filter((name) => /^(draft|until|f\.)/.test(name))).toEqual([]);
  });

  it("under strict it shows, says why it does not broadcast, leads to the page, and withdraws", async () => {
    const strict = { confirmation_policy: "strict" };
    const { page, window, result, mock, clock, calls } = await drawn(browser(), { config: strict });
    await result();
    await stands(calls);
    await page.getByRole("button", { name: say.decideOnPage }).waitFor();
    await page.getByText(roomTexts("en").decision.notInChat).waitFor();
    expect(await page.locator(".go:visible").count()).toBe(1);
    await picture(window, "chat-strict-720");
    await page.locator("button[value^=withdraw]").click();
    await expect.poll(() => clock.advance(300).then(() => heading(page))).toContain("ithdrawn");
    expect(confirms(mock)).toEqual([]);
  });

  it("follows the host's theme and greys, and keeps its own where nothing could be read", async () => {
    const { page, result, context, window } = await drawn(browser(), { context: { theme: "dark" }, width: 900 });
    await result();
    await page.waitForSelector(".sheet .text");
    const colours = () =>
      page.evaluate(() => {
        const { backgroundColor: ground, color } = getComputedStyle(document.querySelector(".app") as Element);
        return [ground, color];
      });
    expect(await colours()).toEqual(["rgb(22, 27, 26)", "rgb(233, 238, 236)"]);
    await picture(window, "chat-decide-900-dark-en");
    const greys = {
      "--color-background-primary": "light-dark(#fffdf8, #30302e)",
      "--color-background-secondary": "light-dark(#f5f4ed, #262624)",
      "--color-text-primary": "light-dark(#141413, #faf9f5)",
      "--color-text-secondary": "light-dark(#5c5a53, #c5c2b8)",
      "--color-border-primary": "light-dark(#dedcd1, #4a4944)",
      "--color-border-secondary": "light-dark(#7a7768, #9b988c)",
    };
    await context({ theme: "light", styles: { variables: greys as never } });
    await expect.poll(colours).toEqual(["rgb(255, 253, 248)", "rgb(20, 20, 19)"]);
    await picture(window, "chat-decide-900-host-light-en");
    await context({ theme: "dark" });
    await expect.poll(colours).toEqual(["rgb(48, 48, 46)", "rgb(250, 249, 245)"]);
    const pale = { ...greys, "--color-text-primary": "#777" };
    await context({ theme: "light", styles: { variables: pale as never } });
    await expect.poll(colours).toEqual(["rgb(255, 255, 255)", "rgb(20, 25, 24)"]);
  });

  it("stays with its first question, whatever the host hands it later", async () => {
    const { page, result, calls, waits, ticket } = await drawn(browser());
    await result();
    await page.waitForSelector(".sheet .text");
    await result({ ...waits, _meta: { "towow/page": { ticket: "of another" } } });
    await result({ content: [], structuredContent: {} });
    await armed(page);
    expect(new Set(calls.map(({ _meta }) => JSON.stringify(_meta)))).toEqual(
      new Set([JSON.stringify({ "towow/page": { ticket } })]),
    );
  });

  it("says what it cannot do where the host keeps the ticket, or lets it call nothing", async () => {
    const mute = await drawn(browser(), { capabilities: {} });
    await mute.result();
    await expect.poll(() => mute.page.locator("[role=status]").textContent()).toBe(say.noTools.lead);
    expect(mute.calls).toEqual([]);
    expect(await mute.page.getByRole("button").count()).toBe(0);
    const leads = await drawn(browser(), { capabilities: { openLinks: {} } });
    await leads.result();
    await leads.page.getByText(say.onPageOnly.lead).waitFor();
    await picture(leads.window, "chat-no-tools");
    await leads.page.getByRole("button", { name: say.decideOnPage }).click();
    await expect.poll(() => leads.asked).toEqual([["open-link", { url: expect.stringMatching(/^http:/) }]]);
    expect(leads.calls).toEqual([]);
    const answered = await drawn(browser());
    await answered.result({ content: [], structuredContent: { data: { decision: "confirm" } } });
    await expect.poll(() => heading(answered.page)).toBe(say.nothing.title);
    const stopped = await drawn(browser());
    await stopped.cancelled();
    await expect.poll(() => heading(stopped.page)).toBe(say.cancelled.title);
  });

  it("opens the question's page where the host keeps every _meta, and says so where it cannot", async () => {
    /** A host that hands on everything but `_meta`, both ways. */
    const keeping = async (options: Parameters<typeof drawn>[1] = {}) => {
      const { result, call } = await waitingInChat("modern", options.config, options.asks);
      const host = await chatHost(browser(), {
        async call({ _meta: _, ...params }) {
          const { _meta: __, ...answer } = await call(params);
          return answer;
        },
        ...options,
      });
      const { _meta: _, ...stripped } = result;
      await host.result(stripped);
      return { ...host, isSaid: (text: string) => host.page.getByText(text).waitFor() };
    };
    const kept = await keeping();
    await kept.isSaid(say.onPageNoTicket.lead);
    await picture(kept.window, "chat-no-ticket");
    await kept.page.getByRole("button", { name: say.decideOnPage }).click();
    await expect.poll(() => kept.asked).toEqual([["open-link", { url: expect.stringMatching(/\/approve\/result\//) }]]);
    for (const options of [
      { capabilities: { serverTools: {} } }, // it opens no address
      { config: { confirmation_policy: "strict" } },
      { asks: PROFILE_ASKED },
    ]) {
      const without = await keeping(options);
      await without.isSaid(say.noTicket.lead);
      expect(await without.page.getByRole("button").count()).toBe(0);
    }
  });

  it("a ticket that opens nothing ends the page, and it asks no more", async () => {
    const { page, window, result, calls } = await drawn(browser(), {
      call: async () => ({ content: [], isError: true, _meta: { [ROOM_META]: { status: 410, body: "" } } }),
    });
    await result();
    await expect.poll(() => heading(page)).toBe(say.over.title);
    const asked = calls.length;
    await window.waitForTimeout(LOOKED_MS);
    expect(calls).toHaveLength(asked);
  });

  it("an error of the host's own ends nothing: the page asks again", async () => {
    const { call, result } = await waitingInChat();
    let refused = 0;
    const { page, result: hand } = await chatHost(browser(), {
      call: async (params) => (refused++ === 0 ? { content: [], isError: true } : call(params)),
    });
    await hand(result);
    await expect.poll(() => heading(page)).toBe(say.unreached.title);
    await armed(page);
  });

  it("nothing can be decided while the host does not answer, and it can once it does", async () => {
    const { call, result } = await waitingInChat();
    let isFrozen = false;
    const thaw: (() => void)[] = [];
    const { page, result: hand } = await chatHost(browser(), {
      async call(params) {
        if (isFrozen) await new Promise<void>((resolve) => thaw.push(resolve));
        return call(params);
      },
    });
    await hand(result);
    await armed(page);
    isFrozen = true;
    await page.getByText(roomTexts("en").offline).waitFor();
    expect(await page.locator(ARMED).count()).toBe(0);
    isFrozen = false;
    for (const go of thaw) go();
    await armed(page);
  });

  it("opens the question's page by the host, and the whole window where the host has it to give", async () => {
    const context: HostOptions["context"] = { availableDisplayModes: ["inline", "fullscreen"] };
    const { page, result, asked } = await drawn(browser(), { context });
    await result();
    await armed(page);
    await page.getByRole("button", { name: say.toPage }).click();
    await expect.poll(() => asked).toEqual([["open-link", { url: expect.stringMatching(/^http:/) }]]);
    await page.getByRole("button", { name: say.fullScreen }).click();
    await expect.poll(() => asked.length).toBe(2);
    expect(asked[1]).toEqual(["display-mode", { mode: "fullscreen" }]);
  });

  it("what is typed leaves as the host takes the page away", async () => {
    const { page, result, teardown, calls } = await drawn(browser());
    await result();
    await armed(page);
    await page.locator("button[value=edit]:visible").click();
    await page.waitForSelector("textarea");
    await page.locator("textarea").press("End");
    await page.locator("textarea").pressSequentially("!");
    await teardown();
    await expect.poll(() => formsOf({ calls }).some((form) => form["f.text"]?.includes("!"))).toBe(true);
  });
});

inChromium("a profile that is asked about in the chat", (browser) => {
  const joins = (mock: Parameters<typeof requests>[0]) => requests(mock, "POST", /\/agents$/);
  const rows = (page: Frame) =>
    page
      .locator(".asked > div")
      .evaluateAll((all) => all.map(({ children: [dt, dd] }) => [dt, dd].map((it) => it?.textContent)));

  it.each(ERAS)(
    "is shown whole, loses what is taken out of it, and goes with the next call, by clicks (%s)",
    async (era) => {
      const { page, window, result, mock, world, call, calls, complaints, heights } = await drawn(browser(), {
        era,
        asks: PROFILE_ASKED,
      });
      await result();
      await page.waitForSelector(".asked");
      const asked = PROFILE_ASKED(world);
      const { profile_data: profile } = asked.arguments as { profile_data: Record<string, string> };
      expect((await rows(page)).map(([, value]) => value)).toEqual([
        "Mei Lin",
        profile.bio,
        "interaction design, user research, figma",
        "interviews with nurses",
        profile.experience,
      ]);
      await armed(page);
      await picture(window, "chat-profile-720-light-en");
      const before = await heights();
      await page.getByRole("button", { name: "Take out 13800138000" }).click();
      await page.getByRole("button", { name: "Put back 13800138000" }).waitFor();
      expect(await heights()).toEqual(before);
      await picture(window, "chat-profile-out-720-light-en");
      await armed(page);
      await page.locator(ARMED).click();
      await expect.poll(() => heading(page)).toBe("You have decided");
      await picture(window, "chat-profile-said-720-light-en");
      expect(joins(mock)).toHaveLength(0);
      await call(asked);
      expect(joins(mock).map(({ body }) => body)).toEqual([
        expect.objectContaining({
          profile_data: { ...profile, bio: "Designer of calm hospital software. Call me at ." },
        }),
      ]);
      const sent = formsOf({ calls }).find((form) => form.do?.startsWith("broadcast"));
      expect(sent?.do).toContain(`textHash=${sent?.shown}`);
      expect(sent?.display).toBe("visible");
      expect(complaints).toEqual([]);
      const count = calls.length;
      await window.waitForTimeout(LOOKED_MS);
      expect(calls).toHaveLength(count); // what is answered is not asked about
    },
  );

  it("the same by keys, in Chinese, where the host is dark and narrow; a no sends nothing", async () => {
    const { page, window, result, mock, world, call, complaints } = await drawn(browser(), {
      width: 360,
      context: { theme: "dark", locale: "zh-CN" },
      config: { lang: "zh" },
      era: "modern",
      asks: PROFILE_ASKED,
    });
    await result();
    await page.waitForSelector(".asked");
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    await picture(window, "chat-profile-360-dark-zh");
    const focused = () => page.evaluate(() => (document.activeElement as HTMLButtonElement | null)?.value ?? "");
    await window.locator("iframe").focus();
    for (let pressed = 0; pressed < 20 && !(await focused()).startsWith("withdraw"); pressed += 1)
      await window.keyboard.press("Tab");
    expect(await focused()).toMatch(/^withdraw/);
    await window.keyboard.press("Enter");
    await expect.poll(() => heading(page)).toBe("你已经决定了");
    expect((await call(PROFILE_ASKED(world))).structuredContent).toMatchObject({ warnings: ["declined"] });
    expect(joins(mock)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("has to be read to its end, with what follows from it", async () => {
    const { page, window, result } = await drawn(browser(), { height: 320, asks: PROFILE_ASKED });
    await result();
    await page.waitForSelector("#more");
    await picture(window, "chat-profile-720-fixed");
    await window.waitForTimeout(LOOKED_MS);
    expect(await page.locator(ARMED).count()).toBe(0);
    await window.mouse.move(300, 100);
    for (let turns = 0; turns < 20 && (await page.locator("#more").count()) > 0; turns += 1) {
      await window.mouse.wheel(0, 100);
      await window.waitForTimeout(50);
    }
    await armed(page);
  });

  it("under strict says why it cannot be sent from here, and leads to the page", async () => {
    const strict = { confirmation_policy: "strict" };
    const { page, window, result, asked, calls } = await drawn(browser(), { config: strict, asks: PROFILE_ASKED });
    await result();
    await page.getByText(roomTexts("en").decision.notInChat).waitFor();
    await picture(window, "chat-profile-strict-720");
    const way = page.getByRole("button", { name: say.decideOnPage });
    // A frame that has just grown gets no pointer at first: the button is pressed until it is.
    await expect.poll(() => way.click().then(() => asked.length)).toBeGreaterThan(0);
    expect(asked[0]).toEqual(["open-link", { url: expect.stringMatching(/^http:/) }]);
    expect(formsOf({ calls }).filter(({ do: what }) => what?.startsWith("broadcast"))).toEqual([]);
  });
});

inChromium("the page in the place of a form", (browser) => {
  const decided = (result: { structuredContent?: unknown }) => (result.structuredContent as { data: object }).data;

  it.each(ERAS)(
    "shows the text while the call waits, and lets it end by the click that broadcasts it (%s)",
    async (era) => {
      const { page, window, mock, answers, ended, complaints } = await drawnAsForm(browser(), { era });
      await page.waitForSelector(".sheet .text");
      expect(await textOf(page)).toContain(INTENT);
      await armed(page);
      await picture(window, "chat-form-720-light-en");
      expect(confirms(mock)).toHaveLength(0);
      expect(answers).toEqual([]);
      await page.locator(ARMED).click();
      await expect.poll(() => answers).toEqual([{ action: "accept", content: {} }]);
      expect(confirms(mock)).toHaveLength(1);
      expect(decided(await ended())).toMatchObject({ decision: "accept", decided_by: "page" });
      expect(complaints).toEqual([]);
    },
  );

  it("is changed and withdrawn by keys, in Chinese, where the host is dark and narrow", async () => {
    const { page, window, mock, answers, ended } = await drawnAsForm(browser(), {
      width: 360,
      context: { theme: "dark", locale: "zh-CN" },
      config: { lang: "zh" },
    });
    await armed(page);
    await picture(window, "chat-form-360-dark-zh");
    const focused = () => page.evaluate(() => (document.activeElement as HTMLButtonElement | null)?.value ?? "");
    const goTo = async (what: string) => {
      await window.locator("iframe").focus();
      for (let pressed = 0; pressed < 30 && !(await focused()).startsWith(what); pressed += 1)
        await window.keyboard.press("Tab");
      expect(await focused()).toMatch(new RegExp(`^${what}`));
    };
    await goTo("edit");
    await window.keyboard.press("Enter");
    await page.waitForSelector("textarea");
    expect(answers).toEqual([]); // what is changed there is not decided yet
    await goTo("withdraw");
    await window.keyboard.press("Enter");
    await expect.poll(() => answers).toEqual([{ action: "accept", content: {} }]);
    expect(decided(await ended())).toMatchObject({ decision: "reject", decided_by: "page" });
    expect(confirms(mock)).toEqual([]);
  });

  it("asks about a profile, which goes with the call that waits for it", async () => {
    const { page, window, mock, answers, ended } = await drawnAsForm(browser(), { asks: PROFILE_ASKED });
    await armed(page);
    await picture(window, "chat-form-profile-720-light-en");
    expect(requests(mock, "POST", /\/agents$/)).toEqual([]);
    await page.locator(ARMED).click();
    await expect.poll(() => answers).toEqual([{ action: "accept", content: {} }]);
    expect(await ended()).toMatchObject({ structuredContent: { status: "ok" } });
    expect(requests(mock, "POST", /\/agents$/)).toHaveLength(1);
  });

  it("lets the call end where its host lets it do nothing, and decides nothing", async () => {
    const { page, mock, answers, ended } = await drawnAsForm(browser(), { capabilities: {} });
    await expect.poll(() => answers).toEqual([{ action: "cancel" }]);
    expect(await heading(page)).toBe(say.noTools.title);
    expect(decided(await ended())).toMatchObject({ decision: null });
    expect(confirms(mock)).toEqual([]);
  });

  it("takes one question alone: another one that its host hands it is not asked there", async () => {
    const { page, form, mock, answers, ended } = await drawnAsForm(browser());
    await armed(page);
    expect(await form({ message: "Another", requestedSchema: { type: "object", properties: {} } })).toEqual({
      action: "cancel",
    });
    expect(answers).toEqual([]);
    expect(confirms(mock)).toEqual([]);
    await page.locator("button[value^=withdraw]:visible").click();
    expect(decided(await ended())).toMatchObject({ decision: "reject" });
  });
});
