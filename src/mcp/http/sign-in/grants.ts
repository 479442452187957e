import { createHash } from "node:crypto";
import * as z from "zod";
import type { Clock } from "../../../clock.ts";
import type { Store } from "../../../store/store.ts";
import { isSame, nameOfSecret, type Random, type Seals } from "./sealing.ts";

/** The credential with which a program acts for a person. It is kept sealed, so it is never stored as plain text. */
export interface Credential {
  /** The name of the person everywhere in the store. It stays the same when the token is renewed. */
  account: string;
  /** The backend's token. The person of this machine has none here, because the home keeps theirs. */
  token?: string | undefined;
  /** The id for which the backend renews the token. Absent if nobody has named it. */
  userId?: string | undefined;
  /** When the token ends, in ms since the epoch. Absent if the backend names no end. */
  expiresAt?: number | undefined;
  /** The hash of this machine's key. If the home gets another key, the grant of this machine's person ends. */
  homeKeyHash?: string | undefined;
}

/** The program that may act for a person, and whether it may pass on their word. */
export interface GrantedTo {
  clientId: string;
  /** The name that the program gives itself. Nobody has checked it. */
  name: string;
  /** The host or scheme to which the program was led back. Empty for a program on the person's computer. */
  redirect: string;
  /** True if the program's AI may pass on what the person says. */
  passesWord: boolean;
}

/** A grant as it is stored. Its person can see it without opening the sealed part. Times are in ms since the epoch. */
export interface GrantRecord {
  id: string;
  account: string;
  client_id: string;
  name: string;
  redirect: string;
  at: number;
  used_at: number;
  /** This value is shown to the person. Only the same value in the sealed part counts. */
  passes_word: boolean;
  /** Set if the person has taken back that the program's AI may pass on their word. */
  word_taken_back?: boolean | undefined;
  sealed: string;
}

/** A grant that an access token has opened. */
export interface GrantInUse {
  id: string;
  credential: Credential;
  passesWord: boolean;
  /** Reads the credential again, because another replica may have renewed it. */
  reread(): Promise<Credential | undefined>;
  /** Replaces the credential with a newer one, for as long as the grant lasts. */
  reseal(fresh: Credential): Promise<void>;
}

/** The request that a code answers. The code is good only for a program that can show that it made this request. */
export interface CodeRequest {
  clientId: string;
  redirect: string;
  /** The SHA-256, in base64url, of a secret that only the program knows. */
  challenge: string;
}

/** What a program gets for a code or a refresh token. */
export interface Issued {
  accessToken: string;
  refreshToken: string;
  expiresInS: number;
}

/** Where grants are kept: in the store that replicas share, or in the files of a home. */
export type GrantStore = Pick<
  Store,
  "get" | "getMany" | "put" | "create" | "replace" | "delete" | "addMember" | "removeMember" | "members"
>;

interface GrantsDeps {
  store: GrantStore;
  seals: Seals;
  random: Random;
  clock: Clock;
  /** Called before anything is issued for an account. @throws HttpError `rate_limited` */
  counted: (account: string) => Promise<void>;
  /** Called after a grant has ended here. */
  ended: (account: string, id: string) => Promise<void>;
}

const ACCESS = "twa_";
const CODE = "twc_";
const REFRESH = "twr_";
/** Returns whether a bearer was issued here, so that it must not be sent to a backend. */
export const isIssuedHere = (bearer: string): boolean => /^tw[acr]_/.test(bearer);

const ID_BYTES = 16;
const ACCESS_FORM = /^twa_([\w-]{22})[\w-]{43}$/;
const CODE_MS = 60_000;
/** How long a used code is remembered, in ms. If it comes again within that time, its grant ends. */
const SPENT_CODE_MS = 10 * 60_000;
export const ACCESS_MS = 3_600_000;
/** How long an unused grant lasts, in ms. */
const GRANT_MS = 90 * 24 * 3_600_000;
/**
 * How often one change is tried. So many changes of one grant never come at once, so if all tries fail, something is
 * wrong.
 */
