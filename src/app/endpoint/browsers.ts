import { nanoid } from "nanoid";
import * as z from "zod";
import type { PageSignIn } from "../../ask/page/open-page.ts";
import type { BrowserOwner, SignIn } from "../../ask/page/sign-in.ts";
import type { Clock } from "../../clock.ts";
import type { HomeKey } from "../../home/home-key.ts";
import type { Credential } from "../../mcp/http/sign-in/grants.ts";
import type { Seals } from "../../mcp/http/sign-in/sealing.ts";
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
import { sha256 } from "../hash.ts";
import type { Judged } from "./tokens.ts";

export interface EndpointBrowsersDeps {
  /** That all replicas and users share. */
  store: Store;
  clock: Clock;
  /** Gives the user of a token that the backend accepts; an invented token leaves no trace. */
  acceptedUser: (token: string) => Promise<Judged>;
  /** It is called after one of a user's browsers has been revoked here. */
  revoked: (user: string) => Promise<void>;
  /** Opens the room of somebody who signs in; false in a full house. */
  openRoom: (token: string) => Promise<boolean>;
  /** Seals the token that a person signed in with, so that only their own browser opens it again. Absent where no program signs in. */
  seals?: Seals | undefined;
  /** The person of this machine, whose browsers are kept in the home. Absent at an endpoint for many people. */
  home?: HomeOwner | undefined;
}

interface HomeOwner {
  user: string;
  browsers: KnownBrowsers;
  /** They sign in with it, and a new key ends every browser that the old one signed in. */
  key: Pick<HomeKey, "hash">;
}

/**
 * A token of so many characters is not found by trying, so nobody who tries may keep its person out. Tries are not counted
 * by address: behind a proxy everybody has the proxy's, and a forwarded one may be what the caller wrote.
 */
const UNGUESSABLE_CHARS = 24;
/** People of the whole endpoint mistype fewer of the shorter tokens than this. */
const MAX_WRONG = 50;
const WRONG_WITHIN_MS = 60_000;
const ownerName = (id: string): string => `browser-owner:${id}`;
const credentialName = (id: string): string => `browser-credential:${id}`;
/** The set outlives every browser in it. */
const CREDENTIAL_MS = 365 * 24 * 3_600_000;
const credentialShape = z.object({
  account: z.string(),
  token: z.string(),
  userId: z.string().optional(),
  expiresAt: z.number().optional(),
});

/**
 * Knows whose each browser of an endpoint is, and signs browsers in. One that was known here a short time ago is known
 * without the store, too. Methods throw StoreUnreachable.
 */
export class EndpointBrowsers {
  readonly #deps: EndpointBrowsersDeps;

  constructor(deps: EndpointBrowsersDeps) {
    this.#deps = { ...deps, store: remembered(deps.store, deps.clock) };
  }

