import { ignoreTowowError } from "../errors.ts";
import type { Platform } from "../platform.ts";
import { sha256 } from "../sha256.ts";

/**
 * A browser that was let in, or asks to be. The browser's cookie holds a secret, and the record only the secret's hash.
 */
export interface BrowserRecord {
  id: string;
  name: string;
  secret_hash: string;
  /** The time at which the browser was let in or first asked, in milliseconds since the epoch. */
  at: number;
  used_at: number;
  /** The hash of the code that the page shows until the person has let the browser in. */
  code_hash?: string;
  /**
   * The hash of the home's key with which the browser signed in, at an endpoint for this machine. Such a browser is
   * recognised only at that endpoint.
   */
  key_hash?: string;
}

/** Keeps one person's browsers, in the home's files or in a store that replicas share. */
export interface BrowserStore {
  get(id: string): Promise<BrowserRecord | undefined>;
  list(): Promise<BrowserRecord[]>;
  /** Writes a record, which may be forgotten after `keptMs`. */
  put(record: BrowserRecord, keptMs: number): Promise<void>;
  /** Notes that the browser is used. A browser that was revoked meanwhile stays revoked. */
  touch(record: BrowserRecord, usedAt: number, keptMs: number): Promise<void>;
  remove(id: string): Promise<void>;
}

export interface BrowserCookie {
  name: string;
  value: string;
  maxAgeS: number;
  /** The names of cookies that belong to revoked browsers and are to be removed. */
  replaces?: readonly string[];
}

export type Cookies = Readonly<Record<string, string>>;

/**
 * The beginning of a cookie's name. The name ends with the browser's id, so that homes and users on one host keep their
 * cookies apart.
 */
const COOKIE = "towow_browser_";
/** A browser that was not used for this long has to be let in again. */
const KEPT_MS = 180 * 24 * 3_600_000;
/** A new browser waits this long for its person, and only a few may wait at once. */
const WAITING_MS = 10 * 60_000;
const MAX_WAITING = 5;
/** A person has fewer homes and users than this on one host. */
const MAX_COOKIES = 20;
/** The use of a browser is written down this often. */
const USED_EVERY_MS = 24 * 3_600_000;

/**
 * Manages the browsers in which one person decides (contract §6). The person lets a browser in by typing the code on
 * its page into the terminal, or by signing in with their token. From then on the cookie identifies the browser, until
 * the person revokes it or has not used it for 180 days.
 * @throws HomeUnwritable or StoreUnreachable from its methods
 */
export class KnownBrowsers {
  readonly #platform: Platform;
  readonly #store: BrowserStore;

  constructor(platform: Platform, store: BrowserStore) {
    this.#platform = platform;
    this.#store = store;
  }

  /**
   * Finds the browser that sends these cookies, if it was let in. Returns its name, when it was let in (in milliseconds
   * since the epoch), and its cookie with a renewed lifetime. `keyHash` is the hash of the home's key with which the
   * browser must have signed in. Without `keyHash`, a browser that signed in with such a key is not found.
   */
  async recognise(
    cookies: Cookies,
    keyHash?: string,
  ): Promise<{ name: string; at: number; cookie: BrowserCookie } | undefined> {
    const { clock } = this.#platform;
    const isWanted = ({ code_hash, key_hash }: BrowserRecord) => code_hash === undefined && key_hash === keyHash;
    const found = await this.#recordOf(cookies, isWanted);
    if (found === undefined) return undefined;
    const { record, secret } = found;
    const now = clock.now();
    // If the use cannot be written down now, the next request writes it.
    if (now - record.used_at >= USED_EVERY_MS) await this.#store.touch(record, now, KEPT_MS).catch(ignoreTowowError);
    return { name: record.name, at: record.at, cookie: cookieOf(record.id, secret, KEPT_MS) };
  }

