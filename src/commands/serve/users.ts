import { type HomeKey, isHomeKey } from "../../config/home-key.ts";
import { Refusal } from "../../mcp/http/refusals.ts";
import type { User, Users } from "../../mcp/http/user.ts";
import type { AtEnd } from "../../negotiation/service.ts";
import { sha256 } from "../runtime.ts";
import { createTokenUser, type TokenUser, type UserParts } from "./token-user.ts";

/** What all users of one replica share. */
export interface SharedParts extends UserParts {
  /** Anybody can send a new token, and what is kept for each takes memory. */
  maxUsers: number;
  /** The person of this machine, where the endpoint is for this machine alone, and the key that proves it. */
  home?: { user: User; key: HomeKey } | undefined;
}

const IDLE_MS = 30 * 60_000;
const SWEEP_MS = 60_000;

/** The users of an endpoint: one for each token, made when it first comes and forgotten when it has long been idle. */
export class TokenUsers implements Users {
  readonly #shared: SharedParts;
  readonly #users = new Map<string, TokenUser>();
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

  /** @throws Refusal `unauthorized`: without a bearer nobody is served, wherever the request seems to come from. */
  async of(token: string | undefined): Promise<User> {
    const { home, clock, backendUrl } = this.#shared;
    if (token !== undefined && home?.key.matches(token)) return home.user;
    // A home's key is no token: no backend may get it, whatever home it is of.
    if (token === undefined || isHomeKey(token))
      throw new Refusal("unauthorized", { "WWW-Authenticate": 'Bearer realm="towow"' });
    const key = sha256(`${new URL(backendUrl).origin}\n${token}`);
    const known = this.#users.get(key) ?? this.#create(key, token);
    this.#users.delete(key);
    this.#users.set(key, known); // last in line to be forgotten
    known.lastUsedAt = clock.monotonic();
    return known;
  }

  /** Where it is full, whoever has been idle longest is forgotten; a user comes back with the next call. */
  #create(key: string, token: string): TokenUser {
    if (this.#users.size >= this.#shared.maxUsers) {
      const idle = [...this.#users.values()].find((user) => !isInUse(user));
      if (idle === undefined) throw new Refusal("too_many_users", { "Retry-After": "10" });
      this.#forget(idle);
    }
    return createTokenUser(key, token, this.#shared);
  }

  #forget(user: TokenUser): void {
    this.#users.delete(user.key);
    void user.negotiations.shutdown("hand_over"); // nothing is on its way, but it may still be looking after others' pauses
    user.close();
  }

  #forgetIdle(): void {
    const { clock } = this.#shared;
    for (const user of [...this.#users.values()])
      if (clock.monotonic() - user.lastUsedAt >= IDLE_MS && !isInUse(user)) this.#forget(user);
  }

  /** At the end: what is undecided is withdrawn, or left for another replica that knows it from the shared store. */
  async close(atEnd: AtEnd | undefined): Promise<void> {
    this.#cancelSweep();
    const users = [...this.#users.values()];
    const { home } = this.#shared;
    await Promise.allSettled([...users, ...(home ? [home.user] : [])].map((user) => user.modern.close()));
    await Promise.allSettled(users.map((user) => user.negotiations.shutdown(atEnd)));
    for (const user of users) user.close();
  }
}

/** While something of it is open, a deadline is watched or a decision is on its way, however old the last call is. */
const isInUse = (user: TokenUser): boolean => user.uses > 0 || user.negotiations.isBusy;
