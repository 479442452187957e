import { Hono } from "hono";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { browsersPage, leadPage, othersPage, signInPage, wayPage } from "../../src/ask/page/browser-pages.ts";
import { messagePage, permissionPage } from "../../src/ask/page/html.ts";
import type { PermissionPageRequest } from "../../src/ask/questions.ts";
import { frontPage, missingPage } from "../../src/mcp/http/front-page.ts";
import { createTokenPage, type NewToken } from "../../src/mcp/http/token-page.ts";
import { agentPage, closedPage, problemPage } from "../../src/room/server/message-page.ts";
import { textsOf } from "../../src/text/index.ts";
import { violations } from "../support/axe.ts";
import { inChromium, PICTURES, picture } from "../support/room-browser.ts";
import { ownWindow, windowOf } from "../support/windows.ts";

/** Every page but the room and the report: signing in, yes or no, what is refused, and the endpoint's own address. */

type Lang = "en" | "zh";
const ORIGIN = "http://localhost:8765"; // where a page may write to the clipboard
const ID = "neg_5b8cf8d6ab84";
const SECRET = "Vq0tXh3mJ8nYc1LwR5sKdPfZ";

const PROFILE = {
  en: "Ada joins Indie product studio (scene_248c1e89af9e). Everybody in the scene can see the name.\nskills: design, user research\nbio: Designer of tools for nurses; ada@example.com\nThis backend can\u{2028} not delete it.",
  zh: "林知远加入“AI 创业合伙人”（scene_00fb86738b42）。场景中的所有人都能看到这个名字。\nskills: 产品设计、用户研究\nbio: 为护士做工具的设计师；lin@example.com",
};

async function pagesIn(lang: Lang): Promise<Record<string, string>> {
  const texts = textsOf(lang);
  const { page } = texts;
  const at = Date.UTC(2026, 10, 21);
  const browser = (name: string) => ({ id: name, name, secret_hash: "", at, used_at: at + 86_400_000 });
  const names = ["Firefox on Linux · amber-fox", "Safari on iPhone · quiet-river"].map(browser);
  const message = (words: string) => messagePage(words, texts);
  const profile: PermissionPageRequest = {
    ...{ id: "1", kind: "send" as const, title: page.profileTitle, text: PROFILE[lang], host: "towow.example", lang },
    findings: texts.pii.found(texts.pii.kinds.email),
    isOpen: async () => true,
    decide: async () => {},
  };
  const links = { room: true, browsers: true };
  const front = new Hono()
    .get("/", (c) => frontPage(c, ORIGIN, { ...links, token: "/token" }))
    .get("/closed", (c) => frontPage(c, ORIGIN, links))
    .notFound(missingPage);
  const ofFront = async (path: string) => (await front.request(path, { headers: { "Accept-Language": lang } })).text();
  const granted = { user_id: "u-1", api_token: `towow_${SECRET}`, expires_at: "2026-12-21T00:00:00Z" };
  const ofDesk = async (token: NewToken) => {
    const desk = { isOpen: async () => true, issue: async () => token };
    const app = createTokenPage(desk, { isHost: () => true, originOf: () => ORIGIN });
    return (await app.request("/token", { method: "POST", headers: { "Accept-Language": lang } })).text();
  };
  const pages = {
    front: ofFront("/"),
    "front-without-tokens": ofFront("/closed"),
    "new-token": ofDesk(granted),
    "no-token": ofDesk("busy"),
    nothing: ofFront("/nothing"),
    "old-question": ofFront("/approve/gone/secret"),
    "sign-in": signInPage(texts),
    "sign-in-wrong": signInPage(texts, page.browsers.unknown),
    "sign-in-locked-for-all": signInPage(texts, page.browsers.locked),
    others: othersPage(texts, "/browsers"),
    browsers: browsersPage(texts, names, names[0]!.name, "/room"),
    way: wayPage(texts, page.way.intro, ID),
    "way-with-code": wayPage(texts, page.way.intro, ID, "AB3-K9X"),
    "way-to-let-in": wayPage(texts, page.way.intro, undefined, "AB3-K9X"),
    send: permissionPage(profile, texts),
    accepted: message(page.send.accepted),
    rejected: message(page.send.rejected),
    "in-own-window": message(page.inOwnWindow(ID)),
    "in-own-window-profile": message(page.inOwnWindow(undefined)),
    gone: message(page.refused.gone),
    elsewhere: wayPage(texts, page.elsewhere.demand, ID, "AB3-K9X"),
    "elsewhere-profile": wayPage(texts, page.elsewhere.permission, undefined, "AB3-K9X"),
    foreign: message(page.refused.origin),
    failed: message(page.refused.failed("The backend at https://towow.example cannot be reached (ECONNREFUSED).")),
    lead: leadPage("/next", texts),
    missing: problemPage(lang, "missing", "/room"),
    "room-failed": problemPage(lang, "failed", "/room"),
    "signed-out": problemPage(lang, "signedOut", "/room"),
    closed: closedPage(lang),
    "for-an-agent": agentPage(lang, `ws://127.0.0.1:8765/relay/${SECRET}${SECRET}`),
  };
  const painted = Object.entries(pages).map(async ([name, html]) => [name, String(await html)] as const);
  return Object.fromEntries(await Promise.all(painted));
}

