import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import * as z from "zod";
import type { Clock } from "../../../clock.ts";
import type { Store } from "../../../store/store.ts";
import type { Client } from "./clients.ts";
import { isSame, nameOfSecret, type Seals } from "./sealing.ts";

interface TicketsDeps {
  seals: Seals;
  clock: Clock;
  store: Store;
  /** True if people come by https, so that cookies need it too. */
  isSecure: boolean;
  /** The path below which the cookies count. */
  path: string;
}

/** How long a person has to answer the page, in ms. */
const TICKET_MS = 10 * 60_000;
const TICKET = "ticket";
const COOKIE = "towow_consent";
/**
 * The prefix of the cookies that note a no. A browser may send a hundred of them, so their names hold only the
 * beginning of an id.
 */
const DENIED_COOKIE = "towow_denied_";
const DENIED_CHARS = 12;
/** The form of a challenge and of our secrets, which are both 32 bytes in base64url. */
export const OF_32_BYTES = /^[\w-]{43}$/;

const ticketShape = z.object({
  id: z.string(),
  client: z.object({
    id: z.string(),
    name: z.string(),
    redirects: z.array(z.string()),
    saidBy: z.string().optional(),
  }),
  redirect: z.string(),
  challenge: z.string(),
  state: z.string().optional(),
  /**
   * The hash of the browser's cookie. The cookie itself is not in the ticket, because the page's address may be seen by
   * others.
   */
  browser: z.string(),
  until: z.number(),
});
export type Ticket = z.infer<typeof ticketShape>;

/** The request of a program that leads its person to the consent page. */
export interface TicketRequest {
  client: Client;
  redirect: string;
  challenge: string;
  state: string | undefined;
}

/**
 * Issues and checks the tickets that stand for programs' requests. A ticket is signed and stands in the address of the
 * consent page, so nothing is kept until a person has said yes. Only the browser that brought the request may answer
 * it, and only once.
 * @throws StoreUnreachable from every method that returns a promise
 */
export class Tickets {
  readonly #deps: TicketsDeps;

  constructor(deps: TicketsDeps) {
    this.#deps = deps;
  }

  /** Returns the signed ticket of a request, and marks the browser that brought it with a cookie. */
  issue(c: Context, { client, ...asked }: TicketRequest): string {
    const { seals, clock } = this.#deps;
    const kept = getCookie(c, COOKIE) ?? "";
    const cookie = OF_32_BYTES.test(kept) ? kept : seals.newSecret();
    this.#setCookie(c, COOKIE, cookie);
    const ticket: Ticket = {
      id: seals.newSecret(),
      client: { ...client, redirects: [] }, // The client's other addresses could make the ticket too long.
      ...asked,
      browser: nameOfSecret(cookie),
      until: clock.now() + TICKET_MS,
    };
    return seals.sign(TICKET, ticket);
  }

  /** Returns the ticket of a request, or undefined if it is answered or expired, or if another browser brought it. */
  async of(c: Context): Promise<Ticket | undefined> {
    const { seals, clock, store } = this.#deps;
    const ticket = ticketShape.safeParse(seals.signed(TICKET, c.req.param("ticket") ?? "")).data;
    if (ticket === undefined || clock.now() >= ticket.until) return undefined;
    if (!isSame(nameOfSecret(getCookie(c, COOKIE) ?? ""), ticket.browser)) return undefined;
    if (getCookie(c, deniedCookie(ticket)) !== undefined) return undefined;
    return (await store.get(answered(ticket), z.literal(true))) === undefined ? ticket : undefined;
  }

  /** Notes a no in a cookie of the browser and not in the store, which strangers could otherwise fill with refusals. */
  deny(c: Context, ticket: Ticket): void {
    this.#setCookie(c, deniedCookie(ticket), "1");
  }

  /** Notes a yes. Returns false if a yes was noted already, because only the first counts. */
  accept(ticket: Ticket): Promise<boolean> {
    return this.#note(answered(ticket));
  }

  /** Notes that a new person is made for this request. Returns false if that has happened already. */
  beginJoin(ticket: Ticket): Promise<boolean> {
    return this.#note(joined(ticket));
  }

  /** Removes the note of {@link beginJoin} when no person could be made, so that the same request may try again. */
  async undoJoin(ticket: Ticket): Promise<void> {
    await this.#deps.store.delete(joined(ticket));
  }

  async #note(name: string): Promise<boolean> {
    return (await this.#deps.store.create(name, true, TICKET_MS, z.literal(true))).created;
  }

  /**
   * Sets a cookie below the path of the consent page. The browser sends it even if another site led here, so a second
   * request finds the cookie of the first, and both can be answered.
   */
  #setCookie(c: Context, name: string, value: string): void {
    const { isSecure, path } = this.#deps;
    setCookie(c, name, value, { httpOnly: true, secure: isSecure, sameSite: "Lax", path, maxAge: TICKET_MS / 1000 });
  }
}

const answered = ({ id }: Ticket): string => `consent:${id}`;
const joined = ({ id }: Ticket): string => `joined:${id}`;
const deniedCookie = ({ id }: Ticket): string => `${DENIED_COOKIE}${id.slice(0, DENIED_CHARS)}`;
