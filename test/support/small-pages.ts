import { Hono } from "hono";
import { browsersPage, leadPage, othersPage, signInPage, wayPage } from "../../src/ask/page/browser-pages.ts";
import { messagePage, permissionPage } from "../../src/ask/page/html.ts";
import type { PermissionPageRequest } from "../../src/ask/questions.ts";
import { frontPage, missingPage } from "../../src/mcp/http/front-page.ts";
import { createTokenPage, type NewToken } from "../../src/mcp/http/token-page.ts";
import { agentPage, closedPage, problemPage } from "../../src/room/server/message-page.ts";
import { textsOf } from "../../src/text/index.ts";

/** Every page but the room and the report: signing in, yes or no, what is refused, and the endpoint's own address. */

type Lang = "en" | "zh";
export const ORIGIN = "http://localhost:8765"; // where a page may write to the clipboard
const ID = "neg_5b8cf8d6ab84";
const SECRET = "Vq0tXh3mJ8nYc1LwR5sKdPfZ";

const PROFILE = {
  en: "Ada joins Indie product studio (scene_248c1e89af9e). Everybody in the scene can see the name.\nskills: design, user research\nbio: Designer of tools for nurses; ada@example.com\nThis backend can\u{2028} not delete it.",
  zh: "林知远加入“AI 创业合伙人”（scene_00fb86738b42）。场景中的所有人都能看到这个名字。\nskills: 产品设计、用户研究\nbio: 为护士做工具的设计师；lin@example.com",
};

const FAILED = {
  en: "The backend at https://towow.example cannot be reached (ECONNREFUSED).",
  zh: "无法连接后端 https://towow.example（ECONNREFUSED）。",
};

export async function pagesIn(lang: Lang): Promise<Record<string, string>> {
  const texts = textsOf(lang);
  const { page } = texts;
  const at = Date.UTC(2026, 10, 21);
  const days = (n: number) => at + n * 86_400_000;
  const browser = (name: string, i: number) => ({
    ...{ id: name, name, secret_hash: "", at: days(i), used_at: days(i + 3) },
  });
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
    "no-token-at-all": ofDesk("none"),
    "no-token-this-time": ofDesk("failed"),
    nothing: ofFront("/nothing"),
    "old-question": ofFront("/approve/gone/secret"),
    "sign-in": signInPage(texts),
    "sign-in-wrong": signInPage(texts, page.browsers.unknown),
    "sign-in-locked-for-all": signInPage(texts, page.browsers.locked),
    "sign-in-untried": signInPage(texts, page.browsers.untried),
    "sign-in-unreached": signInPage(texts, page.browsers.unreached),
    "sign-in-full": signInPage(texts, page.browsers.full),
    "sign-in-not-theirs": signInPage(texts, page.browsers.notTheirs),
    others: othersPage(texts, "/browsers"),
    browsers: browsersPage(texts, names, names[0]!.name, "/room"),
    way: wayPage(texts, page.way.intro, ID),
    "way-with-code": wayPage(texts, page.way.intro, ID, "AB3-K9X"),
    "way-to-let-in": wayPage(texts, page.way.intro, undefined, "AB3-K9X"),
    send: permissionPage(profile, texts),
    accepted: message(page.send.accepted),
    rejected: message(page.send.rejected),
    "cancel-accepted": message(page.stop.accepted),
    "cancel-rejected": message(page.stop.rejected),
    "in-own-window": message(page.inOwnWindow(ID)),
    "in-own-window-profile": message(page.inOwnWindow(undefined)),
    gone: message(page.refused.gone),
    elsewhere: wayPage(texts, page.elsewhere.demand, ID, "AB3-K9X"),
    "elsewhere-profile": wayPage(texts, page.elsewhere.permission, undefined, "AB3-K9X"),
    foreign: message(page.refused.origin),
    failed: message(page.refused.failed(FAILED[lang])),
    lead: leadPage("/next", texts),
    missing: problemPage(lang, "missing", "/room"),
    "room-failed": problemPage(lang, "failed", "/room"),
    "signed-out": problemPage(lang, "signedOut", "/room"),
    "room-busy": problemPage(lang, "busy", "/room"),
    closed: closedPage(lang),
    "for-an-agent": agentPage(lang, `ws://127.0.0.1:8765/relay/${SECRET}${SECRET}`),
  };
  const painted = Object.entries(pages).map(async ([name, html]) => [name, String(await html)] as const);
  return Object.fromEntries(await Promise.all(painted));
}
