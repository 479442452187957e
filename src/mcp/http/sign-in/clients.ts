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

/** A program that asks to act for a person. Nobody has checked what it calls itself. */
export interface Client {
  id: string;
  name: string;
  redirects: readonly string[];
  /** The host that served the client's document. Absent for a registered client. */
  saidBy?: string | undefined;
}

/** A client's document as it was fetched, with the milliseconds for which its server lets it be kept. */
interface FetchedDocument {
  text: string;
  maxAgeMs?: number | undefined;
}
/** Fetches a document. @throws whatever kept the document from being fetched */
export type FetchDocument = (url: URL) => Promise<FetchedDocument>;

/** The words of RFC 7591 for a refused registration. */
export type RegistrationProblem = "invalid_redirect_uri" | "invalid_client_metadata";

interface ClientsDeps {
  seals: Seals;
  clock: Clock;
  store: Store;
  /** Absent if the operator does not allow documents to be fetched. */
  fetchDocument?: FetchDocument | undefined;
}

const REGISTERED = "c.";
const ABOUT = "client";
const MAX_REDIRECTS = 10;
const MAX_NAME = 80;
/** The longest id, in UTF-16 units. It is part of an address, which proxies cut off at about eight kilobytes. */
const MAX_ID = 3_000;
/** The most documents that the whole endpoint fetches in ten seconds. A document that is kept already does not count. */
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

/**
 * Registers and finds the programs that may ask. A program is known by an id that this endpoint has signed, or by a
 * document at its own address.
 */
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

  /** Registers a program. What it says of itself becomes its id, so nothing is kept and every replica can read it. */
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

  /**
   * Finds a client by its id. Undefined if the id was not issued here and no good document is at its address.
   * @throws HttpError `rate_limited` if too many documents are fetched
   */
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

/** Returns whether a program may be led back to an address, which it must have named itself. */
export const takesRedirect = ({ redirects }: Client, asked: string): boolean =>
  isRedirect(asked) && redirects.some((one) => isSameRedirect(one, asked));

/**
 * Parses the address of a document. Only the spelling that a URL parser writes is accepted, because two spellings of
 * one address would be two programs.
 */
function documentUrl(id: string): URL | undefined {
  const url = URL.parse(id);
  if (url === null || url.protocol !== "https:" || url.href !== id || url.pathname === "/") return undefined;
  const isPlain = url.hash === "" && url.username === "" && url.password === "" && !/^[\d.]+$|:/.test(url.hostname);
  return isPlain && url.hostname.includes(".") ? url : undefined;
}

function readDocument(id: string, url: URL, text: string): Client | undefined {
  const { data } = document.safeParse(jsonIn(text));
  if (data === undefined || data.client_id !== id) return undefined;
  // The endpoint keeps no secrets of clients, so a client that would send one cannot sign in.
  if ((data.token_endpoint_auth_method ?? "none") !== "none") return undefined;
  const redirects = data.redirect_uris.filter(isRedirect);
  if (redirects.length === 0 || data.redirect_uris.length > MAX_REDIRECTS) return undefined;
  return { id, name: nameOf(data.client_name), redirects, saidBy: url.host };
}

/** Cleans a program's name, which becomes part of a sentence of ours, so that it breaks no line and hides nothing. */
function nameOf(called: string | undefined): string {
  return [...quotable(called ?? "")].slice(0, MAX_NAME).join("").trim();
}

export const isRateLimited = (error: unknown): error is HttpError =>
  error instanceof HttpError && error.code === "rate_limited";
