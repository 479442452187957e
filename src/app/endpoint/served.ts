import type { Clock } from "../../clock.ts";
import type { Settings } from "../../home/settings.ts";
import type { Log } from "../../log.ts";
import { claimedUserId } from "../../mcp/http/guards.ts";
import { createModern } from "../../mcp/http/modern.ts";
import { readQuery } from "../../mcp/http/query.ts";
import type { User as HttpUser } from "../../mcp/http/user.ts";
import type { ServerDeps } from "../../mcp/server-deps.ts";
import type { User } from "../user.ts";

export interface ServedOptions {
  /** What differs for somebody who calls themselves `claimedId`. */
  as: (claimedId: string | undefined, deps: ServerDeps, request: Request) => ServerDeps;
  clock: Clock;
  log: Log;
}

/** Who has a page open is no client: they narrow nothing, and have the id that a client of theirs gave last. */
export const OF_NO_CLIENT = new Request("http://localhost/");

/** What a request says of itself: who the caller claims to be, and what its address chooses. @throws HttpError */
const readRequest = ({ headers, url }: Request, settings: Settings) => ({
  claimedId: claimedUserId(headers),
  chosen: readQuery(url, settings),
});

/** One person as the endpoint serves them, in both eras. */
export function serve(
  user: User,
  { as, clock, log }: ServedOptions,
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
    serverDeps,
    // An address with a query has settings of its own.
    sharedBy: ({ url, headers }) => (url.includes("?") ? undefined : (claimedUserId(headers) ?? "")),
    live,
    negotiations: () => user.account().negotiations,
    clock,
    log,
  });
  return {
    ...modern,
    serverDeps,
    async prepare(request) {
      readRequest(request, live.current());
    },
  };
}
