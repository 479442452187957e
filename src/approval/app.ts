import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { Texts } from "../text/index.ts";
import { messagePage, previewPage, questionPage, type Shown } from "./html.ts";

/** One page that waits for a person. */
export interface OpenPage {
  token: string;
  /** Set by the first browser that opens the page; no other one gets in. */
  browser?: string;
  texts: Texts;
  /** Reads the question as it stands now; undefined when there is nothing to decide any more. */
  question(): Promise<Shown | undefined>;
  /** Carries a decision out. `changed` when the text is another one by now. */
  decide(kind: "accept" | "edit" | "reject", confirmationId: string, text?: string): Promise<Verdict>;
}
export type Verdict =
  | { kind: "accept" | "edit" | "reject" | "moved" }
  | { kind: "changed" }
  | { kind: "failed"; message: string };

export interface AppOptions {
  find: (token: string) => OpenPage | undefined;
  /** `host:port` values that requests may carry. */
  hosts: () => string[];
  newId: () => string;
  fallback: Texts;
}

const COOKIE = "towow_approval";
const LARGEST_FORM_BYTES = 512 * 1024;

/** The approval page's HTTP side (agent layer §3): loopback hosts only, one browser per page, no script, no cache. */
export function createApprovalApp({ find, hosts, newId, fallback }: AppOptions): Hono {
  const app = new Hono();

  app.use(async (c, next) => {
    c.header(
      "Content-Security-Policy",
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    c.header("Cache-Control", "no-store");
    c.header("Referrer-Policy", "same-origin");
    c.header("X-Content-Type-Options", "nosniff");
    if (!hosts().includes(c.req.header("host") ?? "")) return c.text("forbidden host", 403);
    if (isForeign(c, hosts())) return c.html(messagePage(fallback.page.refused.origin, fallback), 403);
    return next();
  });

  app.use("/approve/:token", async (c, next) => {
    const page = find(c.req.param("token"));
    if (page === undefined) return c.html(messagePage(fallback.page.refused.gone, fallback), 410);
    const cookie = getCookie(c, COOKIE);
    if (page.browser === undefined && c.req.method === "GET") {
      page.browser = newId();
      setCookie(c, COOKIE, page.browser, { httpOnly: true, sameSite: "Strict", path: `/approve/${page.token}` });
    } else if (page.browser === undefined || cookie !== page.browser)
      return c.html(messagePage(page.texts.page.refused.elsewhere, page.texts), 403);
    return next();
  });

  app.get("/approve/:token", async (c) => {
    const page = find(c.req.param("token")) as OpenPage;
    const shown = await page.question();
    if (shown === undefined) return c.html(messagePage(page.texts.page.done.moved, page.texts), 410);
    return c.html(questionPage(shown, page.texts));
  });

  app.post("/approve/:token", bodyLimit({ maxSize: LARGEST_FORM_BYTES }), async (c) => {
    const page = find(c.req.param("token")) as OpenPage;
    const { texts } = page;
    const form = await c.req.parseBody();
    const text = typeof form.text === "string" ? form.text.replaceAll("\r\n", "\n") : "";
    const shown = await page.question();
    if (shown === undefined) return c.html(messagePage(texts.page.done.moved, texts), 410);
    if (form.confirmation_id !== shown.confirmationId)
      return c.html(questionPage(shown, texts, texts.page.changed), 409);
    if (form.decision === "back") return c.html(questionPage(shown, texts, undefined, text));
    if ((form.decision === "preview" || form.decision === "edit") && text.trim() === "")
      return c.html(questionPage(shown, texts, texts.page.empty), 422);
    if (form.decision === "preview") return c.html(previewPage(shown, text, texts));
    if (form.decision !== "accept" && form.decision !== "edit" && form.decision !== "reject")
      return c.html(questionPage(shown, texts), 422);
    const verdict = await page.decide(form.decision, shown.confirmationId, form.decision === "edit" ? text : undefined);
    if (verdict.kind === "failed")
      return c.html(questionPage(shown, texts, texts.page.refused.failed(verdict.message), text || undefined), 502);
    if (verdict.kind === "changed") {
      const now = await page.question();
      if (now === undefined) return c.html(messagePage(texts.page.done.moved, texts), 410);
      return c.html(questionPage(now, texts, texts.page.changed), 409);
    }
    deleteCookie(c, COOKIE, { path: `/approve/${page.token}` });
    return c.html(messagePage(texts.page.done[verdict.kind], texts));
  });

  app.notFound((c) => c.html(messagePage(fallback.page.refused.gone, fallback), 404));
  return app;
}

/** A form or a link of another site; a browser says so in one of two headers. */
function isForeign(c: Context, hosts: string[]): boolean {
  const origin = c.req.header("origin");
  if (origin !== undefined && !hosts.some((host) => origin === `http://${host}`)) return true;
  return ["cross-site", "same-site"].includes(c.req.header("sec-fetch-site") ?? "none");
}
