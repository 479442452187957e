import type { Feeds } from "../feed/feeds.ts";
import type { CoreDeps } from "./core-deps.ts";
import { type Pollers, Watcher } from "./polling/watcher.ts";
import { SeenNegotiations } from "./reads.ts";
import { Registry } from "./registry.ts";
import { Negotiations } from "./service.ts";
import { Submission } from "./submission.ts";

export interface NegotiationsDeps extends Omit<CoreDeps, "nudge"> {
  pollers: Pollers;
  /** The pollers serve other users as well, and outlive this one. */
  isShared?: boolean;
  /** What the backend's feed says, where it is listened to. */
  feeds?: Feeds | undefined;
}

/** One user's negotiations at one backend: the only place where they are put together. */
export function createNegotiations({ pollers, isShared = false, feeds, ...rest }: NegotiationsDeps): Negotiations {
  const watcher: Watcher = new Watcher({
    pollers,
    shared: isShared,
    get: (id, signal, requestId) => negotiations.forCall({ signal, requestId }).get(id),
  });
  const deps = { ...rest, nudge: (id: string) => watcher.nudge(id) };
  const registry = new Registry(deps);
  const submission = new Submission(deps, registry);
  const negotiations = new Negotiations({
    deps,
    watcher,
    registry,
    submission,
    seen: new SeenNegotiations(feeds, rest.hash),
    known: new Set(),
  });
  return negotiations;
}
