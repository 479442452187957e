import { createHash } from "node:crypto";
import * as z from "zod";
import type { Clock } from "../../../clock.ts";
import type { Store } from "../../../store/store.ts";
import { isSame, nameOfSecret, type Random, type Seals } from "./sealing.ts";

/** A program acts for a person with this. It is kept sealed, so that it stands nowhere as text. */
export interface Credential {
  /** It names the person everywhere in the store, and stays when the token is renewed. */
  account: string;
  /** The backend issued it. The person of this machine has none here, because the home keeps theirs. */
  token?: string | undefined;
  /** The backend renews a token only for this id; it is absent where nobody has said it. */
  userId?: string | undefined;
  /** It is in ms since the epoch, and absent where the backend names no end. */
  expiresAt?: number | undefined;
  /** The grant of this machine's person ends when the home gets another key, which this hash shows. */
  homeKeyHash?: string | undefined;
}

/** A person has let this program act for them. */
export interface GrantedTo {
  clientId: string;
  /** The program calls itself so; nobody has checked it. */
  name: string;
  /** The program was led back there, as `destinationOf` names it. */
  redirect: string;
  /** Its AI may pass on what the person says. */
  passesWord: boolean;
}

/** A grant is kept so that its person can see it without opening it. Times are in ms since the epoch. */
export interface GrantRecord {
  id: string;
  account: string;
  client_id: string;
  name: string;
  redirect: string;
  at: number;
  used_at: number;
  /** The person sees this, but only the same word in the sealed part counts. */
  passes_word: boolean;
  /** The person has taken back that its AI may pass their word on. */
  word_taken_back?: boolean | undefined;
  sealed: string;
}

/** An access token opens this. */
export interface GrantInUse {
  id: string;
  credential: Credential;
  passesWord: boolean;
  /** Reads the credential again, because another replica may have renewed it. */
  reread(): Promise<Credential | undefined>;
  /** Puts a newer credential in its place, for as long as the grant stands. */
  reseal(fresh: Credential): Promise<void>;
}

/** A code is good only for a program that can show that it asked this. */
export interface CodeRequest {
  clientId: string;
  redirect: string;
  /** It is the SHA-256, in base64url, of what only the program knows. */
  challenge: string;
}

/** A program gets these for a code or a refresh token. */
export interface Issued {
  accessToken: string;
  refreshToken: string;
  expiresInS: number;
}

/** Grants are kept in what replicas share, or in the files of a home. */
export type GrantStore = Pick<
  Store,
  "get" | "getMany" | "put" | "create" | "replace" | "delete" | "addMember" | "removeMember" | "members"
>;

interface GrantsDeps {
  store: GrantStore;
  seals: Seals;
  random: Random;
  clock: Clock;
  /** It is called before anything is issued for somebody. @throws HttpError `rate_limited` */
  counted: (account: string) => Promise<void>;
  /** It is called after a grant has ended here. */
  ended: (account: string, id: string) => Promise<void>;
}

const ACCESS = "twa_";
const CODE = "twc_";
const REFRESH = "twr_";
/** No backend may get a bearer that was issued here, whatever it is good for. */
export const isIssuedHere = (bearer: string): boolean => /^tw[acr]_/.test(bearer);

const ID_BYTES = 16;
const ACCESS_FORM = /^twa_([\w-]{22})[\w-]{43}$/;
const CODE_MS = 60_000;
/** A code that comes again within that time ends what came of it. */
const SPENT_CODE_MS = 10 * 60_000;
export const ACCESS_MS = 3_600_000;
/** A grant ends when it has not been used for this long. */
const GRANT_MS = 90 * 24 * 3_600_000;
/** A change that loses so often shows a fault: no grant is changed by so many at once. */
const MAX_TRIES = 100;
/** The id stays a person's own when their grants are over, and is wanted again at their next sign-in. */
const PERSON_MS = 365 * 24 * 3_600_000;
/** Two processes that share a token, or one whose answer was lost, come again within a moment. */
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
/** A secret opens a grant by this: `key` is the grant's own, sealed by that secret. */
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
 * Keeps what people let programs do for them. A code, an access token and a refresh token each open the grant's key, and that its
 * credential; kept are their hashes alone. Lifetimes are the store's own, so that no replica's clock decides. Methods throw
 * StoreUnreachable or HomeUnwritable.
 */
