import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { onTestFinished } from "vitest";

export interface Window {
  context: BrowserContext;
  page: Page;
}

const CALM = { reducedMotion: "reduce" } as const;
const SIZE = { width: 1280, height: 800 };

/** For what hangs, not for what is slow. */
const PATIENCE_MS = 60_000;

const FASTER = 20;
/** What a page holds back for a moment is there at once: a double click, and the pause in which nobody types. */
const NO_MOMENTS = `(() => {
  const wait = globalThis.setTimeout;
  globalThis.setTimeout = (fire, ms, ...given) => wait(fire, ms < 1_000 ? ms / ${FASTER} : ms, ...given);
})()`;

/** Windows without a test before them, by how they were opened: a new one costs a browser four times as much. */
const idle = new Map<string, Window[]>();

/** A window of a browser that holds nothing, in which nothing moves and nobody waits. It goes with its test. */
export async function windowOf(
  browser: Browser,
  { viewport = SIZE, ...options }: BrowserContextOptions = {},
): Promise<Window> {
  const kind = JSON.stringify(options);
  const window = idle.get(kind)?.pop() ?? (await opened(browser, options));
  const { context, page } = window;
  onTestFinished(async () => {
    if (page.isClosed() || context.pages().length > 1) return context.close();
    await Promise.all([
      page.unrouteAll({ behavior: "ignoreErrors" }),
      context.unrouteAll({ behavior: "ignoreErrors" }),
    ]);
    const isEmpty = await page.goto("about:blank").then(
      () => true,
      () => false, // it was on its way to another page
    );
    if (!isEmpty) return context.close();
    await page.mouse.move(-1, -1); // what the next page has there is not pointed at
    const { colorScheme = "light", forcedColors = "none" } = options;
    await page.emulateMedia({ ...CALM, media: null, colorScheme, forcedColors });
    await Promise.all([context.clearCookies(), context.clearPermissions()]);
    idle.set(kind, [...(idle.get(kind) ?? []), window]);
  });
  await page.setViewportSize(viewport ?? SIZE);
  return window;
}

async function opened(browser: Browser, options: BrowserContextOptions): Promise<Window> {
  const context = await browser.newContext({ viewport: SIZE, ...CALM, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  await context.addInitScript(NO_MOMENTS);
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send("Animation.enable");
  await cdp.send("Animation.setPlaybackRate", { playbackRate: FASTER }); // without a script an animation holds the buttons
  return { context, page };
}

/** A window as people have it, with its moments: for what a page holds back, and where a clock or a script stays in it. */
export async function ownWindow(browser: Browser, options: BrowserContextOptions = {}): Promise<Window> {
  const context = await browser.newContext({ viewport: SIZE, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  onTestFinished(() => context.close());
  return { context, page: await context.newPage() };
}
