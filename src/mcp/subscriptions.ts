import { ResourceNotFoundError, type Server } from "@modelcontextprotocol/server";
import { failureOf } from "../log.ts";
import { fingerprint, isFinal } from "../negotiation/polling.ts";
import type { Negotiations } from "../negotiation/service.ts";
import { once } from "../once.ts";
import type { Platform } from "../platform.ts";
import { decodedPart } from "../safety/resource-uris.ts";
import { URI_PARAMS } from "./list-params.ts";

export interface SubscriptionsDeps {
  /** Returns the negotiations of the backend in use. */
  negotiations: () => Negotiations;
  /** Notifies the subscribers of this address that there is news. */
  updated: (uri: string) => void;
}

interface Followed {
  count: number;
  /** The negotiations of the backend that was in use when the subscription began. */
  negotiations: Negotiations;
  stop: () => void;
  /** Resolves after the first read with whether the negotiation could be read. */
  allowed: Promise<boolean>;
}

/** How long to wait, in ms, before an address is read again after its backend did not answer. */
const AGAIN_MS = 10_000;
/** The most addresses that one user can follow at once. */
const MAX_COUNT = 100;
const NEGOTIATION = /^towow:\/\/negotiations\/([^/?#]+)(?:\/(?:plan|graph|brief|evidence|offers\/[^/?#]+))?$/;

/**
 * The negotiations that one user's clients follow (agent layer §7). An address is followed once, however many clients
 * ask for it, and only if this user can read it.
 */
export class Subscriptions {
  readonly #platform: Platform;
  readonly #deps: SubscriptionsDeps;
  readonly #followed = new Map<string, Followed>();

  constructor(platform: Platform, deps: SubscriptionsDeps) {
    this.#platform = platform;
    this.#deps = deps;
  }

  /**
   * Begins to follow an address. Returns the function that stops following, or undefined if the user cannot follow the
   * address.
   */
  async add(uri: string): Promise<(() => void) | undefined> {
    const id = negotiationOf(uri);
    if (id === undefined) return undefined;
    const known = this.#followed.get(uri);
    if (known === undefined && this.#followed.size >= MAX_COUNT) return undefined;
    const one = known ?? { count: 0, ...this.#follow(uri, id) };
    if (one.negotiations !== this.#deps.negotiations()) {
      one.stop(); // Another backend is in use by now.
      Object.assign(one, this.#follow(uri, id));
    }
    this.#followed.set(uri, one);
    const { allowed } = one;
    one.count += 1;
    if (await allowed) return once(() => this.#leave(uri, one));
    one.count -= 1;
    if (one.allowed === allowed) this.#forget(uri, one);
    return undefined;
  }

  #leave(uri: string, one: Followed): void {
    one.count -= 1;
    if (one.count > 0) return;
    one.stop();
    this.#forget(uri, one);
  }

  /** Removes this entry only, because a newer one may have taken its place. */
  #forget(uri: string, one: Followed): void {
    if (this.#followed.get(uri) === one) this.#followed.delete(uri);
  }

  /**
   * Drops an address that can no longer be read. If a client asks for the address again, the address is followed anew
   * or refused.
   */
  #end(uri: string, error: unknown): void {
    this.#followed.delete(uri);
    this.#platform.log.info("subscription_ended", { error: failureOf(error) });
  }

  close(): void {
    for (const { stop } of this.#followed.values()) stop();
    this.#followed.clear();
  }

  #follow(uri: string, id: string): Omit<Followed, "count"> {
    const { updated } = this.#deps;
    const negotiations = this.#deps.negotiations();
    let stop = () => {};
    let last: string | undefined;
    const { promise: allowed, resolve } = Promise.withResolvers<boolean>();
    const subscribe = () => {
      stop = negotiations.subscribe(id, {
        next(snapshot) {
          const now = fingerprint(snapshot);
          if (last !== undefined && now !== last) updated(uri);
          last = now;
          resolve(true);
        },
        fail: (error) => {
          // A final error would only come again, so the subscription ends. A backend that was away may come back, so
          // the read is tried again.
          if (last !== undefined && !isFinal(error)) stop = this.#platform.clock.after(AGAIN_MS, subscribe);
          else if (last !== undefined) this.#end(uri, error);
          resolve(false);
        },
      });
    };
    subscribe();
    return {
      negotiations,
      allowed,
      stop() {
        stop();
        resolve(false); // Ends the wait for a first read that has not come.
      },
    };
  }
}

function negotiationOf(uri: string): string | undefined {
  const encoded = NEGOTIATION.exec(uri)?.[1];
  return encoded === undefined ? undefined : decodedPart(encoded);
}

/** Serves subscriptions to 2025-era clients, on a server that declares the capability. */
export function serveSubscriptions(server: Server, subscriptions: Subscriptions): void {
  const leaving = new Map<string, (() => void)[]>();
  server.setRequestHandler("resources/subscribe", { params: URI_PARAMS }, async ({ uri }) => {
    const leave = await subscriptions.add(uri);
    if (leave === undefined) throw new ResourceNotFoundError(uri);
    const held = leaving.get(uri) ?? [];
    if (held.length < MAX_COUNT) leaving.set(uri, [...held, leave]);
    else leave();
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", { params: URI_PARAMS }, ({ uri }) => {
    const held = leaving.get(uri);
    held?.pop()?.();
    if (held?.length === 0) leaving.delete(uri);
    return {};
  });
}