const MAX_TRIES = 100;
/** How long a person's id is kept, in ms. It outlives their grants, because their next sign-in needs it. */
const PERSON_MS = 365 * 24 * 3_600_000;
/**
 * How long a used refresh token still works, in ms. Two processes may share it, and a program whose answer was lost
 * asks again within a moment.
 */
const GRACE_MS = 60_000;
const MAX_SUCCESSORS = 50;
const VERIFIER = /^[\w.~-]{43,128}$/;

const grantShape = z.object({
  id: z.string(),
  account: z.string(),
  client_id: z.string(),
  name: z.string(),
  redirect: z.string(),
  at: z.number(),
  used_at: z.number(),
  passes_word: z.boolean(),
  word_taken_back: z.boolean().optional(),
  sealed: z.string(),
});
const sealedShape = z.object({
  account: z.string(),
  token: z.string().optional(),
  userId: z.string().optional(),
  expiresAt: z.number().optional(),
  homeKeyHash: z.string().optional(),
  passesWord: z.boolean(),
});
type Sealed = z.infer<typeof sealedShape>;
/** How a secret opens a grant: `key` is the grant's own key, sealed by that secret. */
const wayShape = z.object({ grant: z.string(), key: z.string() });
const codeShape = wayShape.extend({ client_id: z.string(), redirect: z.string(), challenge: z.string() });

const grantName = (id: string): string => `grant:${id}`;
const personName = (account: string): string => `person:${account}`;
const accountName = (account: string): string => `grants-of:${account}`;
const accessName = (token: string): string => `access:${nameOfSecret(token)}`;
const refreshName = (token: string): string => `refresh:${nameOfSecret(token)}`;
const codeName = (token: string): string => `code:${nameOfSecret(token)}`;
const spentName = (token: string): string => `spent:${nameOfSecret(token)}`;
const graceName = (token: string): string => `grace:${nameOfSecret(token)}`;

/**
 * Keeps the grants by which programs act for people. A code, an access token and a refresh token each open the grant's
 * key, which opens its credential. Only hashes of the three are kept. The store itself removes what has expired, so no
 * replica's clock decides.
 * @throws StoreUnreachable or HomeUnwritable from every method
 */
export class Grants {
  readonly #deps: GrantsDeps;

  constructor(deps: GrantsDeps) {
    this.#deps = deps;
  }

  /**
   * Begins a grant after the person's yes. Returns the code with which the program gets its tokens, once and within a minute.
   */
  async begin(to: GrantedTo, credential: Credential, { clientId, redirect, challenge }: CodeRequest): Promise<string> {
    const { store, seals, random, clock } = this.#deps;
    const id = random(ID_BYTES).toString("base64url");
    const key = seals.newSecret();
    const at = clock.now();
    const { account } = credential;
    const record: GrantRecord = {
      ...{ id, account, client_id: to.clientId, name: to.name, redirect: to.redirect, at, used_at: at },
      passes_word: to.passesWord,
      sealed: this.#seal(id, key, { ...credential, passesWord: to.passesWord }),
    };
    const code = CODE + seals.newSecret();
    if (credential.userId !== undefined) await store.put(personName(account), credential.userId, PERSON_MS);
    await store.put(grantName(id), record, SPENT_CODE_MS); // The grant ends after ten minutes, unless its code is redeemed.
    await store.addMember(accountName(account), id, GRANT_MS);
    const way = { grant: id, key: seals.seal(code, id, key) };
    await store.put(codeName(code), { ...way, client_id: clientId, redirect, challenge }, CODE_MS);
    return code;
  }

  /**
   * Returns tokens for a code, or undefined for a bad code, whatever is wrong with it. A code that comes a second time
   * ends its grant.
   */
  async redeem(
    code: string,
    { clientId, redirect, verifier }: { clientId: string; redirect: string | undefined; verifier: string },
  ): Promise<Issued | undefined> {
    const { store, seals } = this.#deps;
    if (!code.startsWith(CODE)) return undefined;
    const spent = spentName(code);
    const before = await store.get(spent, z.string());
    if (before !== undefined) {
      await this.#end(before);
      return undefined;
    }
    const asked = await store.get(codeName(code), codeShape);
    if (asked === undefined) return undefined;
    const isTheirs = asked.client_id === clientId && (redirect === undefined || redirect === asked.redirect);
    const isProven = VERIFIER.test(verifier) && isSame(challengeOf(verifier), asked.challenge);
    const key = seals.open(code, asked.grant, asked.key);
    const isGood = isTheirs && isProven && typeof key === "string";
    const issued = isGood ? await this.#issue(asked.grant, key, REFRESH + seals.newSecret()) : undefined;
    // The code counts as spent only after its tokens were issued, so that a program may try again if that failed.
    const { created } = await store.create(spent, asked.grant, SPENT_CODE_MS, z.string());
    if (created) return issued;
    await this.#end(asked.grant);
    return undefined;
  }

