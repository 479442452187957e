import * as z from "zod";
import type { PageSignIn } from "../../ask/page/open-page.ts";
import type { BrowserOwner, SignIn } from "../../ask/page/sign-in.ts";
import type { Credential } from "../../mcp/http/sign-in/grants.ts";
import type { Seals } from "../../mcp/http/sign-in/sealing.ts";
import type { Platform } from "../../platform.ts";
import {
  type BrowserCookie,
  type BrowserRecord,
  type BrowserStore,
  browserIds,
  browserSecret,
  type Cookies,
  KnownBrowsers,
} from "../../session/known-browsers.ts";
import { remembered } from "../../store/remembered.ts";
import { type Store, scoped } from "../../store/store.ts";
import type { HomePerson } from "./home-person.ts";
import type { Judged, Tokens } from "./tokens.ts";

export interface EndpointBrowsersDeps {
  /** The store that all replicas share. */
  store: Store;
  platform: Platform;
  /** Finds the user of a token that the backend accepts. Every other token leaves no trace. */
  tokens: Pick<Tokens, "judge">;
  /**
   * Seals the token that a person signed in with, so that only their own browser can open it. Absent if no program
   * signs in.
   */
  seals?: Seals | undefined;
  /** The person of this machine, whose browsers are kept in the home. Absent at an endpoint for many people. */
  home?: HomeOwner | undefined;
}

/** The rooms of the people who sign in with these browsers. */
interface RoomsBehind {
  /** Opens the room of a person who signs in. Returns false if the endpoint is full. */
  open(token: string): Promise<boolean>;
  /** Called after a browser of this user has been revoked here. */
  browserRevoked(user: string): Promise<void>;
}

interface HomeOwner extends Pick<HomePerson, "browsers"> {
  user: Pick<HomePerson["user"], "key">;
  /** The key that this person signs in with. A new key ends every browser that the old one signed in. */
  key: Pick<HomePerson["key"], "hash" | "matches">;
}

/**
 * A token of at least this many characters cannot be found by trying. The limit on wrong tokens does not apply to it,
 * because otherwise strangers could lock its person out. Tries are not counted by address, because behind a proxy
 * everybody has the proxy's address, and a forwarded address may be whatever the caller wrote.
 */
const UNGUESSABLE_CHARS = 24;
/**
 * The most wrong short tokens of all people together within {@link WRONG_WITHIN_MS}. After that, short tokens are
 * refused for a while.
 */
const MAX_WRONG = 50;
const WRONG_WITHIN_MS = 60_000;
const ownerName = (id: string): string => `browser-owner:${id}`;
const credentialName = (id: string): string => `browser-credential:${id}`;
/**
 * How long a sealed credential is kept after it was last sealed, in milliseconds. A browser that outlives its
 * credential must sign in again before a program can be allowed.
 */
const CREDENTIAL_MS = 365 * 24 * 3_600_000;
const credentialShape = z.object({
  account: z.string(),
  token: z.string(),
  userId: z.string().optional(),
  expiresAt: z.number().optional(),
});

/**
 * Knows which user each browser of an endpoint belongs to, and signs browsers in. A browser that was recognised a short
 * time ago is recognised even if the store is down.
 * @throws StoreUnreachable from every method
 */
export class EndpointBrowsers {
  readonly #deps: EndpointBrowsersDeps;
  #rooms: RoomsBehind | undefined;

  constructor(deps: EndpointBrowsersDeps) {
    this.#deps = { ...deps, store: remembered(deps.store, deps.platform.clock) };
  }

  /**
   * Gives everybody who signs in from now on a room. The rooms need these browsers first, so they can only be named
   * here after both have been made.
   */
  leadTo(rooms: RoomsBehind): void {
    this.#rooms = rooms;
  }

  /** Returns the browsers of one user. `user` is the key that names the user in the store. */
  of(user: string): KnownBrowsers {
    const { store, platform, home } = this.#deps;
    if (user === home?.user.key) return home.browsers;
    const rooms = () => this.#rooms;
    const records = createBrowserRecords(scoped(store, `user:${user}:`));
    const owned = {
      ...records,
      async put(...[record, keptMs]: Parameters<typeof records.put>) {
        await store.put(ownerName(record.id), user, keptMs);
        await records.put(record, keptMs);
      },
      async touch(...[record, usedAt, keptMs]: Parameters<typeof records.touch>) {
        await store.put(ownerName(record.id), user, keptMs);
        await records.touch(record, usedAt, keptMs);
      },
      async remove(id: string) {
        await records.remove(id);
        await store.delete(ownerName(id));
        await store.delete(credentialName(id));
        await rooms()?.browserRevoked(user);
      },
    };
    return new KnownBrowsers(platform, owned);
  }

