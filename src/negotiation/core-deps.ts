import type { BackendClient } from "../backend/client.ts";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { FactStore, Owner } from "./facts.ts";
import type { Policy } from "./plan.ts";

/**
 * Gives the client of one backend, whatever is configured by now. A mistake in the settings, and most profiles, stop
 * what a tool call asks for (`isCall`) but not what this program must do for a negotiation by itself. `requestId` is
 * the id of the call that caused the request. With `account` the client asks as that account for as long as its token
 * is known, whoever is configured by now.
 */
export type PinnedBackend = (asker: {
  requestId?: string | undefined;
  isCall: boolean;
  account?: string | undefined;
}) => Promise<BackendClient>;

/** What the core needs from outside. Everything that touches the world is handed in. */
export interface CoreDeps {
  /** The backend's origin, whose negotiations these are. */
  origin: string;
  /**
   * Gives the client of the backend that is configured now. Its requests carry the id of the tool call, if one is
   * given.
   */
  backend: (requestId?: string) => Promise<BackendClient>;
  /** Holds on to the backend that is configured now, because another one may be configured later. */
  pinBackend: () => PinnedBackend;
  facts: FactStore;
  clock: Clock;
  log: Log;
  /** Makes a new id that nobody can guess. */
  newId: () => string;
  /** Gives the SHA-256 of a text, in hex. */
  hash: (text: string) => string;
  /** Whose negotiations these are, by the token that is used now. */
  userId: () => Promise<string>;
  /** Gives the same id if it is already known. It is absent where the id never changes. */
  knownUserId?: (() => string | undefined) | undefined;
  /** Names this running program. */
  owner: Owner;
  /**
   * Whether that program still runs, be it a process of this machine or a replica of this endpoint. It counts as
   * running only if it has given a sign of life within the last `silentMs`.
   */
  isAlive: (owner: Owner, silentMs?: number) => Promise<boolean>;
  /** Whether another program of this home watches what this one begins. It is absent where no other program can. */
  hasCompany?: (() => Promise<boolean>) | undefined;
  policy: () => Policy;
  /** Tells the pollers to read soon, because something was changed at the backend. */
  nudge: (id: string) => void;
}
