import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { HTTPException } from "hono/http-exception";
import { toToolError } from "../../result/tool-error.ts";
import type { Texts } from "../../text/index.ts";
import type { SendRequest } from "../questions.ts";
import {
  candidatePage,
  MAX_TEXT_LENGTH,
  messagePage,
  previewPage,
  questionPage,
  type Shown,
  sendPage,
} from "./html.ts";

interface BasePage {
  token: string;
  /** What stands in an address that others may see. It shows the page only where it cannot be opened otherwise. */
  link?: string;
  /** How often a window was opened by way of the link. */
  windows?: number;
  /** Set by the first browser that opens the page; no other one gets in. */
  browser?: string;
  texts: Texts;
}

/** A page that asks whether something may be sent at all: yes or no. */
export interface SendPage extends BasePage {
  kind: "send";
  request: SendRequest;
  isOpen(): Promise<boolean>;
  decide(verdict: "accept" | "reject"): Promise<void>;
}

/** A page that asks about a formulated text. */
export interface FormulationPage extends BasePage {
  kind: "formulation";
  /** Reads the question as it stands now; undefined when there is nothing to decide any more. */
  question(): Promise<Shown | undefined>;
  /** Carries a decision out. `changed` when the text is another one by now. */
  decide(kind: "accept" | "edit" | "reject", confirmationId: string, text?: string): Promise<Verdict>;
}
/** One page that waits for a person. */
export type OpenPage = SendPage | FormulationPage;
export type Verdict =
  | { kind: "accept" | "edit" }
  /** Rejected, or gone on without this decision; the message says which, and who had been reached by then. */
  | { kind: "over"; message: string }
  | { kind: "changed" }
  | { kind: "failed"; message: string };

export interface AppOptions {
  /** By its token or its link. */
  find: (secret: string) => OpenPage | undefined;
  /** Opens a page in the person's own browser, past everybody else's eyes; false where that cannot be done. */
  openWindow?: (page: OpenPage) => Promise<boolean>;
  /** The path below which pages stand, without a slash at its end. */
  base: string;
  /** `host:port` values that requests may carry. */
  hosts: () => string[];
  /** Where a form may come from. */
  origins: () => string[];
  newId: () => string;
  fallback: Texts;
}

const COOKIE = "towow_approval";
const MAX_FORM_BYTES = 512 * 1024;
/** By way of one link: everybody who sees it may try it, and a desktop is not to be flooded. */
const MAX_WINDOWS = 5;

