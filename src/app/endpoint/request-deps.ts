import { createHmac } from "node:crypto";
import { nanoid } from "nanoid";
import * as z from "zod";
import type { Settings } from "../../home/settings.ts";
import { failureOf } from "../../log.ts";
import { oneAccount } from "../../mcp/account.ts";
import { claimedUserId } from "../../mcp/http/guards.ts";
import { readQuery } from "../../mcp/http/query.ts";
import type { User } from "../../mcp/http/user.ts";
import type { Ledger } from "../../session/ledger.ts";
import { createSession, type Session, type SessionDeps } from "../../session/session.ts";
import type { TaintRecord } from "../../session/taint.ts";
import { type Store, scoped } from "../../store/store.ts";
import { textsAtEndpoint } from "../../text/at-endpoint.ts";
import { rememberedSha256, sha256 } from "../hash.ts";
import type { TokenAccount } from "./token-account.ts";
import type { TokenSettings } from "./token-settings.ts";
import type { UserParts } from "./user-parts.ts";

export interface RequestDepsParts extends TokenAccount {
  key: string;
  /** The user's own part. */
  store: Store;
  settings: TokenSettings;
  ledger: Ledger;
}

const TAINTED = "tainted-until";

/** Who has a page open is no client: they narrow nothing, and have the id that a client of theirs gave last. */
export const OF_NO_CLIENT = new Request("http://localhost/");

/** What a request says of itself: who the caller claims to be, and what its address chooses. @throws HttpError */
export const readRequest = ({ headers, url }: Request, settings: Settings) => ({
  claimedId: claimedUserId(headers),
  chosen: readQuery(url, settings),
});

/** Gives what a server for one request of this user stands on; that throws HttpError as {@link readRequest} does. */
export function createRequestDeps(user: RequestDepsParts, shared: UserParts): User["serverDeps"] {
  const { key, store, settings, ledger } = user;
  const { version, clock, log, instructions, prompt, onCall } = shared;
  const sessionParts = { store, tainted: taintIn(store), ledger, clock, log };
  const session = createUserSession(sessionParts);
  // Another user's question is not theirs.
  const stateKey = createHmac("sha256", shared.stateKey).update(key).digest();

  return (request, sessionId) => {
    const { claimedId, chosen } = readRequest(request, settings.live.current());
    const sessionless = sessionId === undefined;
    const isPlain = Object.keys(chosen).length === 0;
    const account = user.account(chosen.profile);
    const userId = () => (request === OF_NO_CLIENT ? settings.live.current().user_id : claimedId);
    /** What is remembered of their last scene is remembered of that id. */
    const rememberId = async () => {
      if (claimedId === undefined || claimedId === settings.live.current().user_id) return;
      await settings.live
        .save({ user_id: claimedId })
        .catch((error) => log.warn("not_remembered", { error: failureOf(error) }));
    };
    return {
      version,
      // A session has a mode of its own, and so has an address with a query.
      live: sessionless && isPlain ? settings.live : settings.with(chosen),
      accounts: oneAccount({
        ...account,
        userId: async () => userId() ?? account.userId(),
        async remember(values) {
          await rememberId();
          await account.remember(values);
        },
      }),
      browser: "elsewhere",
      openBrowser: async () => false,
      session: sessionless ? session : createUserSession(sessionParts, sessionId),
      sessionless,
      notices: async () => (claimedId === undefined ? ["user_id_derived"] : []),
      clock,
      log,
      newId: nanoid,
      stateKey,
      textsOf: textsAtEndpoint,
      instructions,
      prompt,
      timeOfDay: (atMs) => `${new Date(atMs).toISOString().slice(11, 19)} UTC`,
      resourceUpdates: sessionless ? "listen" : "session",
      onCall,
    };
  };
}

/** In the user's own part of the store, for all replicas. */
const taintIn = (store: Store): TaintRecord => ({
  until: () => store.get(TAINTED, z.number(), Number.POSITIVE_INFINITY),
  keep: (untilMs, lastsMs) => store.put(TAINTED, untilMs, lastsMs),
});

/**
 * What one session of a user keeps, behind the user's own part of the store. Without an id it is the one that requests
 * without a session share.
 */
export function createUserSession(
  { store, ...parts }: Pick<SessionDeps, "store" | "tainted" | "ledger" | "clock" | "log">,
  sessionId?: string,
): Session {
  const own = sessionId === undefined ? store : scoped(store, `session:${sha256(sessionId)}:`);
  return createSession({ ...parts, id: nanoid(), store: own, newId: nanoid, hash: rememberedSha256 });
}
