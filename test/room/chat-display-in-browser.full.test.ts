import type { Frame } from "playwright-core";
import { expect, it } from "vitest";
import { PAGE_TOOL } from "../../src/question/chat-wire.ts";
import { cancels, confirms } from "../support/backend.ts";
import { ARMED, armed, drawn, formsOf, LOOKED_MS } from "../support/chat-drawn.ts";
import { chatHost } from "../support/chat-host.ts";
import { waitingInChat } from "../support/chat-room.ts";
import { inChromium, picture } from "../support/room-browser.ts";
import { ORIGIN } from "../support/world.ts";

/** What stands before nobody, or not where it was aimed at, is not decided on; and what the record says of the rest. */

/** Where a page stands that nobody can see, each as a host's own style sheet would have it. A click goes through it. */
const UNSEEN = {
  "off screen": "iframe { margin-top: 3000px; }",
  "taken out of the layout": "iframe { display: none; }",
  "cut off": "#chat { height: 0; overflow: hidden; }",
  hidden: "iframe { visibility: hidden; }",
  covered: "body::after { content: ''; position: fixed; inset: 0; background: #fff; pointer-events: none; }",
  "covered where its buttons stand":
    "body::after { content: ''; position: fixed; inset: 60px 0 0; background: #fff; pointer-events: none; }",
  transparent: "iframe { opacity: 0.02; }",
  blurred: "iframe { filter: blur(30px); }",
  tiny: "iframe { transform: scale(0.05); }",
};

/** A cover over the end of the text alone. */
const END_COVERED =
  "#chat { position: relative; } #chat::after { content: ''; position: absolute; inset: 150px 0 100px; background: #fff; pointer-events: none; }";

const boxOf = async (page: Frame) => (await page.locator(ARMED).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };

type Drawn = Awaited<ReturnType<typeof drawn>>;

/** What the record says of how a yes was shown; undefined without a yes. */
async function recorded({ world, waits }: Drawn): Promise<unknown> {
  const { negotiation_id: id } = (waits.structuredContent as { data: { negotiation_id: string } }).data;
  return (await world.facts.read({ origin: ORIGIN, id })).get("decided.1");
}

inChromium("what stands before nobody in the chat", (browser) => {
  for (const [how, style] of Object.entries(UNSEEN))
    it(`a page that is ${how} arms no yes, and does not say that its text was shown`, async () => {
      const host = await drawn(browser());
      const { page, window, result, calls } = host;
      const added = await window.addStyleTag({ content: style });
      await result();
      await page.locator(".sheet .text").waitFor({ state: "attached" });
      await window.waitForTimeout(LOOKED_MS);
      expect(await page.locator(ARMED).count()).toBe(0);
      expect(formsOf({ calls }).filter(({ shown }) => shown !== undefined)).toEqual([]);
      expect(await recorded(host)).toBeUndefined();
      // Once it is seen, it can be decided on; and a cover that comes later holds it again.
      await added.evaluate((element) => (element as Element).remove());
      await armed(page);
      await window.addStyleTag({ content: style });
      await expect.poll(() => page.locator(ARMED).count()).toBe(0);
    });

  it("a text whose end is covered has not been seen whole", async () => {
    const { page, window, result, calls } = await drawn(browser());
    await window.addStyleTag({ content: END_COVERED });
    await result();
    await page.waitForSelector(".sheet .text");
    await window.waitForTimeout(LOOKED_MS);
    expect(await page.locator(ARMED).count()).toBe(0);
    expect(formsOf({ calls }).filter(({ shown }) => shown !== undefined)).toEqual([]);
  });

  it("a frame that is too small to read in, and one whose page has to be read to its end", async () => {
    const tiny = await drawn(browser(), { height: 40 });
    await tiny.result();
    await tiny.page.waitForSelector(".sheet .text");
    const low = await drawn(browser(), { height: 210 });
    await low.result();
    await low.page.waitForSelector("#more");
    await picture(low.window, "chat-decide-720-fixed");
    await low.window.waitForTimeout(LOOKED_MS);
    expect([await tiny.page.locator(ARMED).count(), await low.page.locator(ARMED).count()]).toEqual([0, 0]);
    // Read on with a wheel: the button that leads there goes as soon as the last end is in the window.
    await low.window.mouse.move(300, 100);
    await low.window.mouse.wheel(0, 400);
    await armed(low.page);
  });

  it("the record of a page that stood before its person says visible", async () => {
    const host = await drawn(browser());
    await host.result();
    await armed(host.page);
    expect(confirms(host.mock)).toHaveLength(0);
    await host.page.locator(ARMED).click();
    await expect.poll(() => confirms(host.mock).length).toBe(1);
    expect(await recorded(host)).toMatchObject({ kind: "accept", display: { surface: "page", drawn: "visible" } });
  });

  it.each(["off screen", "taken out of the layout", "cut off"] as const)(
    "in a browser that sees no covers a page that is %s arms no yes",
    async (how) => {
      const host = await drawn(browser(), { seesNoCovers: true });
      const { page, window, result } = host;
      await window.addStyleTag({ content: UNSEEN[how] });
      await result();
      await page.locator(".sheet .text").waitFor({ state: "attached" });
      await window.waitForTimeout(LOOKED_MS);
      expect(await page.locator(ARMED).count()).toBe(0);
      expect(await recorded(host)).toBeUndefined();
    },
  );

  it.each(["covered", "transparent", "blurred"] as const)(
    "in a browser that sees no covers the record of a page that was %s says in_view, and no more",
    async (how) => {
      const host = await drawn(browser(), { seesNoCovers: true });
      const { page, window, result, mock } = host;
      await window.addStyleTag({ content: UNSEEN[how] });
      await result();
      await armed(page);
      expect(confirms(mock)).toHaveLength(0);
      await page.locator(ARMED).click();
      await expect.poll(() => confirms(mock).length).toBe(1);
      expect(await recorded(host)).toMatchObject({ kind: "accept", display: { surface: "page", drawn: "in_view" } });
    },
  );

  it.each(["hidden", "tiny"] as const)(
    "in a browser that sees no covers a page that is %s is taken for one that stands in view",
    async (how) => {
      const { page, window, result } = await drawn(browser(), { seesNoCovers: true });
      await window.addStyleTag({ content: UNSEEN[how] });
      await result();
      await armed(page);
    },
  );
});

