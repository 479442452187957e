import { NewTokensWait } from "../../backend/errors.ts";
import { failureOf } from "../../log.ts";
import { claimedUserId } from "../../mcp/http/guards.ts";
import { createModern } from "../../mcp/http/modern.ts";
import type { User } from "../../mcp/http/user.ts";
import { listRecords } from "../../negotiation/records.ts";
import type { Negotiations } from "../../negotiation/service.ts";
import { createSharedFacts } from "../../negotiation/stores/shared-facts.ts";
import { once } from "../../once.ts";
import { Ledger } from "../../session/ledger.ts";
import { provisional } from "../../store/provisional.ts";
import { scoped } from "../../store/store.ts";
import type { AccountPages } from "../account.ts";
import { sha256 } from "../hash.ts";
import { type AcceptanceParts, createAcceptance } from "./acceptance.ts";
import { createRequestDeps, OF_NO_CLIENT, readRequest } from "./request-deps.ts";
import { createTokenAccount } from "./token-account.ts";
import { createTokenSettings } from "./token-settings.ts";
import type { UserParts } from "./user-parts.ts";
import { inUse, Uses } from "./uses.ts";

/** One person, known by a token. */
export interface TokenUser extends User {
  negotiations: Negotiations;
  readonly uses: Uses;
  /** A request with this token is at the backend, which has not accepted it yet, or waits for its turn there. */
  readonly isTrying: boolean;
  /** Another replica knows that the backend has accepted this token. */
  accept(): void;
  close(): void;
}

/** Names in the store that a token may have before the backend has accepted it. */
const MAX_NAMES = 100;

export interface TokenUserParts {
  /** Names the user in the store; the token stands in no key and in no log. */
  key: string;
  token: string;
  isAccepted: boolean;
  /** It has become known here that the backend accepts this token, once. */
  onAccepted: () => void;
  /** Writes down whether it does. */
  note: AcceptanceParts["note"];
}

/** Joins what belongs to one token. Until the backend accepts it, little is kept for it, and all of that can be erased. */
export function createTokenUser({ key, token, ...known }: TokenUserParts, shared: UserParts): TokenUser {
  const { clock, log } = shared;
  const full = () => new NewTokensWait({ operation: "store" });
  const kept = provisional(scoped(shared.store, `user:${key}:`), MAX_NAMES, full);
  if (known.isAccepted) kept.keep();
  const { store } = kept;
  const inStore = createSharedFacts({ store, hash: sha256 });
  const place = shared.places?.of(key, inStore);
  if (known.isAccepted) place?.keep();
  const acceptance = createAcceptance({
    http: shared.http,
    newTokenLimiter: shared.newTokenLimiter,
    isAccepted: known.isAccepted,
    onAccepted() {
      kept.keep();
      place?.keep();
      known.onAccepted();
    },
    note: known.note,
    clock,
  });
  const uses = new Uses({ isAccepted: () => acceptance.isAccepted, erase: () => kept.drop(), clock });

  const settings = createTokenSettings(store, shared.operator, log);
  const { live } = settings;
  const ledger = new Ledger(store, log);
  const openRoom: AccountPages["openRoom"] = async (at, about) => {
    const [{ openPageRoom }, { withHeldForm }] = await Promise.all([
      import("../page-room.ts"),
      import("./held-form.ts"),
    ]);
    const room = openPageRoom(serverDeps(OF_NO_CLIENT), at, shared.root, about);
    const holder = { user, messageBytes: shared.messageBytes, lang: () => about.lang };
    return {
      ...room,
      serve: (request, visit) =>
        inUse(user, () => withHeldForm(request, visit.base, holder, () => room.serve(request, visit))),
    };
  };
  const facts = place?.facts ?? inStore;
  /** After a restart: what they submitted last is what they ask about without naming it. */
  const recallLast = once(async () => {
    if (place === undefined || live.current().last_negotiation_id !== undefined) return;
    try {
      const [last] = await listRecords(facts, { count: 1 });
      if (last === undefined) return;
      const { negotiation_id: last_negotiation_id, scene_id: last_scene_id } = last;
      await live.save({ last_negotiation_id, ...(last_scene_id !== undefined && { last_scene_id }) });
    } catch (error) {
      log.warn("last_not_recalled", { error: failureOf(error) });
    }
  });
  const { account } = createTokenAccount({ key, token, facts, acceptance, live, ledger, openRoom }, shared);
  const { negotiations } = account();
  const serverDeps = createRequestDeps({ key, store, settings, account, ledger }, shared);
  const { modern, subscriptions } = createModern({
    serverDeps,
    // An address with a query has settings of its own.
    sharedBy: ({ url, headers }) => (url.includes("?") ? undefined : (claimedUserId(headers) ?? "")),
    live,
    negotiations: () => negotiations,
    clock,
    log,
  });

  const user: TokenUser = {
    key,
    store,
    negotiations,
    uses,
    get isAccepted() {
      return acceptance.isAccepted;
    },
    get isTrying() {
      return acceptance.isTrying;
    },
    accept: () => acceptance.accept(),
    use: () => uses.begin(),
    async prepare(request) {
      await settings.refresh();
      await recallLast();
      readRequest(request, live.current());
    },
    serverDeps,
    modern,
    subscriptions,
    close() {
      acceptance.close();
      subscriptions.close();
      settings.close();
    },
  };
  return user;
}
