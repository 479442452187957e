import { nanoid } from "nanoid";
import { onTestFinished } from "vitest";
import { createMockBackend, type MockBackend, type MockOptions } from "../../mock-backend/main.ts";
import { createUser } from "../../src/app/user.ts";
import type { Negotiation } from "../../src/backend/contract.ts";
import { createHttp } from "../../src/backend/http.ts";
import type { Clock } from "../../src/clock.ts";
import type { Negotiations } from "../../src/negotiation/service.ts";
import { createSharedFacts } from "../../src/negotiation/stores/shared-facts.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { createPresence } from "../../src/store/presence.ts";
import { type Store, StoreUnreachable, scoped } from "../../src/store/store.ts";
import { clockOf, never, whileAlive } from "./life.ts";
import { ManualClock } from "./manual-clock.ts";
import { platformWith } from "./platform.ts";
import { liveSettingsOf } from "./settings.ts";
import { memoryOf, oneBackend, serverPartsOf } from "./user.ts";

const URL = "http://127.0.0.1:9";

/** A store that can be taken away, and brought back as it was or empty. */
export interface SharedStore {
  store: Store;
  away: boolean;
  /** How long its answers take, in milliseconds. */
  answerMs: number;
  /** How long a fact takes to be refused, in milliseconds; undefined: facts are written. */
  refusesAfterMs: number | undefined;
  /** A fact is reported as not written at once, and is written after all so much later, in milliseconds. */
  writesLateMs: number | undefined;
  /** Comes back without anything that it held. */
  forget(): void;
  listeners(): number;
}

function createSharedStore(clock: Clock): SharedStore {
  let inner = createMemoryStore(clock);
  let listening = 0;
  const shared: SharedStore = {
    away: false,
    answerMs: 0,
    refusesAfterMs: undefined,
    writesLateMs: undefined,
    forget() {
      inner = createMemoryStore(clock);
    },
    listeners: () => listening,
    store: new Proxy({} as Store, {
      get: (_, name: keyof Store) => {
        if (name === "subscribe")
          return (channel: string, listener: (message: unknown) => void) => {
            listening += 1;
            const leave = inner.subscribe(channel, (message) => shared.away || listener(message));
            return () => {
              listening -= 1;
              leave();
            };
          };
        return async (...args: never[]) => {
          if (shared.away) throw new StoreUnreachable();
          if (name === "createField" && shared.refusesAfterMs !== undefined) {
            await clock.sleep(shared.refusesAfterMs);
            throw new StoreUnreachable();
          }
          if (name === "createField" && shared.writesLateMs !== undefined) {
            clock.after(shared.writesLateMs, () => void (inner.createField as (...args: never[]) => unknown)(...args));
            throw new StoreUnreachable();
          }
          const answer = await (inner[name] as (...args: never[]) => unknown)(...args);
          if (shared.answerMs > 0) await clock.sleep(shared.answerMs);
          return answer;
        };
      },
    }),
  };
  return shared;
}

export interface Replica {
  /** The same person at this replica; by default the one that all share. */
  user(name?: string): Negotiations;
  /** Nothing of it goes on, and nothing that it waits for arrives. */
  kill(): void;
  /** Pollers that run here. */
  pollers(): number;
}

export interface Replicas {
  clock: ManualClock;
  mock: MockBackend;
  shared: SharedStore;
  sceneId: string;
  replica(): Replica;
  /** Reads of one negotiation that reached the backend. */
  reads(): number;
  /** Users whose token the backend takes no longer. */
  refused: Set<string>;
  /** Users whose requests the backend never answers. */
  unanswered: Set<string>;
  /** Changes what one user's token gets to read; the backend may show each something else. */
  view: (user: string, negotiation: Negotiation) => object;
}

/** Replicas of one endpoint in this process: one backend, one store, one clock. */
export function createReplicas(options: MockOptions = {}): Replicas {
  const clock = new ManualClock();
  const mock = createMockBackend({ clock, seed: 5, auth: false, ...options });
  onTestFinished(() => mock.close());
  const shared = createSharedStore(clock);
  const refused = new Set<string>();
  const world: Replicas = {
    clock,
    mock,
    shared,
    sceneId: mock.scenes()[0]?.scene_id ?? "",
    refused,
    unanswered: new Set(),
    view: (_, negotiation) => negotiation,
    reads: () => mock.journal.filter((e) => e.method === "GET" && /\/negotiations\/[^/]+$/.test(e.path)).length,
    replica: () => startReplica(world),
  };
  return world;
}

function startReplica(world: Replicas): Replica {
  const { clock, mock, shared, refused } = world;
  const instance = nanoid();
  let alive = true;
  const isAlive = () => alive;
  const own = clockOf(clock, isAlive);
  const store = new Proxy(shared.store, {
    get: (target, name: keyof Store) => {
      if (name === "subscribe")
        return (channel: string, listener: (message: unknown) => void) =>
          target.subscribe(channel, (message) => alive && listener(message));
      return (...args: never[]) =>
        whileAlive(isAlive, async () => (target[name] as (...args: never[]) => unknown)(...args));
    },
  });
  const presence = createPresence(platformWith(own), store, instance);
  const users = new Map<string, Negotiations>();

  async function viewed(name: string, { method, url }: Request, answer: Response): Promise<Response> {
    if (method !== "GET" || !answer.ok || !/\/negotiations\/[^/]+$/.test(url)) return answer;
    return Response.json(world.view(name, (await answer.json()) as Negotiation));
  }

  function start(name: string): Negotiations {
    const http = createHttp(platformWith(own), {
      version: "test",
      fetch: (request) =>
        whileAlive(isAlive, async () => {
          if (world.unanswered.has(name)) return never();
          if (refused.has(name)) return Response.json({ detail: "Invalid token" }, { status: 401 });
          return viewed(name, request, await mock.fetch(request));
        }),
    });
    const auth = { bearer: async () => `token-${name}`, renew: async () => undefined };
    const way = { baseUrl: URL, auth, http };
    const live = liveSettingsOf({ backend_url: URL });
    const owner = { instance, pid: 1 };
    return createUser({
      settings: { live, with: () => live },
      backends: oneBackend({
        origin: URL,
        pin: () => async () => way,
        userId: async () => name,
        remember: async () => {},
      }),
      history: {
        facts: createSharedFacts(scoped(store, `user:${name}:`)),
        owner,
        asAnother: () => owner,
        isAlive: (owner) => presence.isAlive(owner.instance),
      },
      memory: memoryOf(own),
      server: serverPartsOf(own),
    }).account().negotiations;
  }
  const replica: Replica = {
    pollers: () => [...users.values()].reduce((sum, { polled }) => sum + polled, 0),
    kill() {
      alive = false;
    },
    user(name = "ada") {
      const known = users.get(name) ?? start(name);
      users.set(name, known);
      return known;
    },
  };
  return replica;
}

export const isOver = (n: Negotiation): boolean => n.state === "completed";