  /**
   * Returns tokens for a refresh token and replaces that token. Returns undefined for a bad one. For one more minute,
   * the old token gives the same successor. After that, its use shows that two programs hold it, and ends the grant.
   */
  async refresh(token: string, clientId: string | undefined): Promise<Issued | undefined> {
    const { store, seals } = this.#deps;
    if (!token.startsWith(REFRESH)) return undefined;
    const way = await store.get(refreshName(token), wayShape);
    const grant = way && (await store.get(grantName(way.grant), grantShape));
    const key = way && seals.open(token, way.grant, way.key);
    if (grant === undefined || typeof key !== "string") return undefined;
    if (clientId !== undefined && clientId !== grant.client_id) return undefined;
    // The grace begins before the use is noted, and is looked up after the use, so that no replica sees a use without
    // its grace.
    const isSpent = await this.#isSpent(token);
    if (isSpent && (await store.get(graceName(token), z.literal(true))) === undefined) {
      await this.#end(grant.id);
      return undefined;
    }
    const issued = await this.#issue(grant.id, key, await this.#successorOf(token));
    if (isSpent) return issued;
    await store.create(graceName(token), true, GRACE_MS, z.literal(true));
    await store.create(spentName(token), grant.id, GRANT_MS, z.string());
    return issued;
  }

  /**
   * Opens the grant of an access token with one read of the store. Undefined if the bearer was not issued here, or its
   * grant has ended.
   */
  async use(bearer: string): Promise<GrantInUse | undefined> {
    const { store, seals } = this.#deps;
    const id = ACCESS_FORM.exec(bearer)?.[1];
    if (id === undefined) return undefined;
    const found = await store.getMany([accessName(bearer), grantName(id)], z.union([grantShape, wayShape]));
    const way = wayShape.safeParse(found[0]).data;
    const record = grantShape.safeParse(found[1]).data;
    if (way?.grant !== id || record?.id !== id) return undefined;
    const key = seals.open(bearer, id, way.key);
    return typeof key === "string" ? this.#opened(record, key) : undefined;
  }

  /** Ends the grant of a token of any kind. An unknown token does nothing. */
  async revoke(token: string): Promise<void> {
    const { store } = this.#deps;
    const names = [accessName(token), refreshName(token), codeName(token)];
    const found = await store.getMany(names, wayShape);
    for (const way of found) if (way !== undefined) await this.#end(way.grant);
  }

  /** Returns the grants of one person, the newest first. */
  async list(account: string): Promise<GrantRecord[]> {
    const { store } = this.#deps;
    const ids = await store.members(accountName(account));
    if (ids.length === 0) return [];
    const found = await store.getMany(ids.map(grantName), grantShape);
    for (const id of ids.filter((_, index) => found[index] === undefined))
      await store.removeMember(accountName(account), id);
    const own = found.filter((record) => record?.account === account);
    return own.filter((record) => record !== undefined).sort((a, b) => b.at - a.at);
  }

  /** Returns the id by which the backend knows this person, if one of their sign-ins has named it. */
  async userIdOf(account: string): Promise<string | undefined> {
    return this.#deps.store.get(personName(account), z.string());
  }

  /** Ends a grant of this person and returns the program's name. Undefined if the grant is not theirs. */
  async end(account: string, id: string): Promise<string | undefined> {
    const record = await this.#deps.store.get(grantName(id), grantShape);
    if (record?.account !== account) return undefined;
    await this.#end(id);
    return record.name;
  }

