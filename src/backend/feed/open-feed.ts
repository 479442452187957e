import { nanoid } from "nanoid";
import type { Auth, Http } from "../http.ts";
import { feedUrl } from "../route.ts";
import { type FeedEvent, readEvent } from "./events.ts";

export interface FeedListener {
  /** Called with each event of this negotiation that this version knows. */
  event: (event: FeedEvent) => void;
  /** Called once, when nothing more comes. */
  closed: () => void;
}

/**
 * Listens to one negotiation's feed, which sends its whole history first and then each event as it comes. Resolves with the
 * function that ends the listening.
 * @throws if there is no such feed, or none can be reached
 */
export type OpenFeed = (negotiationId: string, listener: FeedListener, signal: AbortSignal) => Promise<() => void>;

/** Thrown instead of opening a feed if the settings switch the feed off. */
export class FeedOff extends Error {}

/**
 * Creates the function that opens feeds of the backend at `baseUrl`. The token is sent, although today's backend asks
 * for none.
 */
export function createOpenFeed(deps: {
  baseUrl: string;
  auth: Auth;
  http: Http;
  /** The time limit until the feed has answered, in milliseconds, 5,000 by default. */
  openTimeoutMs?: number;
}): OpenFeed {
  const { auth, http, openTimeoutMs = 5_000 } = deps;
  return async (negotiationId, { event, closed }, leaving) => {
    const url = feedUrl(deps.baseUrl, negotiationId);
    // The real clock is used, as for every exchange on a real wire.
    const signal = AbortSignal.any([leaving, AbortSignal.timeout(openTimeoutMs)]);
    const bearer = await auth.bearer(signal);
    const frame = (text: string) => {
      const read = readEvent(text, negotiationId);
      if (read !== undefined) event(read);
    };
    return http.listen(url, { bearer, requestId: nanoid() }, { frame, closed }, signal);
  };
}
