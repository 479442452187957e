import type { McpHttpHandler } from "@modelcontextprotocol/server";
import type { Store } from "../../store/store.ts";
import type { ServerDeps } from "../server-deps.ts";
import type { Subscriptions } from "../subscriptions.ts";

/** One caller has this part of the endpoint. All their state is behind `key`, made of the backend's origin and the token. */
export interface User {
  key: string;
  /** A program that came by a grant has sessions and streams of its own, which end with that grant. */
  grant?: string | undefined;
  store: Store;
  /** The backend has accepted this token; until then anybody may have invented it. */
  readonly isAccepted: boolean;
  /** Reads, before each request, what another replica may have changed. @throws HttpError, StoreUnreachable */
  prepare(request: Request): Promise<void>;
  /** A server for this request stands on these, with a session of its own or the user's. */
  serverDeps(request: Request, sessionId?: string): ServerDeps;
  /** Serves the 2026 era. */
  modern: McpHttpHandler;
  /**
   * Keeps this user in memory until the returned function is called: for a request, a stream, a session.
   * @throws HttpError `too_many_at_once` for more than a few before the token is accepted.
   */
  use(): () => void;
  /** This user's clients of the 2026 era follow these; news of them goes to `modern`. */
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
