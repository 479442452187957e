import { Hono } from "hono";
import type { Asked } from "../../src/ask/asked.ts";
import {
  browsersPage,
  leadPage,
  type NotSignedIn,
  othersPage,
  signInPage,
  wayPage,
} from "../../src/ask/page/browser-pages.ts";
import { closedPage, type PageContext } from "../../src/ask/page/frame.ts";
import { permissionPage } from "../../src/ask/page/permission-page.ts";
import type { SignInDesk } from "../../src/ask/page/sign-in.ts";
import type { PermissionPageRequest } from "../../src/ask/questions.ts";
import { type FrontPageContent, frontPage, missingPage, type Policy } from "../../src/mcp/http/front-page.ts";
import { createTokenPage, type NewToken } from "../../src/mcp/http/token-page.ts";
import { agentPage, closedPage as closedRoomPage, problemPage } from "../../src/room/server/message-page.ts";
import type { BrowserCookie, KnownBrowsers } from "../../src/session/known-browsers.ts";
import { textsOf } from "../../src/text/index.ts";
import { questionTexts } from "../../src/text/question.ts";
import { signInPagesIn } from "./sign-in-pages.ts";

/** Where nobody has signed in. */
export const NOBODY: SignInDesk = {
  ...{ cookiePath: "/", isSecure: false },
  ownerOf: async () => undefined,
  signIn: async () => "unknown",
  newToken: async () => undefined,
};

/** Every page but the room and the report: signing in, yes or no, what is refused, and the endpoint's own address. */

type Lang = "en" | "zh";
export const ORIGIN = "http://localhost:8765"; // where a page may write to the clipboard
const ID = "neg_5b8cf8d6ab84";
const SECRET = "Vq0tXh3mJ8nYc1LwR5sKdPfZ";

const COOKIE: BrowserCookie = { name: "c", value: "v", maxAgeS: 1 };
const OWN_HAND: Policy = { confirmation_policy: "strict", on_unconfirmed: "cancel" };

const SCENES = { en: "Indie product studio", zh: "AI 创业合伙人" };

/** What nobody would see, personal data, and a value in lines are in it. */
const FIELDS = {
  en: [
    ["display_name", "Lin Zhiyuan"],
    [
      "bio",
      "Full-stack engineer in Hangzhou, eight years.\nNow predicting outpatient waiting times\u{2028}. Call 13800138000.",
    ],
    ["skills", "recommender systems, time series, Python, TypeScript, FastAPI"],
    ["capabilities", "About ten hours a week; anonymising data, back end"],
    ["constraints", "Two days a week on site; no agency work"],
  ],
  zh: [
    ["display_name", "林知远"],
    ["bio", "杭州的全栈工程师，八年经验。\n现在做门诊候诊时间预测\u{2028}。电话 13800138000。"],
    ["skills", "推荐系统、时间序列、Python、TypeScript、FastAPI"],
    ["capabilities", "每周约十小时；数据脱敏、后端"],
    ["constraints", "每周两天现场；不接外包"],
  ],
} as const;

const DEMANDS = {
  en: {
    submitted: "I am preparing a three-month pilot in a mid-sized hospital. Call me at 13800138000.",
    text: "I am preparing a three-month pilot in a mid-sized hospital in Hangzhou. Call me at 13800138000. Remote is fine.",
  },
  zh: {
    submitted: "我在准备一个为期三个月的医院试点。电话 13800138000。",
    text: "我在杭州准备一个为期三个月的医院试点。电话 13800138000。可以远程。",
  },
};

const FAILED = {
  en: "The backend at https://towow.example cannot be reached (ECONNREFUSED).",
  zh: "无法连接后端 https://towow.example（ECONNREFUSED）。",
};

