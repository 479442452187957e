import { createHmac, scrypt } from "node:crypto";
import { promisify } from "node:util";
import { nanoid } from "nanoid";
import { Ledger } from "../../agent/session.ts";
import { createApprovalPages } from "../../approval/pages.ts";
import type { ApprovalSite } from "../../approval/site.ts";
import { createBackendClient } from "../../backend/client.ts";
import { DryRun } from "../../backend/dry-run.ts";
import type { Http } from "../../backend/http.ts";
import { inCall } from "../../backend/in-call.ts";
import type { Clock } from "../../clock.ts";
import { createLiveSettings, type LiveSettings } from "../../config/live.ts";
import type { ResolveInput } from "../../config/resolve.ts";
import { createUserConfig } from "../../config/user-config.ts";
import type { Log } from "../../log.ts";
import { claimedUserId, isForwarded } from "../../mcp/http/guards.ts";
import { createModernHandler } from "../../mcp/http/modern.ts";
import { readQuery } from "../../mcp/http/query.ts";
import { Refusal } from "../../mcp/http/refusals.ts";
import type { User, Users } from "../../mcp/http/user.ts";
import type { ServerDeps } from "../../mcp/server.ts";
import { createSession } from "../../mcp/session.ts";
import { Subscriptions } from "../../mcp/subscriptions.ts";
import { createStoreHistory } from "../../negotiation/history-store.ts";
import { type AtEnd, Negotiations } from "../../negotiation/service.ts";
import { type Pollers, Watcher } from "../../negotiation/watcher.ts";
import { type Store, scoped } from "../../store/store.ts";
import { sha256 } from "../runtime.ts";

/** What all users of one replica share. */
export interface SharedParts {
  version: string;
  backendUrl: string;
  /** The operator's settings, without anything that is one person's own. */
  operator: Omit<ResolveInput, "file"> & { file: Readonly<Record<string, unknown>> };
  store: Store;
  http: Http;
  pollers: Pollers;
  /** This running program, as histories name it. */
  instance: string;
  /** Whether a replica is there, by its running program. */
  isAlive: (instance: string) => Promise<boolean>;
  clock: Clock;
  log: Log;
  /** Signs what clients carry; the same in every replica. */
  stateKey: Uint8Array;
  site?: ApprovalSite | undefined;
  instructions: string;
  prompt: ServerDeps["prompt"];
  onCall: NonNullable<ServerDeps["onCall"]>;
  /** Anybody can send a new token, and what is kept for each takes memory. */
  maxUsers: number;
  /** Serves callers without a token, where that is safe: as the person of this machine. */
  local?: User | undefined;
}

interface Known extends User {
  negotiations: Negotiations;
  lastUsedAt: number;
  /** Requests, streams and sessions that are open. */
  uses: number;
  close(): void;
}

const IDLE_MS = 30 * 60_000;
const SWEEP_MS = 60_000;

/** The users of an endpoint: one for each token, made when it first comes and forgotten when it has long been idle. */
export class TokenUsers implements Users {
  readonly #shared: SharedParts;
  readonly #users = new Map<string, Known>();
  readonly #cancelSweep: () => void;

  constructor(shared: SharedParts) {
    this.#shared = shared;
    const { clock } = shared;
    let cancel = () => {};
    const sweep = () => {
      this.#forgetIdle();
      cancel = clock.after(SWEEP_MS, sweep);
    };
    cancel = clock.after(SWEEP_MS, sweep);
    this.#cancelSweep = () => cancel();
  }

  get size(): number {
    return this.#users.size;
  }

  async of(token: string | undefined, request: Request): Promise<User> {
    const { local, clock, backendUrl } = this.#shared;
    if (token === undefined) {
      if (local !== undefined && !isForwarded(request.headers)) return local;
      throw new Refusal("unauthorized", { "WWW-Authenticate": 'Bearer realm="towow"' });
    }
    const key = sha256(`${new URL(backendUrl).origin}\n${token}`);
    const known = this.#users.get(key) ?? this.#create(key, token);
    this.#users.delete(key);
    this.#users.set(key, known); // last in line to be forgotten
    known.lastUsedAt = clock.now();
    return known;
  }

  /** Where it is full, whoever has been idle longest is forgotten; a user comes back with the next call. */
  #create(key: string, token: string): Known {
    if (this.#users.size >= this.#shared.maxUsers) {
      const idle = [...this.#users.values()].find((user) => !isInUse(user));
      if (idle === undefined) throw new Refusal("too_many_users", { "Retry-After": "10" });
      this.#forget(idle);
    }
    return createUser(key, token, this.#shared);
  }

  #forget(user: Known): void {
    this.#users.delete(user.key);
    void user.negotiations.shutdown("hand_over"); // nothing is on its way, but it may still be looking after others' pauses
    user.close();
  }

