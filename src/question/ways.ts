/**
 * Decides which ways a person has, right now, to read a text and decide on it, by who shows it, where their browser is,
 * and how long this program lives. Results, refusals, background tasks and the tables of `docs/clients.md` all use this
 * table. The rules in `who.ts` decide whether an answer that comes by such a way counts.
 */

/**
 * Where the person's browser is. `here`: on this machine. `none`: nowhere, as over SSH or in a container. `elsewhere`:
 * on another machine, as for an endpoint.
 */
export const BROWSERS = ["here", "none", "elsewhere"] as const;
export type PersonsBrowser = (typeof BROWSERS)[number];

/**
 * How long this program lives. `session`: for as long as its client wants. `call`: for one call of a client. `command`:
 * for one command in a terminal.
 */
const LIFETIMES = ["session", "call", "command"] as const;
export type Lifetime = (typeof LIFETIMES)[number];

/**
 * Who puts the text before the person. `client`: the client, on a surface of its own. `chat`: the client's AI, in the
 * chat. `cut`: the client in a form that does not show the whole text, because none of its forms does. `nobody`:
 * neither the client nor its AI.
 */
const SHOWN_BY = ["client", "chat", "cut", "nobody"] as const;
export type ShownBy = (typeof SHOWN_BY)[number];

interface Row {
  shownBy: readonly ShownBy[];
  browsers: readonly PersonsBrowser[];
  lifetimes: readonly Lifetime[];
}

const WAYS = {
  /** The client asks as soon as this program is called again. */
  client: { shownBy: ["client"], browsers: BROWSERS, lifetimes: ["session", "call"] },
  /** The AI shows the text, asks, and passes the person's word on in the next call. */
  chat: { shownBy: ["chat"], browsers: BROWSERS, lifetimes: ["session", "call"] },
  /** The person decides on a page of this program, which ends with the program. */
  page: { shownBy: ["chat", "nobody"], browsers: ["here", "elsewhere"], lifetimes: ["session"] },
  /**
   * The person opens the same page through a tunnel, because no browser of this machine can open it. The chat gives the
   * page's address.
   */
  tunnel: { shownBy: ["chat"], browsers: ["none"], lifetimes: ["session"] },
  /**
   * The person uses `towow-mcp confirm` in a terminal of this machine. The person of an endpoint uses their room or
   * their own program instead.
   */
  terminal: { shownBy: SHOWN_BY, browsers: BROWSERS, lifetimes: LIFETIMES },
} as const satisfies Record<string, Row>;

export type WayToDecide = keyof typeof WAYS;
const NAMES = Object.keys(WAYS) as WayToDecide[];

export interface Situation {
  shownBy: ShownBy;
  browser: PersonsBrowser;
  lifetime: Lifetime;
}

/** Returns the ways that work in this situation, the nearest to the person first. */
export const waysAt = ({ shownBy, browser, lifetime }: Situation): WayToDecide[] =>
  NAMES.filter((name) => {
    const row: Row = WAYS[name];
    return row.shownBy.includes(shownBy) && row.browsers.includes(browser) && row.lifetimes.includes(lifetime);
  });
