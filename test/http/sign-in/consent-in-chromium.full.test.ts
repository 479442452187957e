import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { violations } from "../../support/axe.ts";
import { pasteInto } from "../../support/keys.ts";
import { inChromium } from "../../support/room-browser.ts";
import { AskingProgram, type SignInEndpoint, startSignIn } from "../../support/sign-in.ts";
import { windowOf } from "../../support/windows.ts";

/** A person and a real browser before the consent page, by keys alone, as far as the program that sent them there. */

inChromium("before the consent page", (browser) => {
  let at: SignInEndpoint;
  let program: Server;
  let back = "";
  beforeAll(async () => {
    at = await startSignIn();
    program = createServer((_, answer) => answer.end("<title>back</title><h1>Back</h1>"));
    await new Promise<void>((resolve) => program.listen(0, "127.0.0.1", resolve));
    back = `http://127.0.0.1:${(program.address() as AddressInfo).port}/callback`;
  });
  afterAll(async () => {
    await at?.close();
    program?.close();
  });

  /** What a program opens in its person's browser. */
  async function asked({ locale = "en-US", width = 1280 }: { locale?: string; width?: number } = {}, name = "Probe") {
    const asking = new AskingProgram(at);
    await asking.register([back], { client_name: name });
    asking.redirect = back;
    const viewport = { width, height: 800 };
    const { page } = await windowOf(browser(), { locale, viewport });
    await page.goto(asking.asks());
    await page.locator(".consent, .gua").first().waitFor();
    return { page, asking };
  }
  async function focus(page: Page, name: string): Promise<void> {
    const focused = () =>
      page.evaluate(() => {
        const { activeElement: it } = document;
        return it instanceof HTMLInputElement
          ? `${it.name} ${it.value}`
          : ((it as HTMLElement)?.innerText?.trim() ?? "");
      });
    for (let n = 0; n < 40 && (await focused()) !== name; n++) await page.keyboard.press("Tab");
    expect(await focused()).toBe(name);
  }
  const press = async (page: Page, name: string) => {
    await focus(page, name);
    await page.keyboard.press("Enter");
  };
  const led = async (page: Page) => {
    await page.waitForURL((url) => url.href.startsWith(back));
    return Object.fromEntries(new URL(page.url()).searchParams);
  };

  it("who has a token: Enter in its field only looks at it; then Allow leads back with a code", async () => {
    const { page, asking } = await asked();
    expect(await violations(page)).toEqual([]);
    await pasteInto(page.locator("#token"), await at.token());
    await page.keyboard.press("Enter");
    await page.getByText("Not you?").waitFor();
    expect(page.url()).toContain("/authorize/");
    expect(await violations(page)).toEqual([]);
    await press(page, "Allow");
    const { code, state, iss } = await led(page);
    expect([state, iss]).toEqual(["s", at.origin]);
    expect((await asking.redeem(code ?? "", { redirect_uri: back })).status).toBe(200);
    // Nothing is remembered: the next one is asked about again.
    const next = new AskingProgram(at);
    await next.register([back]);
    next.redirect = back;
    await page.goto(next.asks());
    await page.getByText("Not you?").waitFor();
    await press(page, "Deny");
    expect(await led(page)).toEqual({ error: "access_denied", state: "s", iss: at.origin });
    // The way back in the browser opens nothing.
    await page.goBack();
    await page.reload();
    await page.getByRole("heading", { name: "This request is over" }).waitFor();
  });

  it("who is new, in Chinese, in a narrow window: joins, sees the token once, and goes on", async () => {
    const { page } = await asked({ locale: "zh-CN", width: 360 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    expect(await violations(page)).toEqual([]);
    await focus(page, "who token");
    await page.keyboard.press("ArrowDown");
    await press(page, "加入并允许");
    await page.locator("#token").waitFor();
    expect(await page.locator("#token").textContent()).toMatch(/^towow_/);
    expect(await violations(page)).toEqual([]);
    await press(page, "继续前往");
    expect((await led(page)).code).toMatch(/^twc_/);
  });

  it("who comes by a link of another site is known even so", async () => {
    const { page } = await asked();
    await pasteInto(page.locator("#token"), await at.token());
    await page.keyboard.press("Enter");
    await page.getByText("Not you?").waitFor();
    const asking = new AskingProgram(at);
    await asking.register([back]);
    asking.redirect = back;
    await page.route("https://claude.example/", (route) =>
      route.fulfill({ contentType: "text/html", body: `<a href="${asking.asks().replaceAll("&", "&amp;")}">on</a>` }),
    );
    await page.goto("https://claude.example/");
    await page.getByText("on").press("Enter");
    await page.getByText("Not you?").waitFor();
    await press(page, "Allow");
    expect((await led(page)).code).toMatch(/^twc_/);
  });

  it("a program that lies about its name is shown by where it leads, and its name as its own word", async () => {
    const { page } = await asked({}, "Claude");
    expect(await page.locator("h1").innerText()).toBe("A program on this computer wants to take part in Towow for you");
    expect(await page.locator(".kv").innerText()).toContain("“Claude”, as it calls itself");
    expect(await page.locator("h1 b").innerText()).not.toContain("Claude");
  });

  it("an address that is not the program's leads nowhere", async () => {
    const { page, asking } = await asked();
    await page.goto(asking.asks({ redirect_uri: "https://evil.example/cb" }));
    await page.getByRole("heading", { name: "That address is not the program's" }).waitFor();
    expect(await violations(page)).toEqual([]);
  });
});
