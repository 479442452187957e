import { readFileSync } from "node:fs";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, inject, type TestOptions } from "vitest";
import { paint } from "../../src/room/page/room.ts";
import { ROOM_CSS } from "../../src/room/page/style.ts";
import type { RoomState } from "../../src/room/room-state.ts";
import { uiSpec } from "../../src/room/ui-spec.ts";
import { CHROMIUM } from "./chromium.ts";
import { DRAWING, NOW } from "./room-parts.ts";

/** Where to keep pictures for a person to look at; nothing is written without it. */
export const PICTURES = process.env.TOWOW_TEST_PICTURES;

/**
 * Tests that share a connection to the run's one browser; what they open goes with them. Reported as skipped where there is none. `browser` gives it inside
 * a test.
 */
export function inChromium(name: string, options: TestOptions, define: (browser: () => Browser) => void): void {
  describe.skipIf(CHROMIUM === undefined)(`${name} (Chromium)`, options, () => {
    let browser: Browser | undefined;
    beforeAll(async () => {
      browser = await chromium.connect(inject("chromium") as string);
    });
    afterAll(() => browser?.close());
    define(() => browser as Browser);
  });
}

/** Keeps a picture where pictures are kept. */
export async function picture(page: Pick<Page, "screenshot">, name: string): Promise<void> {
  if (PICTURES !== undefined) await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true });
}

/** What stands on the sheet, without what only a screen reader is told. */
export const sheetText = (page: Page): Promise<string | null> =>
  page.locator(".sheet .text").evaluate((text) => {
    const copy = text.cloneNode(true) as HTMLElement;
    for (const extra of copy.querySelectorAll(".vh, sup")) extra.remove();
    return copy.textContent;
  });

const ORIGIN = "http://room.test";

/** The page of a state, as the server paints it. */
export const painted = (state: RoomState): string =>
  paint(
    {
      spec: uiSpec(state, DRAWING),
      room: "r",
      revision: 1,
      base: "",
      now: NOW,
      isMoving: false,
      offline: "offline",
      gone: "gone",
    },
    { script: "room.js", style: "room.css" },
  );

const SCRIPT = new URL("../../dist/room.js", import.meta.url);

/**
 * A window in which painted states become live, with a clock of its own; the room answers with the state that is shown, and
 * sends no news.
 */
export async function openLive(browser: Browser, options: BrowserContextOptions = {}) {
  const { context, page } = await openPainted(browser, options);
  let state: RoomState | undefined;
  let revision = 1;
  await page.clock.install();
  await page.route("**/events?*", () => {}); // nobody answers, and nobody refuses
  await page.route("**/room.js", (route) =>
    route.fulfill({ contentType: "text/javascript", body: readFileSync(SCRIPT, "utf8") }),
  );
  await page.route("**/", (route) =>
    route.fulfill({ contentType: "text/html; charset=utf-8", body: state === undefined ? "" : painted(state) }),
  );
  await page.route("**/act", (route) =>
    route.fulfill({
      json: { uiSpec: state && uiSpec(state, DRAWING), room: "r", revision: ++revision, now: NOW },
    }),
  );
  return {
    context,
    page,
    /** Loads the page of a state. */
    async load(next: RoomState): Promise<void> {
      state = next;
      await page.goto(`${ORIGIN}/`);
      await page.clock.runFor(HELD_MS);
    },
    /** The page is told of another state. */
    async change(next: RoomState): Promise<void> {
      state = next;
      await page.evaluate(ASK); // while something is on its way no button can be pressed
      await page.clock.runFor(HELD_MS);
    },
  };
}

/** What is new is held for a moment, in ms. */
const HELD_MS = 900;
/** Asks, and ends as the answer is in the page's hands: its clock must not go on before. */
const ASK = `new Promise((read) => {
  const { json } = Response.prototype;
  Response.prototype.json = function () {
    Response.prototype.json = json;
    return json.call(this).finally(read);
  };
  const submitter = document.querySelector("[value^=setLanguage]");
  submitter.form.dispatchEvent(new SubmitEvent("submit", { bubbles: true, cancelable: true, submitter }));
})`;

/** A window that shows painted states; nothing but the page and its styles can be loaded. */
export async function openPainted(browser: Browser, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, bypassCSP: true, ...options });
  const page = await context.newPage();
  await page.route("**", (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === "/room.css") return route.fulfill({ contentType: "text/css", body: ROOM_CSS });
    if (pathname === "/") return route.fulfill({ contentType: "text/html; charset=utf-8", body: "" });
    return route.fulfill({ status: 404, body: "" });
  });
  await page.goto(`${ORIGIN}/`);
  // Written into the page that is open: a new one for each state costs the browser three times as much.
  const show = async (state: RoomState): Promise<Page> => {
    await page.setContent(painted(state));
    return page;
  };
  return { context, page, show };
}