  /**
   * Registers a browser that nobody has let in. Returns the code that its page shows, and its cookie if it has none
   * yet. Returns undefined while too many others wait.
   */
  async issueCode(cookies: Cookies, userAgent: string): Promise<{ code: string; cookie?: BrowserCookie } | undefined> {
    const { clock } = this.#platform;
    const shown = await this.codeOf(cookies);
    if (shown !== undefined) return { code: shown };
    if ((await this.waiting()).length >= MAX_WAITING) return undefined;
    const { record, secret } = await this.#newRecord(userAgent);
    const code = this.#digitsOf(secret);
    const at = clock.now();
    await this.#store.put({ ...record, at, used_at: at, code_hash: sha256(code) }, WAITING_MS);
    return { code, cookie: cookieOf(record.id, secret, WAITING_MS) };
  }

  /** Returns the code of a browser that still waits, but never makes a new one as {@link issueCode} does. */
  async codeOf(cookies: Cookies): Promise<string | undefined> {
    const found = await this.#recordOf(cookies, (record) => record.code_hash !== undefined);
    return found && this.#digitsOf(found.secret);
  }

  /**
   * Lets in the waiting browser that shows this code, typed with or without spaces and hyphens, and returns the
   * browser's name.
   */
  async letIn(code: string): Promise<string | undefined> {
    const { clock } = this.#platform;
    const digits = code.replace(/[\s-]/g, "");
    const wanted = `${digits.slice(0, 3)}-${digits.slice(3)}`;
    const waiting = (await this.waiting()).find(({ code_hash }) => code_hash === sha256(wanted));
    if (waiting === undefined) return undefined;
    const { code_hash: _, ...known } = waiting;
    const at = clock.now();
    await this.#store.put({ ...known, at, used_at: at }, KEPT_MS);
    return known.name;
  }

  /**
   * Lets in a browser whose person has signed in, and revokes its earlier sign-ins. `keyHash` is the hash of the home's
   * key, if the person used that.
   */
  async signIn(userAgent: string, cookies: Cookies = {}, keyHash?: string): Promise<BrowserCookie> {
    const before = await this.#recordsOf(cookies);
    const { record, secret } = await this.#newRecord(userAgent, before);
    await this.#store.put({ ...record, ...(keyHash !== undefined && { key_hash: keyHash }) }, KEPT_MS);
    return { ...cookieOf(record.id, secret, KEPT_MS), replaces: await this.#remove(before) };
  }

  /** Revokes the browsers that these cookies identify, and returns the names of their cookies. */
  async leave(cookies: Cookies): Promise<string[]> {
    return this.#remove(await this.#recordsOf(cookies));
  }

  async #remove(records: readonly BrowserRecord[]): Promise<string[]> {
    for (const { id } of records) await this.#store.remove(id);
    return records.map(({ id }) => `${COOKIE}${id}`);
  }