  #forgetIdle(): void {
    const { clock } = this.#shared;
    for (const user of [...this.#users.values()])
      if (clock.now() - user.lastUsedAt >= IDLE_MS && !isInUse(user)) this.#forget(user);
  }

  /** At the end: what is undecided is withdrawn, or left for another replica that knows it from the shared store. */
  async close(atEnd: AtEnd | undefined): Promise<void> {
    this.#cancelSweep();
    const users = [...this.#users.values()];
    const { local } = this.#shared;
    await Promise.allSettled([...users, ...(local ? [local] : [])].map((user) => user.modern.close()));
    await Promise.allSettled(users.map((user) => user.negotiations.shutdown(atEnd)));
    for (const user of users) user.close();
  }
}

/** While something of it is open, a deadline is watched or a decision is on its way, however old the last call is. */
const isInUse = (user: Known): boolean => user.uses > 0 || user.negotiations.isBusy;

function createUser(key: string, token: string, shared: SharedParts): Known {
  const { backendUrl, operator, http, pollers, instance, clock, log, site, version } = shared;
  const store = scoped(shared.store, `user:${key}:`);
  const config = createUserConfig(store, operator.file, log);
  const { file: _, ...fixed } = operator;
  const live = createLiveSettings(config, fixed);
  live.watch();
  const ledger = new Ledger(store, log);
  const client = createBackendClient({
    baseUrl: backendUrl,
    http,
    // The token goes to the backend as it came; whether it is valid is what the backend answers.
    auth: { bearer: async () => token, renew: async () => undefined },
    beforeSend(operation) {
      if (live.current().profile === "dry_run" && operation.method !== "GET") throw new DryRun(operation);
      ledger.countRequest(operation.method);
    },
  });
  const derivedId = once(() => deriveUserId(backendUrl, token));
  const negotiations: Negotiations = new Negotiations({
    backend: async () => client,
    history: createStoreHistory({ store, hash: sha256 }),
    watcher: new Watcher({
      pollers,
      shared: true,
      get: (id, signal) => negotiations.get(id, signal),
      observe: (snapshot) => negotiations.observe(snapshot),
    }),
    clock,
    log,
    newId: nanoid,
    hash: sha256,
    owner: { instance, pid: process.pid },
    isAlive: (owner) => shared.isAlive(owner.instance),
    userId: async () => derivedId(),
    policy: () => ({
      onUnconfirmed: live.current().on_unconfirmed,
      confirmDeadlineMs: live.current().confirm_deadline_s * 1000,
    }),
  });
  const timeOfDay = (atMs: number) => `${new Date(atMs).toISOString().slice(11, 19)} UTC`;
  const pages =
    site &&
    createApprovalPages({
      negotiations,
      site,
      owner: key,
      clock,
      log,
      timeOfDay,
      onUnconfirmed: () => live.current().on_unconfirmed,
    });
  const sessionParts = { ledger, clock, newId: nanoid, hash: sha256, log };
  const session = createSession({ id: nanoid(), store, ...sessionParts });

  // Another user's question is none of theirs.
  const stateKey = createHmac("sha256", shared.stateKey).update(key).digest();

  const user: Known = {
    key,
    store,
    negotiations,
    lastUsedAt: clock.now(),
    uses: 0,
    use() {
      user.uses += 1;
      return once(() => {
        user.uses -= 1;
        user.lastUsedAt = clock.now();
      });
    },
    async prepare(request) {
      await config.refresh();
      claimedUserId(request.headers);
      readQuery(request.url, live.current());
    },
    serverDeps(request, sessionId) {
      const claimed = claimedUserId(request.headers);
      const query = readQuery(request.url, live.current());
      return {
        version,
        live: createLiveSettings(config, { ...fixed, flags: { ...fixed.flags, ...query } }),
        backend: async (requestId) => (requestId === undefined ? client : inCall(client, requestId)),
        userId: async () => claimed ?? derivedId(),
        negotiations,
        pages,
        openBrowser: async () => false, // the person is somewhere else
        async remember(values) {
          await live.save(values).catch((error) => log.warn("not_remembered", { error: String(error) }));
        },
        session:
          sessionId === undefined
            ? session
            : createSession({ id: nanoid(), store: scoped(store, `session:${sha256(sessionId)}:`), ...sessionParts }),
        sessionless: sessionId === undefined,
        notices: async () => (claimed === undefined ? ["user_id_derived"] : []),
        clock,
        log,
        newId: nanoid,
        stateKey,
        instructions: shared.instructions,
        prompt: shared.prompt,
        timeOfDay,
        following: sessionId === undefined ? "listen" : "session",
        onCall: shared.onCall,
      };
    },
    modern: createModernHandler((request) => user.serverDeps(request), log),
    subscriptions: new Subscriptions({
      negotiations,
      updated: (uri) => user.modern.notify.resourceUpdated(uri),
      clock,
      log,
    }),
    close() {
      user.subscriptions.close();
      config.close();
    },
  };
  announceMode(live, user);
  return user;
}

/** Another mode is another list of tools: the streams of the 2026 era hear of it. */
export function announceMode(live: LiveSettings, user: User): void {
  let { mode } = live.current();
  live.onChange(() => {
    if (live.current().mode === mode) return;
    mode = live.current().mode;
    user.modern.notify.toolsChanged();
  });
}

/**
 * An id for somebody who names none. It is public in the network, so it must not help to guess the token: hence a slow
 * hash, once, and not on the thread that serves everybody.
 */
async function deriveUserId(backendUrl: string, token: string): Promise<string> {
  const salt = `towow-user-id\n${new URL(backendUrl).origin}`;
  const hash = (await promisify(scrypt)(token, salt, 16)) as Buffer;
  return `u-${hash.toString("hex")}`;
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
