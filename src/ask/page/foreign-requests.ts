import type { Context, Next } from "hono";
import type { Texts } from "../../text/index.ts";
import { leadPage } from "./browser-pages.ts";
import { closedPage, pageContextOf } from "./frame.ts";
import { pageHeaders } from "./page-scripts.ts";
import { keepLanguage } from "./visitor.ts";

export interface PageHosts {
  /** Returns whether requests may name this `host:port`, which refuses DNS rebinding. */
  isHost: (host: string) => boolean;
  /** Returns the origin from which forms to this `host:port` must come. */
  originOf: (host: string) => string;
}

/**
 * Checks every request before it is handled. The request must name this host, and no other site may have made it. The
 * SDK's own validations look at names without ports, and on one machine every program's page is a `localhost`.
 */
export async function refuseForeign(c: Context, next: Next, options: PageHosts, texts: Texts) {
  pageHeaders(c); // The room sets its own policy.
  const judged = judge(c, options);
  if (judged === "wrong_host") return c.text("forbidden host", 403);
  if (judged === "no_path") return c.text("not found", 404);
  if (judged === "ahead") return c.body(null, c.req.method === "HEAD" ? 405 : 503);
  if (judged === "foreign")
    return c.html(
      closedPage(pageContextOf(c, texts), { ...texts.page.refused.origin, lines: 0, isProblem: true }),
      403,
    );
  keepLanguage(c, options.originOf(c.req.header("host") ?? "").startsWith("https:"));
  if (judged === "led_here") return c.html(leadPage(pageContextOf(c, texts), c.req.path));
  return next();
}

/** The judgement of a request, by headers that a browser sets and no page can change. */
type Judged =
  | "passes"
  | "wrong_host"
  /** A browser that is redirected to this path would go to another host. */
  | "no_path"
  /**
   * Nobody has come yet, because a browser loads ahead or a program probes. Such a request must not use up what opens
   * only once.
   */
  | "ahead"
  /** A form, a frame or a script of another site made the request. */
  | "foreign"
  /** Another site led here, so the browser held its cookies back. The page redirects to itself once. */
  | "led_here";

/** The headers in which old and new browsers say that they only load ahead of a click. */
const AHEAD = ["sec-purpose", "purpose", "x-purpose", "x-moz"];

/**
 * Judges a request. The page itself may be opened from anywhere in a window of its own, because a redirect file counts
 * as another site, and so does a link in a terminal's page.
 */
function judge(c: Context, { isHost, originOf }: PageHosts): Judged {
  const host = c.req.header("host") ?? "";
  if (!isHost(host)) return "wrong_host";
  if (!staysHere(c.req.path)) return "no_path";
  if (c.req.method === "HEAD" || AHEAD.some((name) => /prefetch|preview/.test(c.req.header(name) ?? "")))
    return "ahead";
  const origin = c.req.header("origin");
  if (origin !== undefined && origin !== originOf(host)) return "foreign";
  if (!["cross-site", "same-site"].includes(c.req.header("sec-fetch-site") ?? "none")) return "passes";
  const opensWindow =
    c.req.method === "GET" &&
    c.req.header("sec-fetch-mode") === "navigate" &&
    c.req.header("sec-fetch-dest") === "document";
  return opensWindow ? "led_here" : "foreign";
}

const HERE = "http://here.invalid";
/**
 * Returns whether a redirect to this path stays on this host, because `//other` and `/\other` name another host. Pages
 * redirect to their own path or to a constant. Only the consent page also redirects to a program's address, which it
 * checks itself.
 */
const staysHere = (path: string): boolean => URL.parse(path, HERE)?.origin === HERE;
