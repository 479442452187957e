import type { Hono } from "hono";
import type { Platform } from "../../platform.ts";
import { createApprovalApp } from "./app.ts";
import { createBrowsersApp } from "./browsers-app.ts";
import type { SignInDesk } from "./sign-in.ts";
import { type ApprovalSite, PageBook } from "./site.ts";

export interface HostedSite extends ApprovalSite {
  /** The apps of the site, by the paths at which they must be mounted. */
  apps: Readonly<Record<string, Pick<Hono, "fetch">>>;
}

/**
 * Serves many people's pages under the address that an operator has made public. A page lives in the replica that made
 * it, so the replica's name stands in the path for the load balancer. The sign-in is the same at every replica.
 */
export function createHostedSite(
  platform: Platform,
  {
    publicUrl,
    replica,
    people,
    textsOf,
  }: { people: SignInDesk; publicUrl: URL; replica: string } & Pick<ApprovalSite, "textsOf">,
): HostedSite {
  const book = new PageBook(platform);
  const base = `/approve/${replica}`;
  const ours = {
    isHost: (host: string) => host === publicUrl.host,
    originOf: () => publicUrl.origin,
  };
  const pages = createApprovalApp({
    ...ours,
    cookiePath: people.cookiePath,
    isSecure: people.isSecure,
    book,
    base,
    browsersPath: BROWSERS_PATH,
    textsOf,
  });
  const browsers = createBrowsersApp({ ...ours, path: BROWSERS_PATH, roomPath: "/room", people });
  const addressOf = (path: string) => `${publicUrl.origin}${base}/${path}`;
  return {
    textsOf,
    apps: { [base]: pages, [BROWSERS_PATH]: browsers },
    async addressesOf(about, page) {
      const { client, result } = book.put(about, page);
      return { forClient: addressOf(client), forResult: addressOf(result) };
    },
  };
}

const BROWSERS_PATH = "/browsers";