inChromium("what the host does under a hand", (browser) => {
  it("a click that was aimed at what stood there before the frame jumped changes nothing", async () => {
    // Chromium lets no press through to a frame that has just moved, where that frame asks what covers it.
    const { page, window, result, mock } = await drawn(browser(), { seesNoCovers: true });
    await window.addStyleTag({ content: "body { padding-top: 200px; }" });
    await result();
    await armed(page);
    const { x, y, width, height } = await boxOf(page);
    const [left, top] = [x + width / 2, y + height / 2];
    await window.mouse.move(left, top - 100);
    await window.mouse.move(left, top - 101);
    await page.evaluate(() => {
      document.addEventListener("pointerdown", () => document.documentElement.setAttribute("data-pressed", ""));
    });
    await window.addStyleTag({ content: "body { padding-top: 100px; }" });
    await expect.poll(() => boxOf(page).then(({ y: now }) => now)).toBe(y - 100);
    await window.mouse.down();
    await window.mouse.up();
    await page.waitForSelector("[data-pressed]");
    await window.waitForTimeout(LOOKED_MS);
    expect(confirms(mock)).toHaveLength(0);
    expect(await page.locator(ARMED).count()).toBe(1);
    await page.locator(ARMED).click();
    await expect.poll(() => confirms(mock).length).toBe(1);
  });

  it("a yes that the host holds back is given up with the person's no, and is none when it comes", async () => {
    const { call, result, world } = await waitingInChat();
    const release = Promise.withResolvers<void>();
    const {
      page,
      asked,
      calls,
      result: hand,
    } = await chatHost(browser(), {
      async call(params) {
        if (formsOf({ calls: [params] })[0]?.do?.startsWith("broadcast")) await release.promise;
        return call(params);
      },
    });
    await hand(result);
    await armed(page);
    await page.locator(ARMED).click();
    await expect.poll(() => formsOf({ calls }).some((form) => form.do?.startsWith("broadcast"))).toBe(true);
    await page.locator("button[value^=withdraw]").click();
    await expect.poll(() => asked).toEqual([["give-up", PAGE_TOOL]]);
    await expect.poll(() => cancels(world.mock).length).toBe(1);
    release.resolve();
    await expect
      .poll(() => world.clock.advance(300).then(() => page.locator("h1").textContent()))
      .toContain("ithdrawn");
    expect(confirms(world.mock)).toHaveLength(0);
  });
});
