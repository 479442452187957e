import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { modernClient } from "../support/clients.ts";
import { type Endpoint, startEndpoint } from "../support/endpoint.ts";
import { typeInto } from "../support/keys.ts";
import { windowOn } from "../support/open-room.ts";
import { freePort } from "../support/redis.ts";
import { inChromium } from "../support/room-browser.ts";

/** `towow-mcp serve` with its people in real browsers, from the pause to the plan (contract §6). */

const SLOW = { timeout: 30_000 };
const broadcast = (page: Page) => page.locator("button[value^=broadcast]:enabled");

inChromium("people at an endpoint, each in a browser", { timeout: 60_000 }, (browser) => {
  let endpoint: Endpoint;
  let origin = "";
  beforeAll(async () => {
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    endpoint = await startEndpoint({
      args: ["--port", `${port}`, "--public-url", origin, "--rate", "100000"],
      env: { TOWOW_WAIT_BUDGET_S: "1", TOWOW_CONFIRMATION_POLICY: "strict" },
    });
  });
  afterAll(() => endpoint?.close());

  const ofBackend = (id: string) => endpoint.mock.negotiations().find((one) => one.negotiation_id === id);

  /** A browser of its own, with nothing in it. */
  const window = async (address: string) => (await windowOn(browser(), address, { locale: "en-US" })).page;

  async function signIn(page: Page, token: string): Promise<void> {
    await typeInto(page.locator("#token"), token);
    await Promise.all([page.waitForLoadState(), page.locator("button.main").click()]);
  }

  /** Somebody with a token of their own, whose client has no surface: all that their model gets is a link in a result. */
  async function person(need: string) {
    const token = await endpoint.token();
    const session = await modernClient({ url: endpoint.url, headers: { Authorization: `Bearer ${token}` } });
    const demand = async (intent = need) => {
      const scene_id = endpoint.mock.scenes()[0]?.scene_id;
      let answer = await session.call("towow_demand", { intent, scene_id });
      const id = answer.result.data.negotiation_id as string;
      const linkIn = ({ text }: typeof answer) => /https?:\/\/\S+\/approve\/[\w-]+\/[\w-]+/.exec(text)?.[0];
      // On a busy machine the text may take longer than a call waits.
      while (linkIn(answer) === undefined) answer = await session.call("towow_demand", { negotiation_id: id });
      return { id, link: linkIn(answer) ?? "" };
    };
    const plan = async (negotiation_id: string) =>
      (await session.call("towow_status", { negotiation_id, wait: "done" })).result.data.plan_output;
    return { token, demand, plan };
  }

  it("two people, two browsers: neither sees or decides what is the other's, and both come to their plan", async () => {
    const ada = await person("Product design and growth marketing for a pilot, said Ada");
    const bob = await person("Growth marketing and product design for a fair, said Bob");
    const [hers, his] = [await ada.demand(), await bob.demand()];
    const ways = [
      { own: hers, other: his, token: ada.token, never: "said Bob" },
      { own: his, other: hers, token: bob.token, never: "said Ada" },
    ];
    const pages: Page[] = [];
    for (const { own, other, token, never } of ways) {
      const page = await window(other.link);
      await signIn(page, token);
      await page.getByRole("alert").waitFor();
      expect(await page.locator("body").textContent()).not.toContain(never);
      expect(await broadcast(page).count()).toBe(0);
      await page.goto(own.link);
      await signIn(page, token);
      await broadcast(page).waitFor(SLOW);
      // Let in by now, as its own person: the other's page is as closed as before.
      const again = await page.context().newPage();
      await again.goto(other.link);
      expect(await again.locator("body").textContent()).not.toContain(never);
      expect(await broadcast(again).count()).toBe(0);
      pages.push(page);
    }
    for (const { id } of [hers, his]) expect(ofBackend(id)).toMatchObject({ confirmCount: 0, cancelled: false });
    for (const page of pages) await broadcast(page).click();
    for (const page of pages) await page.locator(".plan .prose").waitFor(SLOW);
    for (const { id } of [hers, his]) expect(ofBackend(id)).toMatchObject({ confirmCount: 1, state: "completed" });
    expect([await ada.plan(hers.id), await bob.plan(his.id)]).toEqual([expect.any(String), expect.any(String)]);
  });

  it("a revoked browser with the page open decides nothing any more; in the other one its person goes on to the plan", async () => {
    const ada = await person("Product design and growth marketing for a three-month pilot");
    const { id, link } = await ada.demand();
    const laptop = await window(link);
    await signIn(laptop, ada.token);
    await broadcast(laptop).waitFor(SLOW);
    const phone = await window(`${origin}/browsers`);
    await signIn(phone, ada.token);
    const names = await phone.locator("strong").allTextContents();
    const isThis = (await phone.locator("li", { hasText: "this one" }).locator("strong").textContent()) ?? "";
    const [revoked = ""] = names.filter((name) => name !== isThis);
    expect(names).toHaveLength(2);
    const yes = (await broadcast(laptop).getAttribute("value")) ?? "";
    const act = await laptop.locator("form[action$='/act']").first().getAttribute("action");
    const reloaded = laptop.waitForEvent("load", SLOW); // the page does so by itself
    await phone.locator(`button[value="${revoked}"]`).click();
    await expect.poll(() => phone.locator("strong").allTextContents()).toEqual([isThis]);

    const sent = await laptop.request.post(`${origin}${act}`, { form: { do: yes }, headers: { origin } });
    expect(sent.status()).toBe(403);
    await reloaded;
    await laptop.goto(link);
    expect(await broadcast(laptop).count()).toBe(0);
    await laptop.goto((await ada.demand("Another one")).link);
    await laptop.locator("#token").waitFor();
    expect(ofBackend(id)).toMatchObject({ confirmCount: 0, cancelled: false });

    await phone.goto(link);
    await broadcast(phone).click(SLOW);
    await phone.locator(".plan .prose").waitFor(SLOW);
    expect(ofBackend(id)).toMatchObject({ confirmCount: 1, state: "completed" });
    expect(await ada.plan(id)).toEqual(expect.any(String));
  });
});
