import type { Clock } from "../clock.ts";
import { ignoreTowowError } from "../errors.ts";

/** A browser that was let in, or that asks to be: its secret stands in its cookie, and here as a hash alone. */
export interface BrowserRecord {
  id: string;
  name: string;
  secret_hash: string;
  /** Ms since the epoch: when it was let in, or first asked. */
  at: number;
  used_at: number;
  /** Of the code that its page shows, while its person has not let it in. */
  code_hash?: string;
  /** Of the home's key with which it was signed in at an endpoint for this machine: it is known there, and nowhere else. */
  key_hash?: string;
}

/** Where one person's browsers are kept: the home's files, or a store that replicas share. */
export interface BrowserStore {
  get(id: string): Promise<BrowserRecord | undefined>;
  list(): Promise<BrowserRecord[]>;
  /** `keptMs`: after which it may be forgotten. */
  put(record: BrowserRecord, keptMs: number): Promise<void>;
  /** Notes that it is used; one that was revoked meanwhile stays revoked. */
  touch(record: BrowserRecord, usedAt: number, keptMs: number): Promise<void>;
  remove(id: string): Promise<void>;
}

export interface BrowserCookie {
  name: string;
  value: string;
  maxAgeS: number;
  /** Names of cookies whose browsers were revoked: they go. */
  replaces?: readonly string[];
}

export interface KnownBrowsersDeps {
  store: BrowserStore;
  clock: Clock;
  /** Fresh unguessable text of at least 120 bits. */
  newId: () => string;
  /** SHA-256, hex. */
  hash: (text: string) => string;
}

export type Cookies = Readonly<Record<string, string>>;

/** The whole name ends with the browser's id, so that homes and users on one host keep theirs apart. */
const COOKIE = "towow_browser_";
/** A browser that is not used for so long has to be let in again. */
const KEPT_MS = 180 * 24 * 3_600_000;
/** How long a first visit waits for its person, and how many of them wait at once. */
const VISIT_MS = 10 * 60_000;
const MAX_VISITS = 5;
/** More than a person's homes and users on one host. */
const MAX_COOKIES = 20;
/** How often it is written down that a browser was used. */
const USED_EVERY_MS = 24 * 3_600_000;

/**
 * The browsers in which one person decides (contract §6). One is let in by a code that its own page shows and its person
 * types in the terminal, or by signing in with the person's token; from then on its cookie alone says so, until it is
 * revoked. Methods throw HomeUnwritable or StoreUnreachable.
 */
export class KnownBrowsers {
  readonly #deps: KnownBrowsersDeps;

  constructor(deps: KnownBrowsersDeps) {
    this.#deps = deps;
  }

  /**
   * The browser that sends these cookies, if it was let in, and when that was (ms since the epoch); with its cookie, whose
   * time begins anew. `keyHash`: of the home's key with which it must have been signed in.
   */
  async recognise(
    cookies: Cookies,
    keyHash?: string,
  ): Promise<{ name: string; at: number; cookie: BrowserCookie } | undefined> {
    const { store, clock } = this.#deps;
    const isWanted = ({ code_hash, key_hash }: BrowserRecord) => code_hash === undefined && key_hash === keyHash;
    const found = await this.#recordOf(cookies, isWanted);
    if (found === undefined) return undefined;
    const { record, secret } = found;
    const now = clock.now();
    // What cannot be written down now is with the next visit.
    if (now - record.used_at >= USED_EVERY_MS) await store.touch(record, now, KEPT_MS).catch(ignoreTowowError);
    return { name: record.name, at: record.at, cookie: cookieOf(record.id, secret, KEPT_MS) };
  }

