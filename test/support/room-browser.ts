import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { beforeAll, describe, expect, inject, onTestFinished } from "vitest";
import ROOM_CSS from "../../src/room/page/room.css";
import type { RoomState } from "../../src/room/room-state.ts";
import { uiSpec } from "../../src/room/ui-spec.ts";
import { CHROMIUM } from "./chromium.ts";
import { painted } from "./painted.ts";
import { DRAWING, NOW } from "./room-parts.ts";
import { untilHolds } from "./soon.ts";
import { ownWindow, windowOf } from "./windows.ts";

/** Where to keep pictures for a person to look at; nothing is written without it. */
export const PICTURES = process.env.TOWOW_TEST_PICTURES;

/** Of a test that looks at every page: a page costs a second, and where pictures are kept there are eight of each. */
export const LOOKS_TIMEOUT_MS = PICTURES === undefined ? 600_000 : 1_800_000;

/** One connection a worker, and windows that its files hand on. */
let connection: Promise<Browser> | undefined;

/** Tests in the run's one browser. Reported as skipped where there is none. `browser` gives it inside a test. */
export function inChromium(name: string, define: (browser: () => Browser) => void): void {
  describe.skipIf(CHROMIUM === undefined)(`${name} (Chromium)`, () => {
    let browser: Browser | undefined;
    beforeAll(async () => {
      connection ??= chromium.connect(inject("chromium") as string);
      browser = await connection;
    });
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

/** What of the notes, and of a heading in the window, is cut, lies under something else, or is out of the window. */
export const hidden = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll(".note, h1")].flatMap((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    if (one.matches("h1") && top < 0) return [];
    const corners = [left + 4, right - 4].flatMap((x) => [[x, top + 4], [x, bottom - 4]]);
    const isWhole = corners.every(([x, y]) => one.contains(document.elementFromPoint(x, y)));
    return isWhole && one.scrollHeight <= one.clientHeight + 1 ? [] : [one.textContent];
  })`);

const SCRIPT = new URL("../../dist/room.js", import.meta.url);

interface Served {
  page: () => string;
  act?: () => unknown;
}

/** Where painted pages are loaded from: they, their script and their styles, and nothing else. */
async function serve({ page, act }: Served): Promise<string> {
  const files: Record<string, [type: string, body: () => Buffer | string]> = {
    "/room.css": ["text/css", () => ROOM_CSS],
    ...(act !== undefined && { "/room.js": ["text/javascript", () => readFileSync(SCRIPT)] }),
  };
  const server = createServer(({ url = "" }, response) => {
    const { pathname } = new URL(url, "http://room.test");
    if (pathname === "/events") return; // nobody answers, and nobody refuses
    const file = files[pathname];
    if (file !== undefined)
      response.writeHead(200, { "Content-Type": file[0], "Cache-Control": "max-age=3600, immutable" }).end(file[1]());
    else if (pathname === "/")
      response.writeHead(200, { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" }).end(page());
    else if (pathname === "/act" && act !== undefined)
      response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(act()));
    else response.writeHead(404).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/**
 * A window in which painted states become live, with a clock of its own; the room answers with the state that is shown, and
 * sends no news.
 */
export async function openLive(browser: Browser, options: BrowserContextOptions = {}) {
  const { page } = await ownWindow(browser, { reducedMotion: "reduce", bypassCSP: true, ...options });
  let state: RoomState | undefined;
  let revision = 1;
  const address = await serve({
    page: () => (state === undefined ? "" : painted(state)),
    act: () => ({ uiSpec: state && uiSpec(state, DRAWING), room: "r", revision: ++revision, now: NOW }),
  });
  await page.clock.install();
  return {
    page,
    /** Loads the page of a state. */
    async load(next: RoomState): Promise<void> {
      state = next;
      await page.goto(address);
      await afterHeld(page);
    },
    /** The page is told of another state. */
    async change(next: RoomState): Promise<void> {
      state = next;
      await page.evaluate(ASK); // while something is on its way no button can be pressed
      await afterHeld(page);
    },
  };
}

/**
 * Reads on until the yes can be pressed, half a window after the other, as with a wheel: the end of the text has been in
 * one of them then. The button that leads there goes as soon as its end is in the window, under whoever would click it.
 */
export async function readToEnd(
  page: Page,
  armed = page.locator("button[value^=broadcast]:enabled:not([aria-disabled])"),
): Promise<void> {
  if ((await armed.count()) > 0) return;
  await untilHolds(async () => {
    await page.mouse.wheel(0, (page.viewportSize()?.height ?? 0) / 2);
    await page.evaluate(LOOK);
    expect(await armed.count(), "a yes that can be pressed").toBeGreaterThan(0);
  });
}

/** What is new is held for a moment, in ms. */
export const HELD_MS = 900;
/** Ends after the browser has told what is in the window to whoever had asked before. */
const LOOK = "new Promise((look) => new IntersectionObserver(look).observe(document.body))";

/** Lets the moment go by, of a page whose clock stands still: it begins as the end of the text is in the window. */
export async function afterHeld(page: Page): Promise<void> {
  await page.clock.runFor(HELD_MS);
  await page.evaluate(LOOK);
  await page.clock.runFor(HELD_MS);
}
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

/** A window that shows painted states. */
export async function openPainted(browser: Browser, options: BrowserContextOptions = {}) {
  const { context, page } = await windowOf(browser, { bypassCSP: true, ...options });
  await page.goto(await serve({ page: () => "" }));
  // Written into the page that is open: a new one for each state costs the browser three times as much.
  const show = async (state: RoomState): Promise<Page> => {
    await page.setContent(painted(state));
    return page;
  };
  return { context, page, show };
}
