import type { Page, Request } from "playwright-core";
import { expect, it } from "vitest";
import { profileConsequences } from "../../src/ask/consequences.ts";
import { uiSpec } from "../../src/room/ui-spec.ts";
import { textsOf } from "../../src/text/index.ts";
import { roomTexts } from "../../src/text/room.ts";
import { confirms } from "../support/backend.ts";
import { typeInto, typeKeys } from "../support/keys.ts";
import { openedRoom, toSheet, windowOn } from "../support/open-room.ts";
import { agentAt } from "../support/relay.ts";
import { inChromium } from "../support/room-browser.ts";
import { DRAWING } from "../support/room-parts.ts";
import { roomStates } from "../support/room-states.ts";

const GO = ".act .go:enabled";
const heading = (page: Page) => page.locator("h1").textContent();
const say = roomTexts("en");

it.each(["en", "zh"] as const)("before a profile is sent the room says what the other surfaces say: %s", (lang) => {
  const { sections } = uiSpec(roomStates(lang).profile!, DRAWING);
  const shown = sections.flatMap((one) => (one.kind === "facts" ? one.facts.map(({ value }) => value) : []));
  for (const { text } of profileConsequences({}, textsOf(lang))) expect(shown).toContain(text);
  const { sceneId } = roomStates(lang).profile!.form;
  const [goes] = sections.flatMap((one) => (one.kind === "form" ? (one.goes ?? []) : []));
  expect(goes?.detail).toContain(sceneId);
});

inChromium("Enter in a line", (browser) => {
  async function withAgent(options = {}) {
    const opened = await openedRoom({}, {}, ["--agent"]);
    const { page, context } = await windowOn(browser(), opened.address, options);
    await page.locator(".items li").first().waitFor();
    await expect.poll(opened.said).toMatch(/ws:\/\/\S+token=\S+/);
    const agent = await agentAt(/ws:\/\/\S+/.exec(opened.said())?.[0] ?? "");
    await agent.ask("relay.join", { role: "agent", sessionId: "default", name: "a" });
    await agent.ask("session.start", {});
    const hears = (text: string) => agent.sees(({ type, payload }) => type === "user.message" && payload.text === text);
    return { ...opened, page, context, agent, hears };
  }

  it("sends a message at once and empties its box, and leaves an input method's own Enter alone", async () => {
    const { page, hears, agent } = await withAgent();
    const box = page.locator("#f-message");
    await typeInto(box, "Look at the second sc");
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("Input.imeSetComposition", { text: "e", selectionStart: 1, selectionEnd: 1 });
    await cdp.send("Input.dispatchKeyEvent", {
      type: "keyDown",
      key: "Enter",
      code: "Enter",
      windowsVirtualKeyCode: 13,
    });
    await cdp.send("Input.insertText", { text: "e" });
    // In Safari's order the composition has ended when its Enter arrives. Chromium's own keys cannot come so.
    await page.evaluate(`document.activeElement.dispatchEvent(
      new KeyboardEvent("keydown", { key: "Enter", keyCode: 229, bubbles: true, cancelable: true }))`);
    await typeKeys(page, "ne");
    expect(await box.inputValue()).toBe("Look at the second scene");
    await box.press("Enter");
    await hears("Look at the second scene");
    await expect.poll(() => box.inputValue()).toBe("");
    await typeInto(box, "And the third");
    await box.press("Enter");
    await hears("And the third");
    expect(agent.frames.filter(({ type }) => type === "user.message")).toHaveLength(2);
    await expect.poll(() => box.inputValue()).toBe("");
  });

  it("leaves what is typed while the message is on its way", async () => {
    const { page, hears } = await withAgent();
    const box = page.locator("#f-message");
    const tool = (request: Request) => new URLSearchParams(request.postData() ?? "").get("do");
    const sent = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    await page.route("**/act", async (route) => {
      if (tool(route.request()) === "say") {
        sent.resolve();
        await released.promise;
      }
      await route.continue();
    });
    await typeInto(box, "Look at the second scene");
    await box.press("Enter");
    await sent.promise;
    await typeInto(box, "And the third");
    const next = page.waitForResponse((response) => tool(response.request()) === ""); // for what is typed meanwhile
    released.resolve();
    await next;
    await hears("Look at the second scene");
    expect(await box.inputValue()).toBe("And the third");
    await box.press("Enter");
    await hears("And the third");
  });

  it("sends a message without a script, where no other line stands beside it", async () => {
    const { page, mock, hears } = await withAgent({ javaScriptEnabled: false });
    await page.locator(`button[value="next?sceneId=${mock.sceneId}"]`).click();
    await typeInto(page.locator("#f-display_name"), "Lin");
    await page.locator("#f-display_name").press("Enter"); // it would go out for good
    expect(await heading(page)).toContain("Join");
    await page.locator(GO).click();
    await typeInto(page.locator("#f-intent"), "Half a sentence");
    await typeInto(page.locator("#f-message"), "What do you think?");
    await page.locator("#f-message").press("Enter");
    await hears("What do you think?");
    expect(await page.locator("#f-intent").inputValue()).toBe("Half a sentence");
  });

  it.each([true, false])("goes on with a scene's id (script: %s)", async (javaScriptEnabled) => {
    const { address, mock } = await openedRoom({ legacyRoutes: true });
    const { page } = await windowOn(browser(), address, { javaScriptEnabled });
    await typeInto(page.locator("#f-sceneId"), mock.sceneId);
    await page.locator("#f-sceneId").press("Enter");
    await page.locator("#f-display_name").waitFor();
    await typeInto(page.locator("#f-display_name"), "Lin");
    await page.locator("#f-display_name").press("Enter");
    expect(await heading(page)).toContain("Join");
  });
});

