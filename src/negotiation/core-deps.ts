import type { BackendClient } from "../backend/client.ts";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { FactStore, Owner } from "./facts.ts";
import type { Policy } from "./plan/times.ts";

/**
 * Gives the client of one backend, whatever is configured by now. A mistake in the settings and most profiles stop what
 * a tool call asks for (`isCall`), and not what this program has to do for a negotiation by itself. `requestId`: of the call that it goes back to.
 * `account`: it asks as they, as long as their token is known, whoever is configured by now.
 */
export type PinnedBackend = (asker: {
  requestId?: string | undefined;
  isCall: boolean;
  account?: string | undefined;
}) => Promise<BackendClient>;

/** What the core stands on; everything that touches the world is handed in. */
export interface CoreDeps {
  /** The backend's origin, whose negotiations these are. */
  origin: string;
  /** The client of the backend that is configured now. With the id of a tool call, its requests carry that id. */
  backend: (requestId?: string) => Promise<BackendClient>;
  /** Holds on to the backend that is configured now, for when another one is. */
  pinBackend: () => PinnedBackend;
  facts: FactStore;
  clock: Clock;
  log: Log;
  /** Fresh unguessable id. */
  newId: () => string;
  /** SHA-256, hex. */
  hash: (text: string) => string;
  /** Whose negotiations these are, by the token that is used now. */
  userId: () => Promise<string>;
  /** The same, where it is known already; absent where it never changes. */
  knownUserId?: (() => string | undefined) | undefined;
  /** This running program. */
  owner: Owner;
  /**
   * Whether that program still runs: a process of this machine, or a replica of this endpoint. `silentMs`: for how long it may
   * have shown nothing of itself.
   */
  isAlive: (owner: Owner, silentMs?: number) => Promise<boolean>;
  /** Whether another program of this home looks at what this one begins here; absent where none can. */
  hasCompany?: (() => Promise<boolean>) | undefined;
  policy: () => Policy;
  /** Something was changed at the backend: its pollers should read soon. */
  nudge: (id: string) => void;
}
