import { every } from "../../clock.ts";
import { ignoreTowowError } from "../../errors.ts";
import { isHomeKey } from "../../home/home-key.ts";
import { HttpError } from "../../mcp/http/http-error.ts";
import type { Sessions } from "../../mcp/http/sessions.ts";
import { isIssuedHere } from "../../mcp/http/sign-in/grants.ts";
import type { User, UserInUse, Users } from "../../mcp/http/user.ts";
import type { AtEnd } from "../../negotiation/registry.ts";
import { constantAuth, type UserAuth } from "./credentials.ts";
import type { HomePerson } from "./home-person.ts";
import type { SignInState } from "./sign-in.ts";
import { TokenUser, type TokenUsersParts } from "./token-user.ts";

export interface TokenUsersDeps extends TokenUsersParts {
  /** The most users that are kept in memory, among those whose token the backend has accepted. */
  maxUsers: number;
  /**
   * The same limit for users whose token the backend has not accepted yet. Anybody can invent such tokens, so they are
   * limited on their own.
   */
  maxNewTokens: number;
  /** The person of this machine and the key that proves it. Absent at an endpoint for many people. */
  home?: HomePerson | undefined;
  /** The sessions of all users. They end with their user, and with the grant of their program. */
  sessions: Pick<Sessions, "endOf">;
  /** Holds people's grants to programs. Absent if programs cannot sign in here. */
  signIn?: SignInState | undefined;
  /** True if clients may send the backend's token in a header. If not, they have to sign in. */
  ownTokens?: boolean | undefined;
}

const IDLE_MS = 30 * 60_000;
const SWEEP_MS = 60_000;

/**
 * Holds the users of an endpoint, one for each token. A user is made at the token's first request and forgotten after a
 * long idle time. Users with an accepted token have a limit of their own, so invented tokens cannot push them out.
 */
export class TokenUsers implements Users {
  readonly #deps: TokenUsersDeps;
  readonly #accepted = new Map<string, TokenUser>();
  readonly #unaccepted = new Map<string, TokenUser>();
  readonly #cancelSweep: () => void;

  constructor(deps: TokenUsersDeps) {
    this.#deps = deps;
    this.#cancelSweep = every(deps.server.clock, SWEEP_MS, () => this.#forgetIdle());
    deps.signIn?.onEnded((key, grantId) => this.#endGrant(key, grantId));
    deps.history.folders?.beatWhile(() => this.busyIds.length > 0);
  }

  get size(): number {
    return this.#accepted.size + this.#unaccepted.size;
  }

  /**
   * Returns the user of a request's token. Without a token nobody is served, wherever the request seems to come from.
   * @throws HttpError `unauthorized`, `too_many_users`, `too_many_new_tokens` or `too_many_at_once`, and
   * StoreUnreachable
   */
  async use(token: string | undefined): Promise<UserInUse> {
    const { home, ownTokens = true } = this.#deps;
    const isHome = token !== undefined && home?.key.matches(token) === true;
    if (token !== undefined && isIssuedHere(token)) return this.#useGrant(token);
    if (token === undefined || !(ownTokens || isHome)) throw unauthorized();
    return this.useOwn(token);
  }

  /**
   * Does the same as `use` for a token that its person has sent from a page. It accepts the backend's tokens and the
   * home's key, but no token that was issued here.
   * @throws as {@link use} does
   */
  async useOwn(token: string): Promise<UserInUse> {
    const { home, tokens } = this.#deps;
    if (home?.key.matches(token)) return { user: home.user, release: home.user.use() };
    // No backend may receive a home's key or a token that was issued here.
    if (isHomeKey(token) || isIssuedHere(token)) throw unauthorized();
    const key = tokens.keyOf(token);
    // If the user's token has been renewed, an older one still opens their data, but only as long as the backend
    // accepts it.
    const known = this.#current(key);
    if (known !== undefined && known.auth.token !== token) {
      const judged = await tokens.judge(token);
      if (judged === "unknown") throw unauthorized();
      if (judged === "full" || judged === "unreached")
        throw new HttpError("too_many_new_tokens", { "Retry-After": "10" });
    }
    const isAccepted = this.#current(key)?.isAccepted === true || (await tokens.isAccepted(key));
    const userId = this.#current(key) === undefined ? await this.#deps.signIn?.grants.userIdOf(key) : undefined;
    const auth = () => this.#deps.signIn?.authOf({ account: key, token, userId }) ?? constantAuth(token);
    return this.#useUser(key, auth, isAccepted);
  }

  /** Finds the grant of an access token that was issued here, and returns the user that serves the grant's program. */
  async #useGrant(token: string): Promise<UserInUse> {
    const { signIn, home } = this.#deps;
    const grant = await signIn?.grants.use(token);
    if (signIn === undefined || grant === undefined) throw unauthorized();
    const { credential } = grant;
    const { account, token: own, homeKeyHash } = credential;
    if (home !== undefined && account === home.user.key) {
      if (homeKeyHash !== home.key.hash()) throw unauthorized();
      const user = home.user.granted.through(grant);
      return { user, release: user.use() };
    }
    if (own === undefined) throw unauthorized();
    const auth = () => signIn.authOf({ ...credential, token: own });
    const { user, release } = await this.#useUser(account, auth, true);
    await user.auth.takeUp(grant).catch(ignoreTowowError);
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
    // Nothing is awaited from here on, so nobody else can take the place that was found or remove the user.
    const known = this.#current(key);
    if (isAccepted) known?.accept();
    const waits = known?.isAccepted ?? isAccepted;
    if (waits && !this.#accepted.has(key) && !this.#makeRoom())
      throw new HttpError("too_many_users", { "Retry-After": "10" });
    const onAccepted = () => this.#moveUp(key);
    const user = known ?? new TokenUser({ key, auth: auth(), isAccepted, onAccepted }, this.#deps);
    this.#place(user);
    user.uses.touch();
    return { user, release: user.use() };
  }

  /** Returns the user with this key, if they are in memory now. */
  known(key: string): User | undefined {
    const { home } = this.#deps;
    return key === home?.user.key ? home.user : this.#current(key);
  }

  /**
   * Ends a program's sessions and streams after its grant has ended. Demands that wait for a decision keep their
   * deadlines.
   */
  async #endGrant(key: string, grantId: string): Promise<void> {
    const { home, sessions } = this.#deps;
    sessions.endOf(key, grantId);
    await (key === home?.user.key ? home.user : this.#current(key))?.granted.end(grantId);
  }

  #current(key: string): TokenUser | undefined {
    return this.#accepted.get(key) ?? this.#unaccepted.get(key);
  }

  /** Puts the user at the end of the order in which users are forgotten. */
  #place(user: TokenUser): void {
    this.#remove(user.key);
    (user.isAccepted ? this.#accepted : this.#unaccepted).set(user.key, user);
  }

  /**
   * Counts a user among the accepted ones once the backend has accepted their token. If the endpoint is full, the user
   * stays among the others, and their next request tries again.
   */
  #moveUp(key: string): void {
    const user = this.#unaccepted.get(key);
    if (user !== undefined && this.#makeRoom()) this.#place(user);
  }

  #remove(key: string): void {
    this.#accepted.delete(key);
    this.#unaccepted.delete(key);
  }

