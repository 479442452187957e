import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Endpoint, startEndpoint } from "../support/endpoint.ts";
import { freePort } from "../support/free-port.ts";
import { pasteInto } from "../support/keys.ts";
import { toSheet, windowOn } from "../support/open-room.ts";
import { inChromium } from "../support/room-browser.ts";

/** A teammate who has nothing but the endpoint's address. */

inChromium("from the front page, with keys", (browser) => {
  let endpoint: Endpoint;
  let origin = "";
  beforeAll(async () => {
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    endpoint = await startEndpoint({ args: ["--port", `${port}`, "--public-url", origin] });
  });
  afterAll(() => endpoint?.close());

  /** Tab until it has the focus, then Enter. */
  async function press(page: Page, name: string): Promise<void> {
    const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? "");
    for (let n = 0; n < 30 && (await focused()) !== name; n++) await page.keyboard.press("Tab");
    expect(await focused()).toBe(name);
    await Promise.all([page.waitForLoadState(), page.keyboard.press("Enter")]);
  }
  async function getToken(page: Page): Promise<string> {
    await press(page, "Get a token");
    await page.waitForURL(`${origin}/token`);
    return (await page.locator("#token").textContent()) ?? "";
  }

  it("a token, the room, the text, the plan", async () => {
    const { page, complaints, asked } = await windowOn(browser(), `${origin}/`, { locale: "en-US" });
    const token = await getToken(page);
    expect(token).toMatch(/^towow_/);
    await press(page, "Open your room");
    await toSheet(page, { sceneId: endpoint.mock.scenes()[0]?.scene_id ?? "" });
    await page.locator("button[value^=broadcast]:enabled").click();
    await page.locator(".plan").waitFor();
    expect(complaints).toEqual([]);
    expect(asked.map(({ href }) => href).filter((href) => href.includes(token))).toEqual([]);
  });

  it("signing in, in the language that was chosen first, in a window as narrow as they come", async () => {
    const token = await endpoint.token();
    const viewport = { width: 320, height: 700 };
    const { page } = await windowOn(browser(), `${origin}/`, { locale: "en-US", viewport });
    await press(page, "中文");
    await page.waitForURL(`${origin}/?lang=zh`);
    await press(page, "登录");
    await page.locator("#token").waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);
    await pasteInto(page.locator("#token"), token);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "想问哪群人？" }).waitFor();
  });

  it("works without a script", async () => {
    const { page } = await windowOn(browser(), `${origin}/`, { locale: "en-US", javaScriptEnabled: false });
    await page.locator("form button").press("Enter");
    await page.waitForURL(`${origin}/token`);
    expect(await page.locator("#token").textContent()).toMatch(/^towow_/);
    // Going back and forward asks for no other one, and loading it again does so only after the browser's own question.
    await page.goBack();
    expect(await page.locator("#token").count()).toBe(0);
  });
});
