import { every } from "../../clock.ts";
import { ignoreTowowError } from "../../errors.ts";
import { type HomeKey, isHomeKey } from "../../home/home-key.ts";
import { HttpError } from "../../mcp/http/http-error.ts";
import { type Credential, type Grants, isIssuedHere } from "../../mcp/http/sign-in/grants.ts";
import type { User, UserInUse, Users } from "../../mcp/http/user.ts";
import type { AtEnd } from "../../negotiation/registry.ts";
import { constantAuth, type UserAuth } from "./credentials.ts";
import type { GrantedUsers } from "./granted-users.ts";
import { createTokenUser, type TokenUser, type TokenUsersParts } from "./token-user.ts";
import type { Judged } from "./tokens.ts";

export interface TokenUsersDeps extends TokenUsersParts {
  /** Users that are kept in memory, of tokens that the backend has accepted. */
  maxUsers: number;
  /** The same for tokens that it has not accepted yet. Anybody can invent those. */
  maxNewTokens: number;
  /** The person of this machine, where the endpoint is for this machine alone, and the key that proves it. */
  home?: { user: HomeUser; key: HomeKey } | undefined;
  /** Ends every session of a user, or those of one grant. */
  endSessions: (key: string, grant?: string) => void;
  /** What people have let programs do, where they sign in here. */
  grants?: { all: Grants; authOf: (credential: Credential & { token: string }) => UserAuth } | undefined;
  /** Whether a token of the backend's is taken as it is. */
  ownTokens?: boolean | undefined;
}

/** The person of this machine. */
export interface HomeUser extends User {
  /** As for everybody else. */
  readonly granted: GrantedUsers;
}

const IDLE_MS = 30 * 60_000;
const SWEEP_MS = 60_000;

/**
 * The users of an endpoint: one for each token, made when it first comes and forgotten when it has long been idle. Those
 * whose token the backend has accepted have their own places, which no invented token can take.
 */
export class TokenUsers implements Users {
  readonly #deps: TokenUsersDeps;
  readonly #accepted = new Map<string, TokenUser>();
  readonly #unaccepted = new Map<string, TokenUser>();
  readonly #cancelSweep: () => void;

  constructor(deps: TokenUsersDeps) {
    this.#deps = deps;
    const { clock } = deps.server;
    this.#cancelSweep = every(clock, SWEEP_MS, () => this.#forgetIdle());
  }

  get size(): number {
    return this.#accepted.size + this.#unaccepted.size;
  }

  /**
   * @throws HttpError `unauthorized`: without a bearer nobody is served, wherever the request seems to come from;
   *   `too_many_users`, `too_many_new_tokens`, `too_many_at_once`. StoreUnreachable
   */
  async use(token: string | undefined): Promise<UserInUse> {
    const { home, ownTokens = true } = this.#deps;
    const isHome = token !== undefined && home?.key.matches(token) === true;
    if (token !== undefined && isIssuedHere(token)) return this.#useGrant(token);
    if (token === undefined || !(ownTokens || isHome)) throw unauthorized();
    return this.useOwn(token);
  }

  /** The same by a token of the backend's alone, which its person has sent from a page. @throws as {@link use} does */
  async useOwn(token: string): Promise<UserInUse> {
    const { home, tokens } = this.#deps;
    if (home?.key.matches(token)) return { user: home.user, release: home.user.use() };
    // A home's key is no token, and what was issued here is none of the backend's: no backend may get it.
    if (isHomeKey(token) || isIssuedHere(token)) throw unauthorized();
    const key = tokens.keyOf(token);
    // Where theirs has been renewed meanwhile, the one before it opens what is theirs only as long as the backend takes it.
    const known = this.#current(key);
    if (known !== undefined && known.auth.token !== token) {
      const judged = await tokens.judge(token);
      if (judged === "unknown") throw unauthorized();
      if (judged === "full" || judged === "unreached")
        throw new HttpError("too_many_new_tokens", { "Retry-After": "10" });
    }
    const isAccepted = this.#current(key)?.isAccepted === true || (await tokens.isAccepted(key));
    const userId = this.#current(key) === undefined ? await this.#deps.grants?.all.userIdOf(key) : undefined;
    const auth = () => this.#deps.grants?.authOf({ account: key, token, userId }) ?? constantAuth(token);
    return this.#useUser(key, auth, isAccepted);
  }

