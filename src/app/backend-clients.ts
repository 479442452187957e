import { type Auth, type BackendClient, createBackendClient } from "../backend/client.ts";
import { createOpenFeed, FeedOff, type OpenFeed } from "../backend/feed/open-feed.ts";
import type { Http } from "../backend/http.ts";
import { DryRun, type Operation } from "../backend/operation.ts";
import { Failure } from "../errors.ts";
import { hostOf, isHere } from "../home/origin.ts";
import type { Settings } from "../home/settings.ts";
import type { Ledger } from "../session/ledger.ts";

/** Leads to a backend for one account: its address, what proves who asks, and the transport. */
export interface BackendWay {
  baseUrl: string;
  auth: Auth;
  http: Http;
}

/** Holds the clients of one account. Under `dry_run` their requests have different rules. */
export interface BackendClients {
  /** For tool calls. */
  calls: BackendClient;
  /** Supervisors use this one, whose cancel leaves under every profile. */
  supervisors: BackendClient;
}

/** Creates clients whose requests the ledger counts, and which send no write under `dry_run`. */
export function clientsOf(way: BackendWay, ledger: Ledger, profile: () => Settings["profile"]): BackendClients {
  const clientFor = (isCall: boolean) =>
    createBackendClient({ ...way, beforeSend: meteredBy(way.baseUrl, ledger, profile, { isCall }) });
  return { calls: clientFor(true), supervisors: clientFor(false) };
}

/** Opens the backend's feed while the settings want one. Otherwise opening it throws FeedOff. */
export function feedOf(way: () => Promise<BackendWay>, settings: () => Pick<Settings, "feed">): OpenFeed {
  return async (...call) => {
    if (settings().feed === "off") throw new FeedOff();
    return createOpenFeed(await way())(...call);
  };
}

/** @throws `tool.policy.blocked.offline` where nothing may go to that address under this profile */
export function refuseOffline(profile: Settings["profile"], address: string): void {
  if (profile === "offline" && !isHere(address))
    throw new Failure("tool.policy.blocked.offline", { host: hostOf(address) });
}

/**
 * Runs before each request. Under `dry_run` no write leaves, under `offline` nothing at all, and everything else is
 * counted. A supervisor's cancel does leave: what was submitted before the profile was changed would be broadcast
 * undecided.
 */
const meteredBy =
  (address: string, ledger: Ledger, profile: () => Settings["profile"], { isCall }: { isCall: boolean }) =>
  (operation: Operation<unknown>): void => {
    if (isCall || operation.name !== "action") {
      refuseOffline(profile(), address);
      if (profile() === "dry_run" && operation.method !== "GET") throw new DryRun(operation);
    }
    ledger.countRequest(operation.method);
  };
