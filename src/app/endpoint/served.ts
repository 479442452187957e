import type { Settings } from "../../home/settings.ts";
import { createModern } from "../../mcp/http/modern.ts";
import { readQuery } from "../../mcp/http/query.ts";
import { claimedUserId } from "../../mcp/http/request-checks.ts";
import type { User as HttpUser } from "../../mcp/http/user.ts";
import type { ServerDeps } from "../../mcp/server-deps.ts";
import type { Platform } from "../../platform.ts";
import type { User } from "../user.ts";

export interface ServedOptions {
  /** Adapts a server's services to a caller who claims to be `claimedId`. */
  as: (claimedId: string | undefined, deps: ServerDeps, request: Request) => ServerDeps;
  platform: Platform;
}

/**
 * Stands in for a client's request when a person only has a page open. It chooses no settings and claims no id, so the
 * person gets the id that one of their clients claimed last.
 */
export const OF_NO_CLIENT = new Request("http://localhost/");

/** Reads whom the caller claims to be, and which settings the address chooses. @throws HttpError */
const readRequest = ({ headers, url }: Request, settings: Settings) => ({
  claimedId: claimedUserId(headers),
  chosen: readQuery(url, settings),
});

/** Serves one person over HTTP, in both eras of the protocol. */
export function serve(
  user: User,
  { as, platform }: ServedOptions,
): Pick<HttpUser, "prepare" | "serverDeps" | "modern" | "subscriptions"> {
  const { live } = user.settings;
  const serverDeps: HttpUser["serverDeps"] = (request, sessionId) => {
    const { claimedId, chosen } = readRequest(request, live.current());
    const deps = as(claimedId, user.server(chosen, sessionId), request);
    return sessionId === undefined
      ? { ...deps, sessionless: true, resourceUpdates: "listen" }
      : { ...deps, sessionless: false, resourceUpdates: "session" };
  };
  const modern = createModern({
    platform,
    serverDeps,
    // A query chooses settings, so a server that was made for such an address is not reused.
    sharedBy: ({ url, headers }) => (url.includes("?") ? undefined : (claimedUserId(headers) ?? "")),
    live,
    negotiations: () => user.account().negotiations,
  });
  return {
    ...modern,
    serverDeps,
    async prepare(request) {
      readRequest(request, live.current());
    },
  };
}