  /** The person who has let a program act for them, as that program sees them. */
  async #useGrant(token: string): Promise<UserInUse> {
    const { grants, home } = this.#deps;
    const grant = await grants?.all.use(token);
    if (grants === undefined || grant === undefined) throw unauthorized();
    const { credential } = grant;
    const { account, token: own, homeKeyHash } = credential;
    if (home !== undefined && account === home.user.key) {
      if (homeKeyHash !== home.key.hash()) throw unauthorized();
      const user = home.user.granted.through(grant);
      return { user, release: user.use() };
    }
    if (own === undefined) throw unauthorized();
    const auth = () => grants.authOf({ ...credential, token: own });
    const { user, release } = await this.#useUser(account, auth, true);
    await user.auth.offer(grant).catch(ignoreTowowError);
    return { user: user.granted.through(grant), release };
  }

  async #useUser(
    key: string,
    auth: () => UserAuth,
    isAccepted: boolean,
  ): Promise<{ user: TokenUser; release: () => void }> {
    const { maxNewTokens } = this.#deps;
    while (!isAccepted && this.#current(key) === undefined && this.#unaccepted.size >= maxNewTokens)
      await this.#makeRoomForNew();
    // From here on nothing is awaited: the room that was found is taken, and the user cannot be taken away.
    const known = this.#current(key);
    if (isAccepted) known?.accept();
    const waits = known?.isAccepted ?? isAccepted;
    if (waits && !this.#accepted.has(key) && !this.#makeRoom())
      throw new HttpError("too_many_users", { "Retry-After": "10" });
    const onAccepted = () => this.#moveUp(key);
    const user = known ?? createTokenUser({ key, auth: auth(), isAccepted, onAccepted }, this.#deps);
    this.#place(user);
    user.uses.touch();
    return { user, release: user.use() };
  }

  /** One who is in memory now, by their key. */
  known(key: string): User | undefined {
    const { home } = this.#deps;
    return key === home?.user.key ? home.user : this.#current(key);
  }

  /** Whose token it is that somebody signs in with: a home's key is the person's of this machine. */
  async judge(token: string): Promise<Judged> {
    const { home, tokens } = this.#deps;
    return home?.key.matches(token) ? { user: home.user.key } : tokens.judge(token);
  }

  /** A grant has ended: what its program has open here goes. What waits for a decision stays guarded. */
  async endGrant(key: string, grantId: string): Promise<void> {
    const { home, endSessions } = this.#deps;
    endSessions(key, grantId);
    await (key === home?.user.key ? home.user : this.#current(key))?.granted.end(grantId);
  }

  #current(key: string): TokenUser | undefined {
    return this.#accepted.get(key) ?? this.#unaccepted.get(key);
  }

  /** Last in line to be forgotten. */
  #place(user: TokenUser): void {
    this.#remove(user.key);
    (user.isAccepted ? this.#accepted : this.#unaccepted).set(user.key, user);
  }

  /** The backend accepts this token. In a full house it keeps its old place, and asks again with each request. */
  #moveUp(key: string): void {
    const user = this.#unaccepted.get(key);
    if (user !== undefined && this.#makeRoom()) this.#place(user);
  }

  #remove(key: string): void {
    this.#accepted.delete(key);
    this.#unaccepted.delete(key);
  }

  /** Whether an accepted user can be taken in. One who is idle is forgotten for that, and comes back with the next call. */
  #makeRoom(): boolean {
    if (this.#accepted.size < this.#deps.maxUsers) return true;
    const idle = [...this.#accepted.values()].find((other) => !isInUse(other));
    if (idle !== undefined) this.#forget(idle);
    return idle !== undefined;
  }

  /**
   * The oldest one makes way, sessions and streams included, unless their token is being judged, or was accepted meanwhile.
   * There may be no room afterwards: somebody else has taken it.
   */
  async #makeRoomForNew(): Promise<void> {
    const oldest = [...this.#unaccepted.values()].find(
      (user) => !user.isTrying && !(user.isAccepted && isInUse(user)), // accepted in a full house, they stand here too
    );
    if (oldest === undefined) throw new HttpError("too_many_new_tokens", { "Retry-After": "10" });
    const isNoted = !oldest.isAccepted && (await this.#deps.tokens.isAccepted(oldest.key));
    if (oldest.isTrying || this.#unaccepted.get(oldest.key) !== oldest) return;
    if (isNoted) return oldest.accept(); // at another replica
    if (oldest.isAccepted && isInUse(oldest)) return;
    this.#deps.endSessions(oldest.key);
    void oldest.modern.close();
    this.#forget(oldest);
  }

  #forget(user: TokenUser): void {
    this.#remove(user.key);
    if (!user.isAccepted) void this.#takeBack(user);
    void user.end("to_replicas"); // nothing is on its way, but it may still be looking after others' pauses
    user.close();
  }

  /** What a token has left in the store goes with it, unless another replica knows it as accepted. */
  async #takeBack(user: TokenUser): Promise<void> {
    const isNoted = await this.#deps.tokens.isAccepted(user.key).catch(() => true);
    if (!isNoted && this.#current(user.key) === undefined) user.uses.takeBack(); // the token may be back by now
  }

  #forgetIdle(): void {
    const { clock } = this.#deps.server;
    for (const user of [...this.#accepted.values(), ...this.#unaccepted.values()])
      if (clock.monotonic() - user.uses.lastAt >= IDLE_MS && !isInUse(user)) this.#forget(user);
  }

  /** The negotiations of which something is on its way, of all users. */
  get busyIds(): string[] {
    return [...this.#accepted.values(), ...this.#unaccepted.values()].flatMap((user) => user.negotiations.busyIds);
  }

  /** How many negotiations are watched now, each counted once for each user who watches it. */
  get watched(): number {
    const users = [...this.#accepted.values(), ...this.#unaccepted.values()];
    return users.reduce((sum, { negotiations }) => sum + negotiations.watched, 0);
  }

  /** True while a person's no is on its way and is not written down anywhere. */
  get holdsNo(): boolean {
    return [...this.#accepted.values(), ...this.#unaccepted.values()].some(({ negotiations }) => negotiations.holdsNo);
  }

  /** At the end: what is undecided is withdrawn, or left for another replica that knows it from the shared store. */
  async close(atEnd: AtEnd | undefined): Promise<void> {
    this.#cancelSweep();
    const users = [...this.#accepted.values(), ...this.#unaccepted.values()];
    const { home } = this.#deps;
    await Promise.allSettled([...users, ...(home ? [home.user] : [])].map((user) => user.modern.close()));
    await Promise.allSettled(users.map((user) => user.end(atEnd)));
    for (const user of users) user.close();
  }
}

const unauthorized = () => new HttpError("unauthorized", { "WWW-Authenticate": 'Bearer realm="towow"' });

/** While something of it is open, a deadline is watched or a decision is on its way, however old the last call is. */
const isInUse = (user: TokenUser): boolean => user.uses.count > 0 || user.negotiations.isBusy;
