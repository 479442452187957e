import type { McpHttpHandler } from "@modelcontextprotocol/server";
import type { Store } from "../../store/store.ts";
import type { ServerDeps } from "../server-deps.ts";
import type { Subscriptions } from "../subscriptions.ts";

/**
 * One caller's part of the endpoint. All their state is kept under `key`, which is made of the backend's origin and the token.
 */
export interface User {
  key: string;
  /** The grant by which a program came. Its sessions and streams are its own, and end with that grant. */
  grant?: string | undefined;
  store: Store;
  /** True if the backend has accepted this token. Until then, anybody may have invented it. */
  readonly isAccepted: boolean;
  /** Reads, before each request, what another replica may have changed. @throws HttpError, StoreUnreachable */
  prepare(request: Request): Promise<void>;
  /** Returns the deps of a server for this request, with a session of its own or the user's. */
  serverDeps(request: Request, sessionId?: string): ServerDeps;
  /** Serves the 2026 era. */
  modern: McpHttpHandler;
  /**
   * Keeps this user in memory until the returned function is called, for a request, a stream or a session.
   * @throws HttpError `too_many_at_once` for more than a few before the token is accepted
   */
  use(): () => void;
  /** What this user's clients of the 2026 era follow. News of it goes to `modern`. */
  subscriptions: Subscriptions;
}

/** A user who stays in memory until `release` is called. */
export interface UserInUse {
  user: User;
  release: () => void;
}

export interface Users {
  /**
   * Finds or makes the user of a bearer, which is a token or the key of this machine's home. The use begins at once, because a
   * moment later the user could have made way for another. @throws HttpError `unauthorized`, and as `User.use` does
   */
  use(bearer: string | undefined): Promise<UserInUse>;
}
