import type { McpHttpHandler } from "@modelcontextprotocol/server";
import type { Store } from "../../store/store.ts";
import type { ServerDeps } from "../server-deps.ts";
import type { Subscriptions } from "../subscriptions.ts";

/**
 * A user as the endpoint serves them. Everything that is stored for them is stored under `key`, which is a hash of the
 * backend's origin and their token, or `local` for the person of this machine.
 */
export interface User {
  key: string;
  /** The grant by which a program acts for the user. The program's sessions and streams end with the grant. */
  grant?: string | undefined;
  store: Store;
  /** True if the backend has accepted this token. Until then, anybody may have invented it. */
  readonly isAccepted: boolean;
  /**
   * Reads what another replica may have changed, before each request.
   * @throws HttpError, StoreUnreachable
   */
  prepare(request: Request): Promise<void>;
  /**
   * Returns the services of an MCP server for this request. With a `sessionId`, the server has a session of its own.
   * Otherwise all servers of the user share one.
   */
  serverDeps(request: Request, sessionId?: string): ServerDeps;
  /** Serves the user's clients of the 2026 era. */
  modern: McpHttpHandler;
  /**
   * Keeps this user in memory until the returned function is called, for a request, a stream or a session.
   * @throws HttpError `too_many_at_once` if the token is not accepted yet and already has several uses
   */
  use(): () => void;
  /** The addresses that this user's 2026-era clients follow. News of them goes out through `modern`. */
  subscriptions: Subscriptions;
}

/** A user who stays in memory until `release` is called. */
export interface UserInUse {
  user: User;
  release: () => void;
}

export interface Users {
  /**
   * Finds or makes the user of a bearer, which is a token, an access token that was issued here, or the key of this
   * machine's home. The use begins at once, because a moment later the user could have been forgotten to make room for
   * another.
   * @throws HttpError `unauthorized`, and as `User.use` does
   */
  use(bearer: string | undefined): Promise<UserInUse>;
}
