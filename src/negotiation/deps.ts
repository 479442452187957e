import type { BackendClient } from "../backend/client.ts";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { HistoryStore, Owner } from "./history.ts";
import type { Watcher } from "./watcher.ts";

/** What the negotiation layer stands on; everything that touches the world is handed in. */
export interface NegotiationDeps {
  /** With the id of a tool call, its requests carry that id; background work has none. */
  backend: (requestId?: string) => Promise<BackendClient>;
  /** Of this backend's origin alone. */
  history: HistoryStore;
  /** The other origin that an id is remembered for, where this user may have several. */
  elsewhere?: (id: string) => Promise<string | undefined>;
  watcher: Watcher;
  clock: Clock;
  log: Log;
  /** Fresh unguessable id. */
  newId: () => string;
  /** SHA-256, hex. */
  hash: (text: string) => string;
  /** This running program. */
  owner: Owner;
  /** Whether that program still runs: a process of this machine, or a replica of this endpoint. */
  isAlive: (owner: Owner) => Promise<boolean>;
  /** The user's own id at the current backend. */
  userId: () => Promise<string>;
  policy: () => NegotiationPolicy;
}

export interface NegotiationPolicy {
  onUnconfirmed: "cancel" | "leave";
  /** How long the backend waits before it confirms by itself, in milliseconds. */
  confirmDeadlineMs: number;
}

export interface CancelOptions {
  payload?: Record<string, unknown> | undefined;
  /** Of the tool call that cancels. */
  requestId?: string | undefined;
}
