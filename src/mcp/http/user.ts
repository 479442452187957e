import type { McpHttpHandler } from "@modelcontextprotocol/server";
import type { Store } from "../../store/store.ts";
import type { ServerDeps } from "../server-deps.ts";
import type { Subscriptions } from "../subscriptions.ts";

/** One caller's part of the endpoint: all state is behind `key`, which is made of the backend's origin and the token. */
export interface User {
  key: string;
  /** The grant by which their program came, where it was one: what it has open is its own, and ends with it. */
  grant?: string | undefined;
  store: Store;
  /** Whether the backend has accepted this token; if not, anybody may have invented it. */
  readonly isAccepted: boolean;
  /** Before each request: reads what another replica may have changed. @throws HttpError, StoreUnreachable */
  prepare(request: Request): Promise<void>;
  /** What a server for this request stands on; with a session of its own, or the user's. */
  serverDeps(request: Request, sessionId?: string): ServerDeps;
  /** Serves the 2026 era. */
  modern: McpHttpHandler;
  /**
   * Keeps this user in memory until the returned function is called: for a request, a stream, a session.
   * @throws HttpError `too_many_at_once` for more than a few before the token is accepted.
   */
  use(): () => void;
  /** What this user's 2026-era clients follow; news of it goes to `modern`. */
  subscriptions: Subscriptions;
}

/** A user who stays in memory until `release` is called. */
export interface UserInUse {
  user: User;
  release: () => void;
}

export interface Users {
  /**
   * Finds or makes the user of a bearer, which is a token or the key of this machine's home, and begins their use at once:
   * a moment later they could have made way for somebody else. @throws HttpError `unauthorized`, as `User.use`
   */
  use(bearer: string | undefined): Promise<UserInUse>;
}
