import { chromium } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { confirms } from "../support/backend.ts";
import { CHROMIUM } from "../support/chromium.ts";
import { temporaryHome } from "../support/home.ts";
import { typeKeys } from "../support/keys.ts";
import { openedRoom } from "../support/open-room.ts";
import { hostedPagesOf, pagesOf, TOKENS } from "../support/pages.ts";
import { createWorld } from "../support/world.ts";

const TEXT = "Wanted: somebody who plans hospital queues, in Hangzhou, for four weeks.";

/** A browser of a person's own: what it keeps is there when it is started again. */
async function ownBrowser() {
  const home = await temporaryHome();
  const start = async () => {
    const context = await chromium.launchPersistentContext(home, {
      executablePath: CHROMIUM as string,
      args: ["--no-sandbox", "--disable-gpu"],
      env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home },
    });
    onTestFinished(() => context.close());
    return context;
  };
  let context = await start();
  return {
    open: async (address: string) => {
      const page = await context.newPage();
      await page.goto(address);
      return page;
    },
    async restart() {
      await context.close();
      context = await start();
    },
  };
}

async function demandIn(world: Awaited<ReturnType<typeof createWorld>>) {
  world.mock.engine.formulateWith(() => TEXT);
  const process = await world.process({ config: { confirmation_policy: "strict" } });
  const { result } = await process.call("towow_demand", { intent: "A designer" });
  return { process, negotiationId: String(result.data.negotiation_id) };
}

describe.skipIf(CHROMIUM === undefined)("a browser that is closed and started again (Chromium)", () => {
  it("shows the page of a question by the client's address and by the window's, and decides there", async () => {
    const world = await createWorld();
    const { process, negotiationId } = await demandIn(world);
    const windows: string[] = [];
    const pages = pagesOf(world, process, async (address) => windows.push(address) > 0);
    onTestFinished(() => pages.close());
    const { forClient } = await pages.open({ negotiationId, lang: "en" });
    const own = await ownBrowser();
    const tab = await own.open(forClient);
    const window = await own.open(windows[0] ?? "");
    await window.locator(".sheet").waitFor();
    await tab.reload();
    await tab.locator(".sheet").waitFor();
    await own.restart();
    for (const address of [forClient, windows[0] ?? ""]) {
      const again = await own.open(address);
      expect(await again.locator(".sheet .text").innerText()).toContain("hospital queues");
    }
    expect(windows).toHaveLength(1);
    const other = await (await ownBrowser()).open(forClient);
    expect(await other.locator("main").innerText()).toContain("Open in another browser");
    expect(confirms(world.mock)).toHaveLength(0);
    const page = await own.open(forClient);
    await page.locator("button[value^=broadcast]").click();
    await page.locator(".neg").waitFor();
    expect(confirms(world.mock)).toHaveLength(1);
  });

  it("shows the page of a question at an endpoint to who has signed in", async () => {
    const world = await createWorld();
    const { process, negotiationId } = await demandIn(world);
    const pages = await hostedPagesOf(world, process);
    onTestFinished(() => pages.close());
    const { forClient, forResult } = await pages.open({ negotiationId, lang: "en" });
    const own = await ownBrowser();
    const page = await own.open(forClient);
    await page.locator("#token").click();
    await typeKeys(page, TOKENS.ada);
    await page.keyboard.press("Enter");
    await page.locator(".sheet").waitFor();
    await own.restart();
    for (const address of [forClient, forResult]) await (await own.open(address)).locator(".sheet").waitFor();
  });

  it("is in its room on this machine", async () => {
    const { address } = await openedRoom();
    const own = await ownBrowser();
    await (await own.open(address)).locator(".items li").first().waitFor();
    await own.restart();
    const again = await own.open(address);
    await again.locator(".items li").first().waitFor();
    expect(new URL(again.url()).pathname).toMatch(/^\/room\/[\w-]{21}$/);
  });
});