  async #recordsOf(cookies: Cookies): Promise<BrowserRecord[]> {
    const found = await Promise.all(browserIds(cookies).map((id) => this.#store.get(id)));
    const isOwn = ({ id, secret_hash }: BrowserRecord) => secret_hash === sha256(cookies[`${COOKIE}${id}`] ?? "");
    return found.filter((record) => record !== undefined).filter(isOwn);
  }

  /** Lists the browsers that wait to be let in, newest first. */
  async waiting(): Promise<BrowserRecord[]> {
    return (await this.#current()).filter(({ code_hash }) => code_hash !== undefined);
  }

  /** Lists the browsers that may decide, newest first. */
  async list(): Promise<BrowserRecord[]> {
    return (await this.#current()).filter(({ code_hash }) => code_hash === undefined);
  }

  /**
   * Revokes one browser by its name, or all browsers, including those that wait. Returns the names of the revoked ones.
   */
  async forget(name: string | "all"): Promise<string[]> {
    const gone = (await this.#current()).filter((it) => name === "all" || (it.name === name && !it.code_hash));
    for (const { id } of gone) await this.#store.remove(id);
    return gone.filter(({ code_hash }) => code_hash === undefined).map((it) => it.name);
  }

  /**
   * Finds the wanted record among several cookies. The other cookies may belong to other homes and users, to browsers
   * that nobody has let in, or to earlier sign-ins. The last sign-in counts.
   */
  async #recordOf(
    cookies: Cookies,
    isWanted: (record: BrowserRecord) => boolean,
  ): Promise<{ record: BrowserRecord; secret: string } | undefined> {
    let found: { record: BrowserRecord; secret: string } | undefined;
    for (const id of browserIds(cookies)) {
      const secret = cookies[`${COOKIE}${id}`] ?? "";
      const record = await this.#store.get(id);
      if (record?.secret_hash !== sha256(secret) || this.#isOld(record)) continue;
      if (isWanted(record) && record.at >= (found?.record.at ?? 0)) found = { record, secret };
    }
    return found;
  }

  /**
   * Makes the record of a new browser, with a name that no other browser of this person has. `going` lists browsers
   * whose names are free again.
   */
  async #newRecord(
    userAgent: string,
    going: readonly BrowserRecord[] = [],
  ): Promise<{ record: BrowserRecord; secret: string }> {
    const { clock, newId } = this.#platform;
    const stays = (await this.#current()).filter(({ id }) => !going.some((one) => one.id === id));
    const taken = new Set(stays.map(({ name }) => name));
    const base = nameOf(userAgent);
    let name = base;
    for (let n = 2; taken.has(name); n++) name = `${base}-${n}`;
    const secret = newId() + newId();
    const at = clock.now();
    return { secret, record: { id: newId(), name, secret_hash: sha256(secret), at, used_at: at } };
  }

  /**
   * Lists all current records, newest first. Removes the records of browsers that waited too long and of browsers that
   * nobody uses.
   */
  async #current(): Promise<BrowserRecord[]> {
    const all = await this.#store.list();
    for (const { id } of all.filter((record) => this.#isOld(record))) await this.#store.remove(id);
    return all.filter((record) => !this.#isOld(record)).sort((a, b) => b.at - a.at);
  }

  #isOld({ at, used_at, code_hash }: BrowserRecord): boolean {
    const now = this.#platform.clock.now();
    return code_hash === undefined ? now - used_at >= KEPT_MS : now - at >= WAITING_MS;
  }

  /** Derives six digits from the browser's own secret, so that a reloaded page shows the same digits. */
  #digitsOf(secret: string): string {
    const digits = String(Number.parseInt(sha256(`code\n${secret}`).slice(0, 12), 16) % 1_000_000);
    const six = digits.padStart(6, "0");
    return `${six.slice(0, 3)}-${six.slice(3)}`;
  }
}

/**
 * Returns the ids of browsers to which these cookies may belong. An id is part of a cookie's name and of a file's name.
 * Each id costs a lookup, so only the last few cookies count. Browsers send the newest cookie last.
 */
export const browserIds = (cookies: Cookies): string[] =>
  Object.keys(cookies)
    .filter((name) => name.startsWith(COOKIE))
    .map((name) => name.slice(COOKIE.length))
    .filter((id) => /^[\w-]{8,64}$/.test(id))
    .slice(-MAX_COOKIES);

/** Returns the secret that the browser with this id sends, or undefined if it sends no such cookie. */
export const browserSecret = (cookies: Cookies, id: string): string | undefined => cookies[`${COOKIE}${id}`];

const cookieOf = (id: string, value: string, ms: number): BrowserCookie => ({
  name: `${COOKIE}${id}`,
  value,
  maxAgeS: Math.floor(ms / 1000),
});

const PROGRAMS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:A|iOS)?\//, "edge"],
  [/\bOPR\//, "opera"],
  [/\b(?:Firefox|FxiOS)\//, "firefox"],
  [/\b(?:Headless)?Chrom(?:e|ium)\/|\bCriOS\//, "chrome"],
  [/\bSafari\//, "safari"],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/Android/, "android"],
  [/iPhone|iPad/, "ios"],
  [/Windows/, "windows"],
  [/Mac OS X|Macintosh/, "mac"],
  [/CrOS/, "chromeos"],
  [/Linux/, "linux"],
];

/**
 * Returns the name by which a person recognises their browser. The name is made of our own words alone, because anybody
 * can send any user agent.
 */
function nameOf(userAgent: string): string {
  const wordFor = (list: typeof PROGRAMS) => list.find(([pattern]) => pattern.test(userAgent))?.[1];
  return [wordFor(PROGRAMS) ?? "browser", wordFor(SYSTEMS)].filter((word) => word !== undefined).join("-");
}
