import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ConfigFile } from "../../src/home/file.ts";
import { createIdentity } from "../../src/home/identity.ts";
import { toIso } from "../../src/home/iso-time.ts";
import type { RequestToken } from "../../src/home/token-requests.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { platformWith } from "../support/platform.ts";
import { resolveSettings } from "../support/resolve-settings.ts";
import { homeWith, listeningLog, storeAt, type TokenRequest } from "./support.ts";

/** A backend. */
export const A = "https://a.example";
/** Another one. */
export const B = "https://b.example";
/** In milliseconds. */
export const MINUTE = 60_000;

interface Ask extends TokenRequest {
  url: string;
}

/** One person's home, with a backend that can be told how to answer and where every request is written down. */
export function person(start: string | ConfigFile = {}, flags: ConfigFile = { backend_url: A }) {
  const home = typeof start === "string" ? start : homeWith(start);
  const clock = new ManualClock();
  const log = listeningLog();
  const store = storeAt(home, clock, log);
  const asks: Ask[] = [];
  const state = { flags, lifetimeMs: 60 * MINUTE, answer: undefined as RequestToken | undefined };
  const settings = () => resolveSettings({ flags: state.flags, file: store.read().values });
  const requestToken: RequestToken = async (request, bearer, signal) => {
    asks.push({ ...request, bearer, url: settings().backend_url! });
    if (state.answer) return state.answer(request, bearer, signal);
    const expires_at = toIso(clock.now() + state.lifetimeMs);
    return { user_id: request.user_id || `user-${asks.length}`, api_token: `token-${asks.length}`, expires_at };
  };
  let ids = 0;
  const platform = platformWith(clock, { log });
  const make = () =>
    createIdentity({
      platform,
      store,
      settings,
      requestToken,
      newUserId: () => `local-${++ids}`,
      deviceInfo: "towow/1",
    });
  const file = () => JSON.parse(readFileSync(join(home, "config.json"), "utf8"));
  return { home, clock, log, store, asks, state, file, identity: make(), restart: make };
}

/** A backend that has no route for tokens. */
export const unsupported: RequestToken = async () => ({ unsupported: true });
