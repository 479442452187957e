import { nanoid } from "nanoid";
import { createApprovalPages } from "../ask/page/approval-pages.ts";
import type { OpenRoom, PageOwner } from "../ask/page/open-page.ts";
import type { ApprovalSite } from "../ask/page/site.ts";
import { type BackendClient, withRequestId } from "../backend/client.ts";
import type { OpenFeed } from "../backend/feed/open-feed.ts";
import type { Clock } from "../clock.ts";
import { Feeds } from "../feed/feeds.ts";
import type { LastIds } from "../home/last-ids.ts";
import { providerOf } from "../home/origin.ts";
import type { Settings } from "../home/settings.ts";
import type { Log } from "../log.ts";
import type { Account } from "../mcp/account.ts";
import type { CoreDeps, PinnedBackend } from "../negotiation/core-deps.ts";
import { createNegotiations } from "../negotiation/create-negotiations.ts";
import type { FactStore, Owner } from "../negotiation/facts.ts";
import type { Pollers } from "../negotiation/polling/watcher.ts";
import { rememberedSha256 } from "./hash.ts";

export interface AccountDeps {
  origin: string;
  /**
   * Holds on to the address that is configured now; `isCall`: for a tool call, not for the supervisors. `account`: as
   * whom it asks, as long as their token is known.
   */
  pinBackend: () => (isCall: boolean, account?: string) => Promise<BackendClient>;
  /** As the negotiations know the user. */
  userId: () => Promise<string>;
  /** The same, where it is known already; absent where it never changes. */
  knownUserId?: CoreDeps["knownUserId"];
  /** Opens the backend's feed; absent if the backend has none. */
  openFeed?: OpenFeed;
  facts: FactStore;
  pollers: Pollers;
  /** The pollers serve other users as well, and outlive this one. */
  isShared?: boolean;
  /** This running program. */
  owner: Owner;
  isAlive: CoreDeps["isAlive"];
  hasCompany?: CoreDeps["hasCompany"];
  /** What others of the home begin is seen here, and may be left to this program. */
  keepsOthers?: () => boolean;
  settings: () => Pick<Settings, "on_unconfirmed" | "confirm_deadline_s" | "confirmation_policy" | "profile">;
  /** A command that ends in a moment takes over no pause of others. */
  isOneShot?: () => boolean;
  /** Where the person's pages are, and how they show there that it is them; absent where no page could be opened. */
  pages?: AccountPages | undefined;
  remember: (values: LastIds) => Promise<void>;
  clock: Clock;
  log: Log;
  newId?: () => string;
}

export interface AccountPages {
  site: ApprovalSite;
  owner: Omit<PageOwner, "isStrict">;
  /** Opens the room of this person, at this account. */
  openRoom: (account: Account, about: Parameters<OpenRoom>[0]) => ReturnType<OpenRoom>;
}

/** One user's services at one backend: the one place where they are put together, for stdio, HTTP and tests. */
export function createAccount(deps: AccountDeps): Account {
  const { origin, pages, settings, clock, log, newId = nanoid } = deps;
  const pinBackend = (): PinnedBackend => {
    const clientFor = deps.pinBackend();
    return async ({ requestId, isCall, account }) => {
      const client = await clientFor(isCall, account);
      return requestId === undefined ? client : withRequestId(client, requestId);
    };
  };
  const backend = (requestId?: string) => pinBackend()({ requestId, isCall: requestId !== undefined });
  const { openFeed } = deps;
  const isStrict = () => settings().confirmation_policy === "strict";
  const negotiations = createNegotiations({
    origin,
    feeds:
      openFeed &&
      new Feeds({
        open: openFeed,
        clock,
        log,
        hash: rememberedSha256,
        stays: () => deps.isOneShot?.() !== true,
        onNews: (id) => deps.pollers.hint(id),
      }),
    backend,
    pinBackend,
    facts: deps.facts,
    pollers: deps.pollers,
    ...(deps.isShared && { isShared: true }),
    clock,
    log,
    newId,
    hash: rememberedSha256,
    userId: deps.userId,
    knownUserId: deps.knownUserId,
    owner: deps.owner,
    isAlive: deps.isAlive,
    hasCompany: deps.hasCompany,
    policy: () => ({
      onUnconfirmed: settings().on_unconfirmed,
      confirmDeadlineMs: settings().confirm_deadline_s * 1000,
      isStrict: isStrict(),
      readsOnly: settings().profile === "read_only",
      isDry: settings().profile === "dry_run",
      ...(deps.isOneShot && { isOneShot: deps.isOneShot() }),
      ...(deps.keepsOthers?.() && { keepsOthers: true }),
    }),
  });
  const account: Account = {
    origin,
    provider: providerOf(origin),
    backend,
    userId: deps.userId,
    negotiations,
    pages:
      pages &&
      createApprovalPages({
        site: pages.site,
        owner: { ...pages.owner, isStrict },
        openRoom: (about) => pages.openRoom(account, about),
      }),
    remember: deps.remember,
  };
  return account;
}