  /**
   * Returns the owner of the browser that sends these cookies. If several people have signed in with it, the last one
   * owns it.
   */
  async ownerOf(cookies: Cookies): Promise<BrowserOwner | undefined> {
    let last: (BrowserOwner & { at: number }) | undefined;
    for (const user of await this.#usersOf(cookies)) {
      const browsers = this.of(user);
      const known = await browsers.recognise(cookies, this.#keyHash(user));
      if (known !== undefined && known.at >= (last?.at ?? 0)) last = { user, browsers, ...known };
    }
    return last;
  }

  /**
   * Signs a browser in for all pages of the person whose token this is, if {@link judge} accepts the token. If the
   * endpoint is full, the person gets no room but can still reach the list of their browsers. With `needsRoom` the
   * browser is then not signed in, and the result is "full".
   */
  async signIn(token: string, userAgent: string, cookies: Cookies = {}, needsRoom = false): Promise<SignIn> {
    const judged = await this.judge(token);
    if (typeof judged === "string") return judged;
    // The room comes first. A browser signed in without a room would be on the person's list but never get its cookie.
    const hasRoom = await this.#openRoom(token);
    if (!hasRoom && needsRoom) return "full";
    return this.#enterWith({ account: judged.user, token }, userAgent, cookies);
  }

  /**
   * Signs in the browser of a person who has just been given this credential. If the endpoint is full, they have no
   * room yet.
   */
  async enterAs(
    credential: Credential & { token: string },
    userAgent: string,
    cookies: Cookies,
  ): Promise<BrowserCookie> {
    await this.#openRoom(credential.token);
    return this.#enterWith(credential, userAgent, cookies);
  }

  /**
   * Returns the credential that is kept for this browser's user. Only the secret in the browser's cookie opens the
   * seal, and that secret is not stored here.
   */
  async credentialOf(user: string, cookies: Cookies): Promise<Credential | undefined> {
    const { seals, store } = this.#deps;
    for (const id of browserIds(cookies).toReversed()) {
      const secret = browserSecret(cookies, id) ?? "";
      const sealed = await store.get(credentialName(id), z.string());
      const read = credentialShape.safeParse(sealed && seals?.open(secret, credentialName(id), sealed)).data;
      if (read?.account === user) return read;
    }
    return undefined;
  }

  /**
   * Seals this credential for each of these browsers that belongs to the credential's person. It replaces their
   * previous credential.
   */
  async keep(credential: Credential, cookies: Cookies): Promise<void> {
    const { seals, store } = this.#deps;
    if (seals === undefined || credential.account === this.#deps.home?.user.key) return;
    for (const id of browserIds(cookies)) {
      if ((await store.get(ownerName(id), z.string())) !== credential.account) continue;
      const sealed = seals.seal(browserSecret(cookies, id) ?? "", credentialName(id), credential);
      await store.put(credentialName(id), sealed, CREDENTIAL_MS);
    }
  }

  /** Opens the person's room. Returns false if the endpoint is full, and true if it has no rooms at all. */
  async #openRoom(token: string): Promise<boolean> {
    return (await this.#rooms?.open(token)) ?? true;
  }

  async #enterWith(credential: Credential, userAgent: string, cookies: Cookies): Promise<BrowserCookie> {
    const cookie = await this.enter(credential.account, userAgent, cookies);
    await this.keep(credential, { [cookie.name]: cookie.value });
    return cookie;
  }

  /** Returns the sign-in of a page that belongs to this user and lets nobody else in. */
  onPageOf(user: string): PageSignIn {
    return {
      isAnother: async (cookies) => {
        const owner = await this.ownerOf(cookies);
        return owner !== undefined && owner.user !== user;
      },
      enter: async (token, ...browser) => {
        const judged = await this.judge(token);
        if (typeof judged === "string") return judged;
        if (judged.user !== user) return "notTheirs";
        await this.#openRoom(token);
        return this.#enterWith({ account: user, token }, ...browser);
      },
    };
  }

  /**
   * Returns the user of a token. After too many wrong tokens, a token that is short enough to guess is refused as
   * "locked".
   */
  async judge(token: string): Promise<Judged | "locked"> {
    return token.length >= UNGUESSABLE_CHARS ? this.#userOf(token) : this.#judgeShort(token);
  }

  /**
   * Signs in the browser of a person who has proved that they are this user. Other people who signed in with the same
   * browser are signed out of it, so that nobody acts in another person's name.
   */
  async enter(user: string, userAgent: string, cookies: Cookies): Promise<BrowserCookie> {
    // The other users are read before the sign-in, because it revokes this user's earlier sign-in with the same
    // browser.
    const others = await this.#usersOf(cookies);
    others.delete(user);
    const cookie = await this.of(user).signIn(userAgent, cookies, this.#keyHash(user));
    const left = await Promise.all([...others].map((other) => this.of(other).leave(cookies)));
    return { ...cookie, replaces: [...(cookie.replaces ?? []), ...left.flat()] };
  }

  /** Returns whether this user is signed in with any browser. */
  async hasAny(user: string): Promise<boolean> {
    const keyHash = this.#keyHash(user);
    return (await this.of(user).list()).some(({ key_hash }) => key_hash === keyHash);
  }

  /**
   * Returns the hash of the key that a browser of this user must have signed in with. Undefined for users with a token,
   * because no hash is kept for their browsers.
   */
  #keyHash(user: string): string | undefined {
    const { home } = this.#deps;
    return user === home?.user.key ? home.key.hash() : undefined;
  }

  /** Finds the user of a token. A home's key belongs to the person of this machine. */
  async #userOf(token: string): Promise<Judged> {
    const { home, tokens } = this.#deps;
    return home?.key.matches(token) ? { user: home.user.key } : tokens.judge(token);
  }