function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (said) => said.type() === "error" && complaints.push(said.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  return complaints;
}

inChromium("every small page", { timeout: 300_000 }, (browser) => {
  it("axe finds nothing, nothing has to be scrolled sideways, and the page complains of nothing", async () => {
    const { page } = await windowOf(browser(), { bypassCSP: true });
    const complaints = complaintsOf(page);
    let body = "";
    await page.route("**", (route) => {
      const isPage = new URL(route.request().url()).pathname === "/";
      return isPage ? route.fulfill({ contentType: "text/html; charset=utf-8", body }) : route.fulfill({ status: 204 });
    });
    const looks = (["en", "zh"] as const).flatMap((lang) =>
      [1280, 390].flatMap((width) => (["light", "dark"] as const).map((colorScheme) => ({ lang, width, colorScheme }))),
    );
    const painted = { en: await pagesIn("en"), zh: await pagesIn("zh") };
    const found: Record<string, string[]> = {};
    for (const [index, name] of Object.keys(painted.en).entries())
      for (const { lang, width, colorScheme } of PICTURES === undefined ? [looks[index % looks.length]!] : looks) {
        await page.setViewportSize({ width, height: 844 });
        await page.emulateMedia({ colorScheme });
        body = painted[lang][name] ?? "";
        await page.goto(`${ORIGIN}/`);
        const look = `${name}-${width}-${colorScheme}-${lang}`;
        const all = [...(await violations(page)), ...complaints.splice(0)];
        if (all.length > 0) found[look] = all;
        await picture(page, look);
      }
    expect(found).toEqual({});
  });

  it("the endpoint's own address: each button copies its block whole, under the page's own policy", async () => {
    const { page } = await ownWindow(browser(), { permissions: ["clipboard-read", "clipboard-write"] });
    const complaints = complaintsOf(page);
    const front = new Hono().get("/", (c) => frontPage(c, ORIGIN, { room: true, browsers: true }));
    await page.route("**", async (route) => {
      if (new URL(route.request().url()).pathname !== "/") return route.fulfill({ status: 204 });
      const answer = await front.request("/");
      return route.fulfill({ headers: Object.fromEntries(answer.headers), body: await answer.text() });
    });
    await page.goto(`${ORIGIN}/`);
    const blocks = await page.locator("pre").allTextContents();
    const buttons = await page.locator("pre + button").all();
    expect(buttons).toHaveLength(blocks.length);
    for (const [index, button] of buttons.entries()) {
      await button.click();
      await expect.poll(() => button.textContent()).toBe("Copied");
      expect(await page.evaluate("navigator.clipboard.readText()")).toBe(blocks[index]);
    }
    expect(complaints).toEqual([]);
  });
});
