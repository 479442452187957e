import type { Negotiation } from "../backend/contract.ts";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Store } from "../store/store.ts";

/** What one process tells the others of its looks at a negotiation. */
export interface Heard {
  /** A new snapshot. */
  snapshot: (snapshot: Negotiation) => void;
  /** The fingerprint that the last look showed: whoever knows another one has missed a snapshot. */
  seen: (fingerprint: string) => void;
  /** Somebody has just changed something: look soon. */
  nudge: () => void;
}

/** One poller per negotiation across all replicas: a lease, and a channel for what it sees. */
export interface PollSharing {
  join(id: string, heard: Heard): () => void;
  /** Whether this process is the one that polls; it becomes so when no other one is. */
  mayPoll(id: string): Promise<boolean>;
  /** After each look; with the snapshot when it is a new one. */
  publish(id: string, fingerprint: string, snapshot?: Negotiation): void;
  nudge(id: string): void;
}

export interface PollSharingDeps {
  /** Where the names of this backend's negotiations begin. */
  store: Store;
  /** This running program. */
  instance: string;
  clock: Clock;
  log: Log;
}

/** A killed replica's lease ends after this long. */
const LEASE_MS = 6_000;
const RENEW_MS = 2_000;
/** A larger snapshot is not sent through the store; the others read it for themselves. */
const LARGEST_SENT_CHARS = 256 * 1024;

interface Message {
  from: string;
  fingerprint?: string;
  snapshot?: Negotiation;
}

export function createPollSharing({ store, instance, clock, log }: PollSharingDeps): PollSharing {
  const stopRenewing = new Map<string, () => void>();

  const unheard = (error: unknown) => log.debug("poll_unshared", { error: String(error) });
  const send = (id: string, message: Omit<Message, "from">) => {
    store.publish(`negotiation:${id}`, { from: instance, ...message }).catch(unheard);
  };

  function keepLease(id: string): void {
    const renew = () => {
      stopRenewing.set(id, clock.after(RENEW_MS, renew));
      store.hold(`poll:${id}`, instance, LEASE_MS).catch(unheard);
    };
    if (!stopRenewing.has(id)) stopRenewing.set(id, clock.after(RENEW_MS, renew));
  }

  return {
    join(id, heard) {
      const leave = store.subscribe(`negotiation:${id}`, (message) => {
        const { from, fingerprint, snapshot } = message as Message;
        if (from === instance) return;
        if (snapshot !== undefined) heard.snapshot(snapshot);
        else if (fingerprint !== undefined) heard.seen(fingerprint);
        else heard.nudge();
      });
      return () => {
        leave();
        stopRenewing.get(id)?.();
        if (stopRenewing.delete(id)) store.letGo(`poll:${id}`, instance).catch(unheard);
      };
    },
    async mayPoll(id) {
      try {
        const held = await store.hold(`poll:${id}`, instance, LEASE_MS);
        if (held) keepLease(id);
        return held;
      } catch (error) {
        unheard(error);
        return true; // without the store each replica looks for itself: more requests, but nobody waits in vain
      }
    },
    publish(id, fingerprint, snapshot) {
      const sent = snapshot !== undefined && JSON.stringify(snapshot).length <= LARGEST_SENT_CHARS;
      send(id, sent ? { fingerprint, snapshot } : { fingerprint });
    },
    nudge: (id) => send(id, {}),
  };
}
