import * as z from "zod";
import { type Clock, every } from "../../clock.ts";
import { failureOf, type Log } from "../../log.ts";
import type { Store } from "../../store/store.ts";

/** What the processes that watch a negotiation tell each other: that there is something new, and never what it is. */
interface NewsHandlers {
  /** The name of the latest news: a process that knows another one has something to read. */
  version: (version: string) => void;
  /** Somebody has just changed something: read soon. */
  nudge: () => void;
}

/** One poller per negotiation across all replicas: a lease, and a channel for the names of its news. */
export interface PollSharing {
  join(id: string, handlers: NewsHandlers): Share;
}

/** One poller's part in it, until it leaves. */
export interface Share {
  /** Unlike any other poller's, also one of the same process. */
  readonly name: string;
  /** Whether this poller is the one that asks the backend; it becomes so when no other one is. */
  mayPoll(): Promise<boolean>;
  /** After each read, so that a message that was missed is made good by the next. */
  publish(version: string): void;
  nudge(): void;
  /** Lets the lease go, so that another one takes over at its next read. */
  leave(): void;
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

const messageShape = z.object({ from: z.string(), version: z.string().exactOptional() });
type Message = z.output<typeof messageShape>;

export function createPollSharing({ store, instance, clock, log }: PollSharingDeps): PollSharing {
  const unheard = (error: unknown) => log.debug("poll_unshared", { error: failureOf(error) });
  let joined = 0;

  function join(id: string, handlers: NewsHandlers): Share {
    const me = `${instance}:${++joined}`; // two pollers of one process, one after the other, never share a lease
    const lease = `poll:${id}`;
    const channel = `negotiation:${id}`;
    let left = false;
    let stopRenewing: (() => void) | undefined;

    const releaseLease = () => {
      stopRenewing?.();
      stopRenewing = undefined;
    };
    const renew = () => {
      store.acquireLease(lease, me, LEASE_MS).then((held) => held || releaseLease(), unheard);
    };
    const send = (message: Omit<Message, "from">) => {
      store.publish(channel, { from: me, ...message }).catch(unheard);
    };
    const unsubscribe = store.subscribe(channel, (message) => {
      const { from, version } = messageShape.safeParse(message).data ?? {};
      if (from === me) return;
      if (version !== undefined) handlers.version(version);
      else handlers.nudge();
    });

    return {
      name: me,
      async mayPoll() {
        try {
          const held = await store.acquireLease(lease, me, LEASE_MS);
          if (held && left)
            await store.releaseLease(lease, me); // it was asked for before the leaving, and came after it
          else if (held) stopRenewing ??= every(clock, RENEW_MS, renew);
          return held && !left;
        } catch (error) {
          unheard(error);
          return !left; // without the store each replica polls for itself: more requests, but nobody waits in vain
        }
      },
      publish: (version) => send({ version }),
      nudge: () => send({}),
      leave() {
        left = true;
        unsubscribe();
        releaseLease();
        store.releaseLease(lease, me).catch(unheard);
      },
    };
  }
  return { join };
}