  /**
   * Returns whether an accepted user can be taken in. An idle user is forgotten to make room, and comes back with their
   * next call.
   */
  #makeRoom(): boolean {
    if (this.#accepted.size < this.#deps.maxUsers) return true;
    const idle = [...this.#accepted.values()].find((other) => !isInUse(other));
    if (idle !== undefined) this.#forget(idle);
    return idle !== undefined;
  }

  /**
   * Makes room for a new token. The oldest one goes, with its sessions and streams, unless it is being judged or has
   * been accepted meanwhile. There may still be no room afterwards, because somebody else has taken it.
   */
  async #makeRoomForNew(): Promise<void> {
    const oldest = [...this.#unaccepted.values()].find(
      // A user who was accepted while the endpoint was full is still in this map.
      (user) => !user.isTrying && !(user.isAccepted && isInUse(user)),
    );
    if (oldest === undefined) throw new HttpError("too_many_new_tokens", { "Retry-After": "10" });
    const isNoted = !oldest.isAccepted && (await this.#deps.tokens.isAccepted(oldest.key));
    if (oldest.isTrying || this.#unaccepted.get(oldest.key) !== oldest) return;
    if (isNoted) return oldest.accept(); // The token was accepted at another replica.
    if (oldest.isAccepted && isInUse(oldest)) return;
    this.#deps.sessions.endOf(oldest.key);
    void oldest.modern.close();
    this.#forget(oldest);
  }

  #forget(user: TokenUser): void {
    this.#remove(user.key);
    if (!user.isAccepted) void this.#takeBack(user);
    // The user has nothing on its way, but may still be looking after negotiations that another program left.
    void user.end("to_replicas");
    user.close();
  }

  /** Erases what a token has left in the store, unless another replica knows it as accepted. */
  async #takeBack(user: TokenUser): Promise<void> {
    const isNoted = await this.#deps.tokens.isAccepted(user.key).catch(() => true);
    if (!isNoted && this.#current(user.key) === undefined) user.uses.takeBack(); // The token may have come back by now.
  }

  #forgetIdle(): void {
    const { clock } = this.#deps.server;
    for (const user of [...this.#accepted.values(), ...this.#unaccepted.values()])
      if (clock.monotonic() - user.uses.lastAt >= IDLE_MS && !isInUse(user)) this.#forget(user);
  }

  /** The ids of all users' negotiations for which this program still has something to finish. */
  get busyIds(): string[] {
    return [...this.#accepted.values(), ...this.#unaccepted.values()].flatMap((user) => user.negotiations.busyIds);
  }

  /** The number of negotiations that are polled now. Each is counted once for each user who waits for it or follows it. */
  get polled(): number {
    const users = [...this.#accepted.values(), ...this.#unaccepted.values()];
    return users.reduce((sum, { negotiations }) => sum + negotiations.polled, 0);
  }

  /** True while a person's no is on its way and is not written down anywhere. */
  get holdsNo(): boolean {
    return [...this.#accepted.values(), ...this.#unaccepted.values()].some(({ negotiations }) => negotiations.holdsNo);
  }

  /** Ends all users. What is undecided is withdrawn or left, as `atEnd` or else each user's policy says. */
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

/**
 * Returns whether the user must stay in memory, however old their last call is. This is so while something of theirs is
 * open, a deadline is watched, or a decision is on its way.
 */
const isInUse = (user: TokenUser): boolean => user.uses.count > 0 || user.negotiations.isBusy;
