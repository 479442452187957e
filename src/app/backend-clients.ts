import { type Auth, type BackendClient, createBackendClient } from "../backend/client.ts";
import { createOpenFeed, FeedOff, type OpenFeed } from "../backend/feed/open-feed.ts";
import type { Http } from "../backend/http.ts";
import { DryRun, type Operation } from "../backend/operation.ts";
import { Failure } from "../errors.ts";
import { hostOf, isHere } from "../home/origin.ts";
import type { Settings } from "../home/settings.ts";
import type { Ledger } from "../session/ledger.ts";

/** The way to a backend for one account: its address, the credentials, and the transport. */
export interface BackendWay {
  baseUrl: string;
  auth: Auth;
  http: Http;
}

/** The two clients of one account, which the profile limits differently. */
export interface BackendClients {
  /** Sends the requests of tool calls. */
  calls: BackendClient;
  /** Sends the requests of supervisors, which watch the deadlines of demands. Their cancels leave under every profile. */
  supervisors: BackendClient;
}

/** Creates clients whose requests the ledger counts and the profile limits. */
export function clientsOf(way: BackendWay, ledger: Ledger, profile: () => Settings["profile"]): BackendClients {
  const clientFor = (isCall: boolean) =>
    createBackendClient({ ...way, beforeSend: meteredBy(way.baseUrl, ledger, profile, { isCall }) });
  return { calls: clientFor(true), supervisors: clientFor(false) };
}

/** Returns a function that opens the backend's feed. It throws FeedOff if the settings turn the feed off. */
export function feedOf(way: () => Promise<BackendWay>, settings: () => Pick<Settings, "feed">): OpenFeed {
  return async (...call) => {
    if (settings().feed === "off") throw new FeedOff();
    return createOpenFeed(await way())(...call);
  };
}

/**
 * Refuses an address that the profile forbids. @throws `tool.policy.blocked.offline` for another machine under
 * `offline`
 */
export function refuseOffline(profile: Settings["profile"], address: string): void {
  if (profile === "offline" && !isHere(address))
    throw new Failure("tool.policy.blocked.offline", { host: hostOf(address) });
}

/**
 * Returns the check that runs before each request and counts it. Under `offline` no request leaves for another machine,
 * and under `dry_run` no write leaves. A supervisor's cancel leaves even then, because a text that was submitted before
 * the profile changed would otherwise be broadcast undecided.
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