inChromium("the browser's Back", (browser) => {
  it("leads to the place before, keeps what was typed, and takes nothing back that was submitted", async () => {
    const { mock, address } = await openedRoom();
    const { page } = await windowOn(browser(), address);
    const card = `button[value="next?sceneId=${mock.sceneId}"]:enabled`;
    await page.locator(card).click();
    await typeInto(page.locator("#f-bio"), "Plans queues");
    await page.goBack();
    await expect.poll(() => heading(page)).toBe(say.scene.heading);
    await page.locator("button[value=openHistory]").click();
    await expect.poll(() => heading(page)).toBe(say.history.heading);
    await page.goBack();
    await expect.poll(() => heading(page)).toBe(say.scene.heading);
    await page.locator(card).click();
    expect(await page.locator("#f-bio").inputValue()).toBe("Plans queues");
    await typeInto(page.locator("#f-display_name"), "Lin");
    await page.locator(GO).click();
    await page.locator("#f-intent").waitFor();
    await typeInto(page.locator("#f-intent"), "Product design and growth marketing");
    await page.goBack(); // who has joined goes back to the scenes
    await expect.poll(() => heading(page)).toBe(say.scene.heading);
    await page.goForward();
    await expect.poll(() => heading(page)).toBe(say.demand.heading);
    expect(await page.locator("#f-intent").inputValue()).toBe("Product design and growth marketing");
    await page.goBack();
    await expect.poll(() => heading(page)).toBe(say.scene.heading);
    await page.locator(card).click();
    expect(await page.locator("#f-intent").inputValue()).toBe("Product design and growth marketing");
    await page.locator(GO).click();
    await page.locator("button[value^=broadcast]").waitFor();
    await page.locator("button[value=openHistory]").click();
    await expect.poll(() => heading(page)).toBe(say.history.heading);
    await page.goBack();
    await expect.poll(() => heading(page)).toBe(say.decision.heading);
    await page.reload();
    await page.locator("button[value=openHistory]").click();
    await expect.poll(() => heading(page)).toBe(say.history.heading);
    await page.goBack();
    await expect.poll(() => heading(page)).toBe(say.decision.heading);
    expect(confirms(mock)).toHaveLength(0);
    expect(mock.negotiations()).toHaveLength(1);
  });

  it("a demand opened from the list stays in the room, however often", async () => {
    const { mock, address, origin } = await openedRoom();
    const { page } = await windowOn(browser(), address);
    await toSheet(page, { sceneId: mock.sceneId });
    await page.locator("button[value^=withdraw]:enabled").click();
    await page.locator("button[value=restart]").first().waitFor();
    const ended = await heading(page);
    for (const _ of [1, 2, 3]) {
      await page.locator("button[value=restart]").click();
      await expect.poll(() => heading(page)).toBe(say.scene.heading);
      await page.locator("button[value=openHistory]").click();
      await page.locator("button[value^=openDemand]").click();
      await expect.poll(() => heading(page)).toBe(ended);
    }
    await page.locator("button[value=openHistory]").click();
    await expect.poll(() => heading(page)).toBe(say.history.heading);
    await page.goBack();
    await expect.poll(() => heading(page)).toBe(ended);
    expect(new URL(page.url()).origin).toBe(origin);
  });
});

inChromium("advice", (browser) => {
  it.each([true, false])(
    "what lacks something is marked once it has been left, and not before (script: %s)",
    async (javaScriptEnabled) => {
      const { mock, address } = await openedRoom();
      const { page } = await windowOn(browser(), address, { javaScriptEnabled });
      await page.locator(`button[value="next?sceneId=${mock.sceneId}"]`).click();
      await page.locator("#f-bio").waitFor();
      const { fields } = say.profile;
      const said = () => page.locator(".f.thin label").allTextContents();
      expect(await said()).toEqual([]);
      await typeInto(page.locator("#f-bio"), "Queues");
      expect(await said()).toEqual([]);
      await page.keyboard.press("Tab");
      if (!javaScriptEnabled) await page.locator("button[value^=setLanguage]").click();
      if (!javaScriptEnabled) await page.locator("button[value^=setLanguage]").click();
      await expect.poll(said).toEqual([fields.bio]);
      expect(await page.locator("#f-bio").getAttribute("aria-describedby")).toBe("h-bio");
      await typeInto(
        page.locator("#f-bio"),
        "I plan queues for hospitals in the north. I look for a designer who likes them.",
      );
      if (!javaScriptEnabled) await page.locator("button[value^=setLanguage]").click();
      // With a script the field that Tab led to has been left too.
      await expect.poll(said).toEqual(javaScriptEnabled ? [fields.skills] : []);
    },
  );
});

inChromium("somebody who comes another way", (browser) => {
  it("a second browser is told where to go on, and how to go on in it", async () => {
    const { address } = await openedRoom();
    await windowOn(browser(), address);
    const { page } = await windowOn(browser(), address);
    expect(await heading(page)).toBe(say.closed.heading);
    const told = await page.locator("main").innerText();
    expect(told).toContain("Go on there");
    expect(told).toContain("run towow-mcp open");
  });
});
