import type { Context, MiddlewareHandler } from "hono";

/** What the room's page may do: its own script, styles and requests, and nothing from elsewhere. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

export interface GuardOptions {
  /** `host:port` values that requests may carry. */
  hosts: () => readonly string[];
  /** Where a request of a page may come from. */
  origins: () => readonly string[];
}

/** Before anything of a room is served: the right host, no other site, nothing kept, nothing framed. */
export const roomGuard =
  ({ hosts, origins }: GuardOptions): MiddlewareHandler =>
  async (c, next) => {
    c.header("Content-Security-Policy", POLICY);
    c.header("Cache-Control", "no-store");
    c.header("Referrer-Policy", "same-origin");
    c.header("X-Content-Type-Options", "nosniff");
    c.header("Cross-Origin-Opener-Policy", "same-origin");
    c.header("Cross-Origin-Resource-Policy", "same-origin");
    if (!hosts().includes(c.req.header("host") ?? "")) return c.text("forbidden host", 403);
    if (isForeign(c, origins())) return c.text("forbidden origin", 403);
    return next();
  };

/** Another site's form, frame, script or picture; a browser says so. A room may be opened from anywhere, in a window. */
function isForeign(c: Context, origins: readonly string[]): boolean {
  const origin = c.req.header("origin");
  if (origin !== undefined && !origins.includes(origin)) return true;
  if (c.req.method !== "GET" && origin === undefined) return true;
  if (!["cross-site", "same-site"].includes(c.req.header("sec-fetch-site") ?? "none")) return false;
  const opensWindow = c.req.header("sec-fetch-mode") === "navigate" && c.req.header("sec-fetch-dest") === "document";
  return c.req.method !== "GET" || !opensWindow;
}
