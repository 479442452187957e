import { LRUCache } from "lru-cache";
import * as z from "zod";
import type { Clock } from "../../../clock.ts";
import { jsonIn } from "../../../json.ts";
import { quotable } from "../../../safety/quotable.ts";
import { type Store, scoped } from "../../../store/store.ts";
import { HttpError } from "../http-error.ts";
import { Rate } from "../rate.ts";
import { isRedirect, isSameRedirect } from "./redirects.ts";
import type { Seals } from "./sealing.ts";

/** A program that asks to act for somebody. Nobody has checked what it calls itself. */
export interface Client {
  id: string;
  name: string;
  redirects: readonly string[];
  /** A client that is known by a document has the host which served it; a registration has none. */
  saidBy?: string | undefined;
}

/** A client's document as it was fetched, with the milliseconds for which its server lets it be kept. */
interface FetchedDocument {
  text: string;
  maxAgeMs?: number | undefined;
}
/** Throws whatever kept the document from being fetched. */
export type FetchDocument = (url: URL) => Promise<FetchedDocument>;

/** RFC 7591 has these words for a registration that is not taken. */
export type RegistrationProblem = "invalid_redirect_uri" | "invalid_client_metadata";

interface ClientsDeps {
  seals: Seals;
  clock: Clock;
  store: Store;
  /** It is absent where the operator lets no documents be fetched. */
  fetchDocument?: FetchDocument | undefined;
}

const REGISTERED = "c.";
const ABOUT = "client";
const MAX_REDIRECTS = 10;
const MAX_NAME = 80;
/** An id stands in an address, which proxies cut off at eight kilobytes or so. */
const MAX_ID = 3_000;
/** The whole endpoint fetches no more than this. A document that is kept already does not count. */
const FETCHES_PER_10_S = 10;
const KEPT_MS = { least: 5 * 60_000, most: 24 * 3_600_000 };
const MAX_KEPT = 1_000;

const registration = z.looseObject({
  redirect_uris: z.array(z.unknown()),
  client_name: z.string().optional().catch(undefined),
  token_endpoint_auth_method: z.string().optional().catch(undefined),
});
const registered = z.object({ n: z.string(), r: z.array(z.string()), t: z.number() });
const document = registration.extend({ client_id: z.string() });

/** A program is known by an id that this endpoint has signed, or by a document at the program's own address. */
export class Clients {
  readonly #deps: ClientsDeps;
  readonly #rate: Rate;
  readonly #documents = new LRUCache<string, { client: Client; until: number }>({ max: MAX_KEPT });

  constructor(deps: ClientsDeps) {
    this.#deps = deps;
    this.#rate = new Rate(FETCHES_PER_10_S, deps.clock);
  }

  get fetchesDocuments(): boolean {
    return this.#deps.fetchDocument !== undefined;
  }

  /** What a program says of itself becomes its id: nothing is kept, and every replica reads it. */
  register(body: unknown): (Client & { issuedAtS: number }) | RegistrationProblem {
    const { success, data } = registration.safeParse(body);
    if (!success) return "invalid_client_metadata";
    const { redirect_uris: redirects, client_name: called } = data;
    if (redirects.length === 0 || redirects.length > MAX_REDIRECTS || !redirects.every(isRedirect))
      return "invalid_redirect_uri";
    const name = nameOf(called);
    const issuedAtS = Math.floor(this.#deps.clock.now() / 1000);
    const id = REGISTERED + this.#deps.seals.sign(ABOUT, { n: name, r: redirects, t: issuedAtS });
    return id.length > MAX_ID ? "invalid_client_metadata" : { id, name, redirects, issuedAtS };
  }

  /** @throws HttpError `rate_limited`, where too many documents are fetched */
  async find(id: string): Promise<Client | undefined> {
    if (id.length > MAX_ID) return undefined;
    if (!id.startsWith(REGISTERED)) return this.#fromDocument(id);
    const read = registered.safeParse(this.#deps.seals.signed(ABOUT, id.slice(REGISTERED.length))).data;
    return read && { id, name: read.n, redirects: read.r };
  }

  async #fromDocument(id: string): Promise<Client | undefined> {
    const { fetchDocument, clock, store } = this.#deps;
    const url = documentUrl(id);
    if (fetchDocument === undefined || url === undefined) return undefined;
    const known = this.#documents.get(id);
    if (known !== undefined && clock.monotonic() < known.until) return known.client;
    await this.#rate.count(scoped(store, "client-documents:"), Number.POSITIVE_INFINITY);
    const fetched = await fetchDocument(url).catch(() => undefined);
    const client = fetched && readDocument(id, url, fetched.text);
    if (client === undefined) return undefined;
    const keptMs = Math.min(Math.max(fetched?.maxAgeMs ?? 0, KEPT_MS.least), KEPT_MS.most);
    this.#documents.set(id, { client, until: clock.monotonic() + keptMs });
    return client;
  }
}

/** A program is led back only to an address that it has named itself. */
export const takesRedirect = ({ redirects }: Client, asked: string): boolean =>
  isRedirect(asked) && redirects.some((one) => isSameRedirect(one, asked));

/** An address counts only if a parser would write it just so: two spellings of one document would be two programs. */
function documentUrl(id: string): URL | undefined {
  const url = URL.parse(id);
  if (url === null || url.protocol !== "https:" || url.href !== id || url.pathname === "/") return undefined;
  const isPlain = url.hash === "" && url.username === "" && url.password === "" && !/^[\d.]+$|:/.test(url.hostname);
  return isPlain && url.hostname.includes(".") ? url : undefined;
}

function readDocument(id: string, url: URL, text: string): Client | undefined {
  const { data } = document.safeParse(jsonIn(text));
  if (data === undefined || data.client_id !== id) return undefined;
  // A client with a secret cannot be one of many programs, and we keep no secret of anybody's.
  if ((data.token_endpoint_auth_method ?? "none") !== "none") return undefined;
  const redirects = data.redirect_uris.filter(isRedirect);
  if (redirects.length === 0 || data.redirect_uris.length > MAX_REDIRECTS) return undefined;
  return { id, name: nameOf(data.client_name), redirects, saidBy: url.host };
}

/** The name stands in a sentence of ours, so that it may break no line and hide nothing. */
function nameOf(called: string | undefined): string {
  return [...quotable(called ?? "")].slice(0, MAX_NAME).join("").trim();
}

export const isRateLimited = (error: unknown): error is HttpError =>
  error instanceof HttpError && error.code === "rate_limited";
