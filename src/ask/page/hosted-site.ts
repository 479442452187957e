import type { Hono } from "hono";
import { textsOf } from "../../text/index.ts";
import { createApprovalApp } from "./app.ts";
import { type ApprovalSite, PageBook, type SiteDeps } from "./site.ts";

/**
 * Under the address that an operator has made public, for many people. A page lives in the replica that made it, so
 * the replica's name stands in the path, for the load balancer to go by.
 */
export function createHostedSite(
  deps: SiteDeps & { publicUrl: URL; replica: string },
): ApprovalSite & { app: Hono; base: string } {
  const { publicUrl, replica, newId } = deps;
  const book = new PageBook(deps);
  const base = `/approve/${replica}`;
  const app = createApprovalApp({
    find: (token) => book.find(token),
    base,
    hosts: () => [publicUrl.host],
    origins: () => [publicUrl.origin],
    newId,
    fallback: textsOf("en"),
  });
  return {
    app,
    base,
    addressOf: async (about, lang, make) => `${publicUrl.origin}${base}/${book.put(about, lang, make).token}`,
    forget: (token) => book.forget(token),
  };
}