export async function pagesIn(lang: Lang): Promise<Record<string, string>> {
  const texts = textsOf(lang);
  const { page } = texts;
  const shown: PageContext = { texts, host: new URL(ORIGIN).host };
  const local: PageContext = { texts, host: "127.0.0.1:46300" };
  const at = Date.UTC(2026, 10, 21);
  const days = (n: number) => at + n * 86_400_000;
  const browser = (name: string, i: number) => ({
    ...{ id: name, name, secret_hash: "", at: days(i), used_at: days(i + 3) },
  });
  const browsers = ["firefox-linux", "safari-ios", "chrome-windows-2"].map(browser);
  const list = { browsers, current: "firefox-linux", roomPath: "/room" };
  const asks = (kind: "send" | "stop", asked: Asked) => {
    const request: PermissionPageRequest = {
      ...{ id: "1", kind, asked, title: "", text: "", host: "towow.example", until: "21:07:00", lang },
      isOpen: async () => true,
      decide: async () => {},
    };
    return permissionPage(request, local);
  };
  const profile = {
    ...{ about: "profile" as const, fields: FIELDS[lang], scene: { id: "scene_248c1e89af9e", name: SCENES[lang] } },
  };
  const elsewhere = { id: "scene_00fb86738b42", name: "Night shifts" };
  const stop = {
    ...{ about: "stop" as const, negotiationId: ID, demand: DEMANDS[lang], offers: { received: 2, total: 5 } },
    ...{ reach: "broadcast" as const, isUndecided: false },
  };
  const long = [["bio", Array.from({ length: 120 }, (_, i) => `${i + 1}. ${FIELDS[lang][2][1]}`).join("\n")]] as const;
  const offered: FrontPageContent = {
    ...{ room: "/room", browsers: "/browsers" },
    isSignedIn: false,
    policy: OWN_HAND,
  };
  const fronts: Record<string, FrontPageContent> = {
    "/": { ...offered, token: "/token" },
    "/closed": offered,
    "/in": { ...offered, isSignedIn: true, token: "/token" },
    "/waits": { ...offered, isSignedIn: true, waits: { of: "silence", as: "withdrawn", at: at + 75_725_000 } },
    "/waits-to-go-out": {
      ...offered,
      isSignedIn: true,
      waits: { of: "silence", as: "broadcast", at: at + 75_725_000 },
    },
    "/passed-on": { ...offered, token: "/token", policy: { ...OWN_HAND, confirmation_policy: "auto" } },
    "/by-address": {
      ...offered,
      token: "/token",
      policy: { confirmation_policy: "auto", on_unconfirmed: "cancel" },
      signsIn: "beside_tokens",
    },
    "/by-address-alone": { ...offered, signsIn: "alone" },
    "/no-room": { isSignedIn: false, policy: OWN_HAND },
  };
  const front = new Hono().notFound((c) => {
    const its = fronts[c.req.path];
    return its === undefined ? missingPage(c, ORIGIN) : frontPage(c, ORIGIN, its);
  });
  const headers = { "Accept-Language": lang, Host: shown.host };
  const ofFront = async (path: string) => (await front.request(path, { headers })).text();
  const granted = { user_id: "u-1", api_token: `towow_${SECRET}`, expires_at: "2026-12-21T00:00:00Z" };
  const ofDesk = async (token: NewToken, entry: "signedIn" | "stays" | "full" = "full") => {
    const owner = { user: "u-1", browsers: {} as KnownBrowsers, name: "firefox-linux", at: 0, cookie: COOKIE };
    const app = createTokenPage({
      desk: { isOpen: async () => true, issue: async () => token },
      people: {
        ...NOBODY,
        ownerOf: async () => (entry === "stays" ? owner : undefined),
        signIn: async () => (entry === "signedIn" ? COOKIE : "full"),
      },
      ...{ roomPath: "/room", policy: () => OWN_HAND, isHost: () => true, originOf: () => ORIGIN },
    });
    return (await app.request("/token", { method: "POST", headers })).text();
  };
  const signIn = (problem?: keyof typeof page.signIn & NotSignedIn) =>
    signInPage(shown, {
      ...{ next: "room", newToken: "/token" },
      ...(problem !== undefined && { problem: page.signIn[problem] }),
    });
  const way = (what: { title: string; demand: string; permission: string }, id?: string, code?: string) =>
    wayPage(local, {
      ...{ title: what.title, lead: id === undefined ? what.permission : what.demand },
      ...{ negotiationId: id, code },
    });
  const closed = (title: string, lead: string, lines = 6) => closedPage(local, { title, lead, lines });
  const CODE = "757-120";
  const question = questionTexts(lang);
  const pages = {
    ...signInPagesIn(shown, list),
    front: ofFront("/"),
    "front-without-tokens": ofFront("/closed"),
    "front-signed-in": ofFront("/in"),
    "front-waits": ofFront("/waits"),
    "front-waits-to-go-out": ofFront("/waits-to-go-out"),
    "front-where-a-word-is-passed-on": ofFront("/passed-on"),
    "front-where-clients-sign-in": ofFront("/by-address"),
    "front-where-clients-only-sign-in": ofFront("/by-address-alone"),
    "front-without-a-room": ofFront("/no-room"),
    "new-token": ofDesk(granted, "signedIn"),
    "new-token-of-somebody-signed-in": ofDesk(granted, "stays"),
    "new-token-not-signed-in": ofDesk({ ...granted, expires_at: null }),
    "no-token": ofDesk("busy"),
    "no-token-at-all": ofDesk("none"),
    "no-token-this-time": ofDesk("failed"),
    nothing: ofFront("/nothing"),
    "old-question": ofFront("/approve/gone/secret"),
    "sign-in": signIn(),
    "sign-in-to-decide": signInPage(shown, { next: "decision" }),
    "sign-in-for-the-list": signInPage(shown, { next: "browsers" }),
    "sign-in-wrong": signIn("unknown"),
    "sign-in-locked-for-all": signIn("locked"),
    "sign-in-untried": signIn("untried"),
    "sign-in-unreached": signIn("unreached"),
    "sign-in-full": signIn("full"),
    "sign-in-not-theirs": signIn("notTheirs"),
    others: othersPage(shown, "/browsers"),
    browsers: browsersPage(shown, list),
    "browsers-one-revoked": browsersPage(shown, {
      ...list,
      browsers: browsers.slice(0, 2),
      revoked: ["chrome-windows-2"],
    }),
    way: way(page.way, ID),
    "way-with-code": way(page.way, ID, CODE),
    "way-to-let-in": way(page.way, undefined, CODE),
    send: asks("send", profile),
    "send-replacing": asks("send", { ...profile, elsewhere }),
    "send-as-another": asks("send", { ...profile, as: { id: "somebody_else", isNew: false } }),
    "send-long": asks("send", { ...profile, fields: long, scene: { ...profile.scene, name: undefined } }),
    "create-scene": asks("send", {
      about: "scene",
      fields: [
        ["name", SCENES[lang]],
        ["access_policy", "open"],
      ],
    }),
    cancel: asks("stop", stop),
    "cancel-carrying": asks("stop", { ...stop, offers: { received: 0, total: 0 }, payload: '{"reason":"late"}' }),
    "cancel-of-anothers": asks("stop", { ...stop, demand: undefined, reach: "not_known" }),
    accepted: closed(page.decided, question.profile.ended.accept),
    rejected: closed(page.decided, question.profile.ended.reject),
    "cancel-accepted": closed(page.decided, question.stop.ended.accept),
    "cancel-rejected": closed(page.decided, question.stop.ended.reject),
    "in-own-window": closed(page.ownWindow.title, page.ownWindow.lead(ID), 3),
    "in-own-window-profile": closed(page.ownWindow.title, page.ownWindow.lead(undefined), 3),
    gone: closed(page.refused.gone.title, page.refused.gone.lead, 0),
    elsewhere: way(page.elsewhere, ID, CODE),
    "elsewhere-profile": way(page.elsewhere, undefined, CODE),
    foreign: closed(page.refused.origin.title, page.refused.origin.lead, 0),
    failed: closed(page.refused.failed.title, page.refused.failed.lead(FAILED[lang]), 3),
    lead: leadPage(local, "/next"),
    missing: problemPage(shown, "missing", "/room"),
    "room-failed": problemPage(shown, "failed", "/room"),
    "signed-out": problemPage(shown, "signedOut", "/room"),
    "room-busy": problemPage(shown, "busy", "/room"),
    closed: closedRoomPage(local),
    "for-an-agent": agentPage(shown, `ws://127.0.0.1:8765/relay/${SECRET}${SECRET}`),
  };
  const painted = Object.entries(pages).map(async ([name, html]) => [name, String(await html)] as const);
  return Object.fromEntries(await Promise.all(painted));
}