  /** Ends the right of the program's AI to pass on the person's word. */
  async takeBackWord(account: string, id: string): Promise<void> {
    await this.#change(id, (record) => (record.account === account ? { ...record, word_taken_back: true } : undefined));
  }

  async #isSpent(token: string): Promise<boolean> {
    return (await this.#deps.store.get(spentName(token), z.string())) !== undefined;
  }

  /**
   * Returns the successor of a refresh token. It is derived from the token, so that every answer to one token names the
   * same successor.
   */
  async #successorOf(token: string): Promise<string> {
    const after = (one: string) => REFRESH + this.#deps.seals.derived("refresh", one);
    let next = after(token);
    for (let n = 1; n < MAX_SUCCESSORS && (await this.#isSpent(next)); n++) next = after(next);
    return next;
  }

  /** Issues an access token and stores both tokens. Undefined if the grant has ended meanwhile. */
  async #issue(id: string, key: string, refreshToken: string): Promise<Issued | undefined> {
    const { store, seals, clock } = this.#deps;
    const grant = await this.#change(id, (record) => ({ ...record, used_at: clock.now() }));
    if (grant === undefined) return undefined;
    await this.#deps.counted(grant.account);
    const accessToken = ACCESS + id + seals.newSecret();
    const wayOf = (secret: string) => ({ grant: id, key: seals.seal(secret, id, key) });
    await store.put(accessName(accessToken), wayOf(accessToken), ACCESS_MS);
    await store.create(refreshName(refreshToken), wayOf(refreshToken), GRANT_MS, wayShape);
    await store.addMember(accountName(grant.account), id, GRANT_MS);
    return { accessToken, refreshToken, expiresInS: Math.floor(ACCESS_MS / 1000) };
  }

  /** Changes a grant that has not ended, starts its lifetime anew, and returns the new record. */
  async #change(
    id: string,
    change: (record: GrantRecord) => GrantRecord | undefined,
  ): Promise<GrantRecord | undefined> {
    const { store } = this.#deps;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const current = await store.get<GrantRecord>(grantName(id), grantShape);
      const next = current && change(current);
      if (current === undefined || next === undefined) return undefined;
      if (await store.replace(grantName(id), current, next, GRANT_MS)) return next;
    }
    return undefined;
  }

  async #end(id: string): Promise<void> {
    const { store, ended } = this.#deps;
    const record = await store.get(grantName(id), grantShape);
    await store.delete(grantName(id));
    if (record === undefined) return;
    await store.removeMember(accountName(record.account), id);
    await ended(record.account, id);
  }

  #seal(id: string, key: string, sealed: Sealed): string {
    return this.#deps.seals.seal(key, `grant ${id}`, sealed);
  }

  #open({ id, account, sealed }: GrantRecord, key: string): Sealed | undefined {
    const read = sealedShape.safeParse(this.#deps.seals.open(key, `grant ${id}`, sealed)).data;
    // An intruder who can write to the store could put another account on a grant, but cannot seal it.
    return read?.account === account ? read : undefined;
  }

  #opened(record: GrantRecord, key: string): GrantInUse | undefined {
    const { id } = record;
    const read = this.#open(record, key);
    if (read === undefined) return undefined;
    const { passesWord, ...credential } = read;
    return {
      id,
      credential,
      passesWord: passesWord && record.word_taken_back !== true,
      reread: async () => {
        const now = await this.#deps.store.get(grantName(id), grantShape);
        return now && this.#open(now, key);
      },
      reseal: async (fresh) => {
        await this.#change(id, (now) => {
          const current = this.#open(now, key);
          if (current === undefined || !isNewer(fresh, current)) return undefined;
          return { ...now, sealed: this.#seal(id, key, { ...fresh, passesWord: current.passesWord }) };
        });
      },
    };
  }
}

/** Returns whether the first credential is newer than the second. The newer one is the one that ends later. */
export const isNewer = (one: Credential, other: Credential): boolean =>
  one.token !== other.token && (one.expiresAt ?? 0) > (other.expiresAt ?? 0);

const challengeOf = (verifier: string): string => createHash("sha256").update(verifier).digest("base64url");