  /** Gives the browsers of one user, by the key that names the user in the store. */
  of(user: string): KnownBrowsers {
    const { store, clock, revoked, home } = this.#deps;
    if (user === home?.user) return home.browsers;
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
        await revoked(user);
      },
    };
    return new KnownBrowsers({ store: owned, clock, newId: nanoid, hash: sha256 });
  }

  /** Says whose browser sends these cookies: where several people have signed in, the one who did so last. */
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
   * Lets a browser in whose person has their token, as {@link judge} says: for all pages of theirs. In a full house there
   * is no room for them, but the list of their browsers; `needsRoom`: then they are not let in.
   */
  async signIn(token: string, userAgent: string, cookies: Cookies = {}, needsRoom = false): Promise<SignIn> {
    const judged = await this.judge(token);
    if (typeof judged === "string") return judged;
    // First their room: a browser that is let in without one would be on their list, and never get its cookie.
    const hasRoom = await this.#deps.openRoom(token);
    if (!hasRoom && needsRoom) return "full";
    return this.#enterWith({ account: judged.user, token }, userAgent, cookies);
  }

  /** Lets a browser in whose person has just been given this. In a full house they have no room yet. */
  async enterAs(
    credential: Credential & { token: string },
    userAgent: string,
    cookies: Cookies,
  ): Promise<BrowserCookie> {
    await this.#deps.openRoom(credential.token);
    return this.#enterWith(credential, userAgent, cookies);
  }

  /** Opens what this browser keeps of its person, with the secret in its cookie, which stands nowhere here. */
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

  /** Takes the place of what these browsers have kept of the same person. */
  async keep(credential: Credential, cookies: Cookies): Promise<void> {
    const { seals, store } = this.#deps;
    if (seals === undefined || credential.account === this.#deps.home?.user) return;
    for (const id of browserIds(cookies)) {
      if ((await store.get(ownerName(id), z.string())) !== credential.account) continue;
      const sealed = seals.seal(browserSecret(cookies, id) ?? "", credentialName(id), credential);
      await store.put(credentialName(id), sealed, CREDENTIAL_MS);
    }
  }

  async #enterWith(credential: Credential, userAgent: string, cookies: Cookies): Promise<BrowserCookie> {
    const cookie = await this.enter(credential.account, userAgent, cookies);
    await this.keep(credential, { [cookie.name]: cookie.value });
    return cookie;
  }

  /** Signs in on a page of this user's, where nobody else is let in. */
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
        await this.#deps.openRoom(token);
        return this.#enterWith({ account: user, token }, ...browser);
      },
    };
  }

  /** Says whose token it is; after too many wrong ones nothing is said of one that can be guessed. */
  async judge(token: string): Promise<Judged | "locked"> {
    return token.length >= UNGUESSABLE_CHARS ? this.#deps.acceptedUser(token) : this.#judgeShort(token);
  }

  /**
   * Lets a browser in whose person has shown to be this user. Others who have signed in with it before are signed out there,
   * so that nobody acts in another one's name.
   */
  async enter(user: string, userAgent: string, cookies: Cookies): Promise<BrowserCookie> {
    const others = await this.#usersOf(cookies); // before it is signed in, which revokes what was this user's
    others.delete(user);
    const cookie = await this.of(user).signIn(userAgent, cookies, this.#keyHash(user));
    const left = await Promise.all([...others].map((other) => this.of(other).leave(cookies)));
    return { ...cookie, replaces: [...(cookie.replaces ?? []), ...left.flat()] };
  }

  /** Says if this user is signed in anywhere. */
  async hasAny(user: string): Promise<boolean> {
    const keyHash = this.#keyHash(user);
    return (await this.of(user).list()).some(({ key_hash }) => key_hash === keyHash);
  }

  /** Gives what a browser of this user must have been signed in with, and undefined for a token, which stands nowhere. */
  #keyHash(user: string): string | undefined {
    const { home } = this.#deps;
    return user === home?.user ? home.key.hash() : undefined;
  }

  /** Does as `acceptedUser` does, for a token that somebody could find by trying. */
  async #judgeShort(token: string): Promise<Judged | "locked"> {
    const { store, acceptedUser } = this.#deps;
    const wrong = (by: number) => store.increment("wrong-sign-ins", by, WRONG_WITHIN_MS);
    // Counted before it is judged, and given back: many at once are bounded too.
    if ((await wrong(1)) > MAX_WRONG) return "locked";
    const judged = await acceptedUser(token).catch(async (error: unknown) => {
      await wrong(-1);
      throw error;
    });
    if (typeof judged === "object") await wrong(-1);
    return judged;
  }

  /** Gives every user whose these cookies may be. */
  async #usersOf(cookies: Cookies): Promise<Set<string>> {
    const { store, home } = this.#deps;
    const found = await Promise.all(browserIds(cookies).map((id) => store.get(ownerName(id), z.string())));
    return new Set([...found, home?.user].filter((user) => user !== undefined));
  }
}

const SET = "browsers";
/** The set outlives its members: an id whose browser is gone is taken out when the set is read. */
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

/** Keeps the browsers in which one user decides where all replicas find them. Methods throw StoreUnreachable. */
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