export class Grants {
  readonly #deps: GrantsDeps;

  constructor(deps: GrantsDeps) {
    this.#deps = deps;
  }

  /** The person says yes: gives the code with which the program gets its tokens, once, within a minute. */
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
    await store.put(grantName(id), record, SPENT_CODE_MS); // it ends unless its code comes
    await store.addMember(accountName(account), id, GRANT_MS);
    const way = { grant: id, key: seals.seal(code, id, key) };
    await store.put(codeName(code), { ...way, client_id: clientId, redirect, challenge }, CODE_MS);
    return code;
  }

  /** Gives undefined for a code that is not good, whatever is wrong about it. One that comes a second time ends its grant. */
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
    // A code is spent only by its answer, so that a program may come again with one whose answer failed.
    const { created } = await store.create(spent, asked.grant, SPENT_CODE_MS, z.string());
    if (created) return issued;
    await this.#end(asked.grant);
    return undefined;
  }

  /**
   * A refresh token is replaced by its use. For a minute more it gives the same successor again; after that its use shows
   * that two have it, and ends the grant. Gives undefined for one that is not good.
   */
  async refresh(token: string, clientId: string | undefined): Promise<Issued | undefined> {
    const { store, seals } = this.#deps;
    if (!token.startsWith(REFRESH)) return undefined;
    const way = await store.get(refreshName(token), wayShape);
    const grant = way && (await store.get(grantName(way.grant), grantShape));
    const key = way && seals.open(token, way.grant, way.key);
    if (grant === undefined || typeof key !== "string") return undefined;
    if (clientId !== undefined && clientId !== grant.client_id) return undefined;
    // The grace begins before the use is noted, and is looked for behind it: nobody sees a use without its grace.
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

  /** Gives undefined for a bearer that is none of ours, or has ended. It looks at the store once. */
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

  /** Ends the grant that any of its tokens names, and does nothing for a token that is unknown. */
  async revoke(token: string): Promise<void> {
    const { store } = this.#deps;
    const names = [accessName(token), refreshName(token), codeName(token)];
    const found = await store.getMany(names, wayShape);
    for (const way of found) if (way !== undefined) await this.#end(way.grant);
  }

  /** Gives the grants of one person, the newest first. */
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

  /** Gives the id by which the backend knows this person, where one of their sign-ins has said it. */
  async userIdOf(account: string): Promise<string | undefined> {
    return this.#deps.store.get(personName(account), z.string());
  }

  /** Ends a grant of this person's and gives the program's name. */
  async end(account: string, id: string): Promise<string | undefined> {
    const record = await this.#deps.store.get(grantName(id), grantShape);
    if (record?.account !== account) return undefined;
    await this.#end(id);
    return record.name;
  }

  /** The program's AI passes nothing on from now on. */
  async takeBackWord(account: string, id: string): Promise<void> {
    await this.#change(id, (record) => (record.account === account ? { ...record, word_taken_back: true } : undefined));
  }

  async #isSpent(token: string): Promise<boolean> {
    return (await this.#deps.store.get(spentName(token), z.string())) !== undefined;
  }

  /** A successor follows from its token, so that every answer to one token names the same one. */
  async #successorOf(token: string): Promise<string> {
    const after = (one: string) => REFRESH + this.#deps.seals.derived("refresh", one);
    let next = after(token);
    for (let n = 1; n < MAX_SUCCESSORS && (await this.#isSpent(next)); n++) next = after(next);
    return next;
  }

  /** Gives undefined where the grant has ended meanwhile. */
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

  /** Changes a grant that has not ended, begins its time anew, and gives what stands then. */
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
    // Whoever can write to the store could put another name on a grant.
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

/** The backend issued the one that ends later after the other. */
export const isNewer = (one: Credential, other: Credential): boolean =>
  one.token !== other.token && (one.expiresAt ?? 0) > (other.expiresAt ?? 0);

const challengeOf = (verifier: string): string => createHash("sha256").update(verifier).digest("base64url");
