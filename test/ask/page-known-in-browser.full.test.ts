import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { BrowserContext } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { Redirects } from "../../src/app/redirect-files.ts";
import { textsOf } from "../../src/text/index.ts";
import { roomTexts } from "../../src/text/room.ts";
import { temporaryHome } from "../support/home.ts";
import { typeInto } from "../support/keys.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { pagesOf } from "../support/pages.ts";
import { platformWith } from "../support/platform.ts";
import { inChromium, picture, sheetText } from "../support/room-browser.ts";
import { windowOf } from "../support/windows.ts";
import { createWorld } from "../support/world.ts";

const TEXT = "Wanted: somebody who plans hospital queues, in Hangzhou, for four weeks.";

inChromium("which browser is the person's, in a real one", (browser) => {
  async function world(confirmation_policy: "auto" | "strict" = "strict") {
    const w = await createWorld();
    w.mock.engine.formulateWith(() => TEXT);
    const p = await w.process({ config: { confirmation_policy } });
    const pages = pagesOf(w, p);
    onTestFinished(() => pages.close());
    const viewport = { width: 900, height: 700 };
    const { context } = await windowOf(browser(), { viewport, javaScriptEnabled: false });
    const addresses = async (lang: "zh" | "en" = "en", candidate?: string) => {
      const demand = await p.call("towow_demand", { intent: `A designer ${Math.random()}` });
      const { negotiation_id: negotiationId } = demand.result.data;
      return { negotiationId, ...(await pages.open({ negotiationId, candidate, lang })) };
    };
    const confirmed = (id: string) => w.mock.negotiations().find((one) => one.negotiation_id === id)?.confirmedText;
    return { ...w, pages, context, addresses, confirmed };
  }

  /** As people come: from a chat, a mail or a terminal's page, which are other sites. */
  async function fromElsewhere(context: BrowserContext, address: string) {
    const file = join(await temporaryHome(), "chat.html");
    await writeFile(file, `<a href="${address}">the page</a>`);
    const page = context.pages().find((one) => one.url() === "about:blank") ?? (await context.newPage());
    await page.goto(`file://${file}`);
    await page.getByText("the page").click();
    await page.waitForURL((url) => url.href.startsWith(address));
    return page;
  }

  it("let in by the code on its page, it decides there and on every later page", async () => {
    const lang = "zh";
    const { pages, context, addresses, confirmed } = await world();
    const first = await addresses(lang);
    const page = await fromElsewhere(context, first.forResult);
    await page.locator("#code").waitFor();
    expect(await page.locator("main").textContent()).not.toContain(TEXT);
    await picture(page, `way-${lang}`);
    const code = String(await page.locator("#code").textContent());
    expect(code).toMatch(/^\d{6}$/);
    await page.reload();
    expect(await page.locator("#code").textContent()).toBe(code);
    expect(await pages.browsers.letIn(code)).toBe("chrome-linux");
    await page.reload();
    expect(await sheetText(page)).toBe(TEXT);
    await picture(page, `known-${lang}`);
    await page.locator("button[value^=broadcast]").click();
    await page.locator(".neg").waitFor();
    expect(confirmed(first.negotiationId)).toBe(TEXT);

    const [cookie] = (await context.cookies()).filter(({ name }) => name.startsWith("towow_browser_"));
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict", path: "/approve", secure: false });

    // Strict cookies are not sent on a visit from another site; the page leads to itself once more.
    const second = await addresses(lang);
    const again = await fromElsewhere(context, second.forResult);
    await again.locator(".sheet").waitFor();
    await pages.browsers.forget("all");
    await again.locator("button[value^=broadcast]").click();
    await again.locator("#message").waitFor();
    expect(confirmed(second.negotiationId)).toBeUndefined();
    expect(await again.locator("main").textContent()).not.toContain(TEXT);
  });

  it("with a script the page goes on by itself once its code has been typed", async () => {
    const { pages, addresses } = await world();
    const { forResult } = await addresses();
    const { page } = await windowOf(browser());
    await page.goto(forResult);
    await pages.browsers.letIn(String(await page.locator("#code").textContent()));
    await page.locator(".sheet").waitFor();
  });

  it("by way of a redirect file, in two tabs: each shows the page, one decides, the other says what became of it", async () => {
    const { pages, context, addresses, confirmed } = await world();
    const { forResult, negotiationId } = await addresses();
    const tab = await fromElsewhere(context, forResult);
    await pages.browsers.letIn(String(await tab.locator("#code").textContent()));
    await tab.reload();
    const deps = { home: await temporaryHome(), texts: () => textsOf("en") };
    const other = await context.newPage();
    await other.goto(`file://${new Redirects(platformWith(new ManualClock()), deps).write(forResult)}`);
    await other.locator(".sheet").waitFor();
    await other.locator("button[value^=withdraw]").click();
    await other.getByRole("heading", { name: "Withdrawn" }).waitFor();
    await tab.locator("button[value^=broadcast]").click();
    await tab.getByRole("heading", { name: "Withdrawn" }).waitFor();
    expect(confirmed(negotiationId)).toBeUndefined();
  });

  it("another server of this machine, open in the same browser, can neither decide nor frame nor read", async () => {
    const { world: _, pages, context, addresses, confirmed } = { world, ...(await world()) };
    const { forResult, negotiationId } = await addresses();
    const mine = await fromElsewhere(context, forResult);
    await pages.browsers.letIn(String(await mine.locator("#code").textContent()));
    await mine.reload();
    const yes = await mine.locator("button[value^=broadcast]").getAttribute("value");
    const seen: string[] = [];
    const evil = createServer((request, response) => {
      seen.push(request.headers.cookie ?? "");
      response.setHeader("Content-Type", "text/html");
      response.end(
        `<form method=post action="${forResult}/act"><button name=do value="${yes}">x</button></form><iframe src="${forResult}"></iframe>`,
      );
    });
    await new Promise<void>((resolve) => evil.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void evil.close());
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${(evil.address() as AddressInfo).port}/`);
    expect(await page.frameLocator("iframe").locator(".sheet").count()).toBe(0);
    const [answer] = await Promise.all([page.waitForResponse(`${forResult}/act`), page.getByRole("button").click()]);
    expect(answer.status()).toBe(403);
    await page.waitForURL(`${forResult}/act`);
    expect(confirmed(negotiationId)).toBeUndefined();
    // Cookies know no ports, but paths: a server that does not ask for this one gets none of ours.
    expect(seen.join()).not.toContain("towow_");
  });

  it("after “change it first” its editor is open, with a script", async () => {
    const { pages, addresses, confirmed } = await world("auto");
    const { negotiationId } = await addresses();
    const { forClient } = await pages.open({ negotiationId, toChange: true, lang: "en" });
    const { page } = await windowOf(browser(), { viewport: { width: 900, height: 700 } });
    await page.goto(forClient);
    const editor = page.getByRole("textbox");
    expect(await editor.inputValue()).toBe(TEXT);
    const edited = TEXT.replace("four", "two");
    await typeInto(editor, edited);
    await page.getByRole("button", { name: "Done" }).first().click();
    await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)"); // to the end of the text
    await page.getByRole("button", { name: "Broadcast this text" }).click();
    await page.getByText("Looking for agents").waitFor();
    expect(confirmed(negotiationId)).toBe(edited);
  });

  it("whose words a text is stands above it, and on each of them", async () => {
    const lang = "en";
    const { pages, context, addresses } = await world();
    const { forResult } = await addresses(lang, TEXT.replace("four", "two"));
    const page = await fromElsewhere(context, forResult);
    await pages.browsers.letIn(String(await page.locator("#code").textContent()));
    await page.reload();
    const { decision } = roomTexts(lang);
    const heading = async () => (await page.locator("#s-sheet").textContent())?.trim();
    const marked = (whose: string) => page.locator(`.sheet .text ins.${whose}`).count();
    expect([await heading(), await marked("you")]).toEqual([decision.byYourAi, 0]);
    expect(await marked("ag")).toBeGreaterThan(0);
    await picture(page, `by-ai-${lang}`);
    await page.locator("button[value=reset]").click();
    expect([await heading(), await marked("ag"), await marked("you")]).toEqual([decision.added, 0, 0]);
    await page.locator("button[value=edit]").first().click();
    await typeInto(page.getByRole("textbox"), TEXT.replace("Hangzhou", "Ningbo"));
    await page.locator("button[value=edit]").first().click();
    expect([await heading(), await marked("ag"), await marked("you")]).toEqual([decision.yours, 0, 1]);
    await picture(page, `by-person-${lang}`);
  });
});