/** The approval page's HTTP side (agent layer §3): loopback hosts only, one browser per page, no script, no cache. */
export function createApprovalApp(options: AppOptions): Hono {
  const { find, openWindow, base, hosts, origins, newId, fallback } = options;
  const app = new Hono();
  const path = `${base}/:token` as "/approve/:token";

  app.use(async (c, next) => {
    c.header(
      "Content-Security-Policy",
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    c.header("Cache-Control", "no-store");
    c.header("Referrer-Policy", "same-origin");
    c.header("X-Content-Type-Options", "nosniff");
    if (!hosts().includes(c.req.header("host") ?? "")) return c.text("forbidden host", 403);
    if (isForeign(c, origins())) return c.html(messagePage(fallback.page.refused.origin, fallback), 403);
    return next();
  });

  app.use(path, async (c, next) => {
    const secret = c.req.param("token");
    const page = find(secret);
    if (page === undefined) return c.html(messagePage(fallback.page.refused.gone, fallback), 410);
    const isFirst = page.browser === undefined && c.req.method === "GET";
    if (isFirst && secret === page.link && (await opened(page)))
      return c.html(messagePage(page.texts.page.inOwnWindow, page.texts));
    const cookie = getCookie(c, COOKIE);
    if (page.browser === undefined && c.req.method === "GET") {
      page.browser = newId();
      const secure = origins().every((origin) => origin.startsWith("https:"));
      setCookie(c, COOKIE, page.browser, {
        httpOnly: true,
        secure,
        // Strict would leave it out when a page is loaded again that another one, such as a redirect file, led to.
        sameSite: "Lax",
        path: `${base}/${secret}`,
      });
    } else if (page.browser === undefined || cookie !== page.browser)
      return c.html(messagePage(page.texts.page.refused.elsewhere, page.texts), 403);
    return next();
  });

  app.get(path, async (c) => {
    const page = find(c.req.param("token")) as OpenPage;
    if (page.kind === "send")
      return (await page.isOpen()) ? c.html(sendPage(page.request, page.texts)) : c.html(gone(page.texts), 410);
    const shown = await page.question();
    if (shown === undefined) return c.html(messagePage(page.texts.page.done.moved, page.texts), 410);
    return c.html(await firstPage(shown, page.texts));
  });

  app.post(path, bodyLimit({ maxSize: MAX_FORM_BYTES }), async (c) => {
    const page = find(c.req.param("token")) as OpenPage;
    const form = await c.req.parseBody();
    const answer = page.kind === "send" ? await answerSend(page, form) : await answerFormulation(page, form);
    if (answer.final) deleteCookie(c, COOKIE, { path: `${base}/${c.req.param("token")}` });
    return c.html(answer.html, answer.status);
  });

  async function opened(page: OpenPage): Promise<boolean> {
    const windows = page.windows ?? 0;
    if (windows >= MAX_WINDOWS) return true;
    if (!(await openWindow?.(page))) return false;
    page.windows = windows + 1;
    return true;
  }

  // A backend that cannot be asked, or whose answer cannot be read: the page says so, and stays open.
  app.onError((error, c) => {
    if (error instanceof HTTPException) return error.getResponse();
    const { texts } = find(c.req.param("token") ?? "") ?? { texts: fallback };
    const { message } = toToolError(error, { texts, idempotent: false, callable: () => false });
    return c.html(messagePage(texts.page.refused.failed(message), texts), 502);
  });
  app.notFound((c) => c.html(messagePage(fallback.page.refused.gone, fallback), 404));
  return app;
}

const firstPage = (shown: Shown, texts: Texts) =>
  shown.candidate === undefined ? questionPage(shown, texts) : candidatePage(shown, shown.candidate, texts);

type Form = Record<string, unknown>;
interface Answer {
  html: ReturnType<typeof messagePage>;
  status: 200 | 409 | 410 | 422 | 502;
  final?: true;
}

const gone = (texts: Texts) => messagePage(texts.page.refused.gone, texts);

async function answerSend(page: SendPage, form: Form): Promise<Answer> {
  const { texts } = page;
  if (!(await page.isOpen())) return { html: gone(texts), status: 410 };
  if (form.decision !== "accept" && form.decision !== "reject")
    return { html: sendPage(page.request, texts), status: 422 };
  await page.decide(form.decision);
  const { sendAccepted, sendRejected } = texts.page;
  return {
    html: messagePage(form.decision === "accept" ? sendAccepted : sendRejected, texts),
    status: 200,
    final: true,
  };
}

async function answerFormulation(page: FormulationPage, form: Form): Promise<Answer> {
  const { texts } = page;
  const text = typeof form.text === "string" ? form.text.replaceAll("\r\n", "\n") : "";
  const { decision } = form;
  const moved = { html: messagePage(texts.page.done.moved, texts), status: 410 } as const;
  const shown = await page.question();
  if (shown === undefined) return moved;
  // What is decided is what was shown: a form that was filled in for an older text is asked again.
  if (form.confirmation_id !== shown.confirmationId)
    return { html: await questionPage(shown, texts, texts.page.changed), status: 409 };
  if (text.length > MAX_TEXT_LENGTH) return { html: await questionPage(shown, texts, texts.page.tooLong), status: 422 };
  if (decision === "original") return { html: await questionPage(shown, texts), status: 200 };
  if (decision === "back") return { html: await questionPage(shown, texts, undefined, text), status: 200 };
  if ((decision === "preview" || decision === "edit") && text.trim() === "")
    return { html: await questionPage(shown, texts, texts.page.empty), status: 422 };
  if (decision === "preview") return { html: await previewPage(shown, text, texts), status: 200 };
  if (decision !== "accept" && decision !== "edit" && decision !== "reject")
    return { html: await questionPage(shown, texts), status: 422 };
  const verdict = await page.decide(decision, shown.confirmationId, decision === "edit" ? text : undefined);
  if (verdict.kind === "failed")
    return {
      html: await questionPage(shown, texts, texts.page.refused.failed(verdict.message), text || undefined),
      status: 502,
    };
  if (verdict.kind === "over") return { html: messagePage(verdict.message, texts), status: 200, final: true };
  if (verdict.kind !== "changed")
    return { html: messagePage(texts.page.done[verdict.kind], texts), status: 200, final: true };
  const now = await page.question();
  return now === undefined ? moved : { html: await questionPage(now, texts, texts.page.changed), status: 409 };
}

/**
 * A form, a frame or a script of another site; a browser says so in its headers. The page itself may be opened from
 * anywhere, in a window of its own: a redirect file counts as another site, and so does a link in a terminal's page.
 */
function isForeign(c: Context, origins: string[]): boolean {
  const origin = c.req.header("origin");
  if (origin !== undefined && !origins.includes(origin)) return true;
  if (!["cross-site", "same-site"].includes(c.req.header("sec-fetch-site") ?? "none")) return false;
  const opensWindow =
    c.req.method === "GET" &&
    c.req.header("sec-fetch-mode") === "navigate" &&
    c.req.header("sec-fetch-dest") === "document";
  return !opensWindow;
}