  /**
   * A browser that nobody has let in: the code that its page shows, and its cookie where it has none yet. Undefined
   * while too many others wait.
   */
  async visit(cookies: Cookies, userAgent: string): Promise<{ code: string; cookie?: BrowserCookie } | undefined> {
    const { store, clock } = this.#deps;
    const shown = await this.codeOf(cookies);
    if (shown !== undefined) return { code: shown };
    if ((await this.visits()).length >= MAX_VISITS) return undefined;
    const { record, secret } = await this.#newRecord(userAgent);
    const code = this.#digitsOf(secret);
    const at = clock.now();
    await store.put({ ...record, at, used_at: at, code_hash: this.#deps.hash(code) }, VISIT_MS);
    return { code, cookie: cookieOf(record.id, secret, VISIT_MS) };
  }

  /** The code of a visit that still waits; a new one is made by {@link visit} alone. */
  async codeOf(cookies: Cookies): Promise<string | undefined> {
    const found = await this.#recordOf(cookies, (record) => record.code_hash !== undefined);
    return found && this.#digitsOf(found.secret);
  }

  /** Lets in the waiting browser that shows this code, however it is typed, and gives its name. */
  async letIn(code: string): Promise<string | undefined> {
    const { store, clock, hash } = this.#deps;
    const digits = code.replace(/[\s-]/g, "");
    const shown = `${digits.slice(0, 3)}-${digits.slice(3)}`;
    const visit = (await this.visits()).find(({ code_hash }) => code_hash === hash(shown));
    if (visit === undefined) return undefined;
    const { code_hash: _, ...known } = visit;
    const at = clock.now();
    await store.put({ ...known, at, used_at: at }, KEPT_MS);
    return known.name;
  }

  /**
   * A browser whose person has signed in. What its cookies know from earlier times that they did so goes. `keyHash`: of the
   * home's key, where it was that.
   */
  async signIn(userAgent: string, cookies: Cookies = {}, keyHash?: string): Promise<BrowserCookie> {
    const before = await this.#recordsOf(cookies);
    const { record, secret } = await this.#newRecord(userAgent, before);
    await this.#deps.store.put({ ...record, ...(keyHash !== undefined && { key_hash: keyHash }) }, KEPT_MS);
    return { ...cookieOf(record.id, secret, KEPT_MS), replaces: await this.#remove(before) };
  }

  /** Revokes what these cookies are known by; gives their names. */
  async leave(cookies: Cookies): Promise<string[]> {
    return this.#remove(await this.#recordsOf(cookies));
  }

  async #remove(records: readonly BrowserRecord[]): Promise<string[]> {
    for (const { id } of records) await this.#deps.store.remove(id);
    return records.map(({ id }) => `${COOKIE}${id}`);
  }

  async #recordsOf(cookies: Cookies): Promise<BrowserRecord[]> {
    const found = await Promise.all(browserIds(cookies).map((id) => this.#deps.store.get(id)));
    const isOwn = ({ id, secret_hash }: BrowserRecord) =>
      secret_hash === this.#deps.hash(cookies[`${COOKIE}${id}`] ?? "");
    return found.filter((record) => record !== undefined).filter(isOwn);
  }

  /** Those that wait to be let in, the newest first. */
  async visits(): Promise<BrowserRecord[]> {
    return (await this.#current()).filter(({ code_hash }) => code_hash !== undefined);
  }

  /** Those that may decide, the newest first. */
  async list(): Promise<BrowserRecord[]> {
    return (await this.#current()).filter(({ code_hash }) => code_hash === undefined);
  }

  /** Revokes one by its name, or all of them, those that wait included. Gives the names of what was revoked. */
  async forget(name: string | "all"): Promise<string[]> {
    const gone = (await this.#current()).filter((it) => name === "all" || (it.name === name && !it.code_hash));
    for (const { id } of gone) await this.#deps.store.remove(id);
    return gone.filter(({ code_hash }) => code_hash === undefined).map((it) => it.name);
  }

  /**
   * A browser may hold several cookies: of other homes and users, of visits that nobody has let in, and of earlier times
   * that its person signed in, of which the last counts.
   */
  async #recordOf(
    cookies: Cookies,
    isWanted: (record: BrowserRecord) => boolean,
  ): Promise<{ record: BrowserRecord; secret: string } | undefined> {
    let found: { record: BrowserRecord; secret: string } | undefined;
    for (const id of browserIds(cookies)) {
      const secret = cookies[`${COOKIE}${id}`] ?? "";
      const record = await this.#deps.store.get(id);
      if (record?.secret_hash !== this.#deps.hash(secret) || this.#isOld(record)) continue;
      if (isWanted(record) && record.at >= (found?.record.at ?? 0)) found = { record, secret };
    }
    return found;
  }

  /** `going`: those whose names are free. */
  async #newRecord(
    userAgent: string,
    going: readonly BrowserRecord[] = [],
  ): Promise<{ record: BrowserRecord; secret: string }> {
    const { clock, newId, hash } = this.#deps;
    const stays = (await this.#current()).filter(({ id }) => !going.some((one) => one.id === id));
    const taken = new Set(stays.map(({ name }) => name));
    const base = nameOf(userAgent);
    let name = base;
    for (let n = 2; taken.has(name); n++) name = `${base}-${n}`;
    const secret = newId() + newId();
    const at = clock.now();
    return { secret, record: { id: newId(), name, secret_hash: hash(secret), at, used_at: at } };
  }

  /** What is left of old visits and of browsers that nobody uses goes on the way. */
  async #current(): Promise<BrowserRecord[]> {
    const all = await this.#deps.store.list();
    for (const { id } of all.filter((record) => this.#isOld(record))) await this.#deps.store.remove(id);
    return all.filter((record) => !this.#isOld(record)).sort((a, b) => b.at - a.at);
  }

  #isOld({ at, used_at, code_hash }: BrowserRecord): boolean {
    const now = this.#deps.clock.now();
    return code_hash === undefined ? now - used_at >= KEPT_MS : now - at >= VISIT_MS;
  }

  /** Six digits that only the browser's own secret gives, so that a page that is loaded again shows the same. */
  #digitsOf(secret: string): string {
    const digits = String(Number.parseInt(this.#deps.hash(`code\n${secret}`).slice(0, 12), 16) % 1_000_000);
    const six = digits.padStart(6, "0");
    return `${six.slice(0, 3)}-${six.slice(3)}`;
  }
}

/**
 * The browsers that these cookies may be of. An id stands in a cookie's name and in a file's. Each is looked up, so of very
 * many only the last ones count: browsers send the newest last.
 */
export const browserIds = (cookies: Cookies): string[] =>
  Object.keys(cookies)
    .filter((name) => name.startsWith(COOKIE))
    .map((name) => name.slice(COOKIE.length))
    .filter((id) => /^[\w-]{8,64}$/.test(id))
    .slice(-MAX_COOKIES);

/** What the browser of that id sends; no cookie of that name, no secret. */
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

/** What a person recognises their browser by; made of words of ours alone. */
function nameOf(userAgent: string): string {
  const wordFor = (list: typeof PROGRAMS) => list.find(([pattern]) => pattern.test(userAgent))?.[1];
  return [wordFor(PROGRAMS) ?? "browser", wordFor(SYSTEMS)].filter((word) => word !== undefined).join("-");
}