  async #judgeShort(token: string): Promise<Judged | "locked"> {
    const { store } = this.#deps;
    const wrong = (by: number) => store.increment("wrong-sign-ins", by, WRONG_WITHIN_MS);
    // The try is counted before the token is judged and taken back if it was right, so that many tries at once are
    // bounded too.
    if ((await wrong(1)) > MAX_WRONG) return "locked";
    const judged = await this.#userOf(token).catch(async (error: unknown) => {
      await wrong(-1);
      throw error;
    });
    if (typeof judged === "object") await wrong(-1);
    return judged;
  }

  /** Returns every user who may own a browser with these cookies. */
  async #usersOf(cookies: Cookies): Promise<Set<string>> {
    const { store, home } = this.#deps;
    const found = await Promise.all(browserIds(cookies).map((id) => store.get(ownerName(id), z.string())));
    return new Set([...found, home?.user.key].filter((user) => user !== undefined));
  }
}

const SET = "browsers";
/**
 * How long the set of browser ids is kept, in milliseconds. The set outlives its members, and reading it removes the
 * ids of browsers that are gone.
 */
const SET_KEPT_MS = 365 * 24 * 3_600_000;
const nameOf = (id: string): string => `browser:${id}`;

const browserRecord = z.looseObject({
  id: z.string(),
  name: z.string(),
  secret_hash: z.string(),
  at: z.number(),
  used_at: z.number(),
  code_hash: z.string().exactOptional(),
  key_hash: z.string().exactOptional(),
});

/**
 * Creates the records of one user's browsers, in a store where all replicas find them.
 * @throws StoreUnreachable from every method
 */
export function createBrowserRecords(store: Store): BrowserStore {
  const get = (id: string) => store.get<BrowserRecord>(nameOf(id), browserRecord);
  return {
    get,
    async list() {
      const ids = await store.members(SET);
      const found = await Promise.all(ids.map(get));
      for (const id of ids.filter((_, index) => found[index] === undefined)) await store.removeMember(SET, id);
      return found.filter((record) => record !== undefined);
    },
    async put(record, keptMs) {
      await store.put(nameOf(record.id), record, keptMs);
      await store.addMember(SET, record.id, SET_KEPT_MS);
    },
    async touch(record, used_at, keptMs) {
      if (await store.replace(nameOf(record.id), record, { ...record, used_at }, keptMs))
        await store.addMember(SET, record.id, SET_KEPT_MS);
    },
    async remove(id) {
      await store.delete(nameOf(id));
      await store.removeMember(SET, id);
    },
  };
}
