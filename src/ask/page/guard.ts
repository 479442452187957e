import type { Context, Next } from "hono";
import type { Texts } from "../../text/index.ts";
import { leadPage } from "./browser-pages.ts";
import { closedPage, shownTo } from "./frame.ts";
import { pageHeaders } from "./page-scripts.ts";
import { keepLanguage } from "./visitor.ts";

export interface GuardOptions {
  /** Whether requests may name this `host:port`: against DNS rebinding. */
  isHost: (host: string) => boolean;
  /** Where forms must come from that are sent to this `host:port`. */
  originOf: (host: string) => string;
}

/**
 * Before every request: it names this host, and no other site has made it. The SDK's own validations look at names and not
 * at ports, and on one machine every program's page is a `localhost`.
 */
export async function refuseForeign(c: Context, next: Next, options: GuardOptions, texts: Texts) {
  pageHeaders(c); // the room has a policy of its own
  const guarded = guard(c, options);
  if (guarded === "wrong_host") return c.text("forbidden host", 403);
  if (guarded === "no_path") return c.text("not found", 404);
  if (guarded === "ahead") return c.body(null, c.req.method === "HEAD" ? 405 : 503);
  if (guarded === "foreign")
    return c.html(closedPage(shownTo(c, texts), { ...texts.page.refused.origin, lines: 0, isProblem: true }), 403);
  keepLanguage(c, options.originOf(c.req.header("host") ?? "").startsWith("https:"));
  if (guarded === "led_here") return c.html(leadPage(shownTo(c, texts), c.req.path));
  return next();
}

/** What a request may do, by its own headers, which a browser sets and no page can change. */
type Guarded =
  | "passes"
  | "wrong_host"
  /** A browser that was led to its path would go to another host. */
  | "no_path"
  /** Nobody has come yet: a browser loads ahead, or a program asks what is there. It must not use up what opens once. */
  | "ahead"
  /** A form, a frame or a script of another site. */
  | "foreign"
  /** Another site led here, so that the browser has kept its cookies back: the page leads to itself once more. */
  | "led_here";

/** The headers in which browsers, new and old, say that they only load ahead of a click. */
const AHEAD = ["sec-purpose", "purpose", "x-purpose", "x-moz"];

/**
 * The page itself may be opened from anywhere, in a window of its own: a redirect file counts as another site, and so
 * does a link in a terminal's page.
 */
function guard(c: Context, { isHost, originOf }: GuardOptions): Guarded {
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
 * Whether a browser that is led to a path comes to this host again: `//other` and `/\other` name another one. Every page
 * leads to its own path or to a constant, so none leads away from where this holds.
 */
const staysHere = (path: string): boolean => URL.parse(path, HERE)?.origin === HERE;
