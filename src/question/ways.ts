/**
 * Which ways a person has, now, to read a text and to decide on it: by who shows it × where their browser is × how long
 * this program lives. Results, refusals, background tasks and the tables of `docs/clients.md` go by this table alone; that
 * a word counts which comes by such a way, `who.ts` says.
 */

/** Where the person's browser is: here, nowhere (SSH, a container), or wherever they are, for an endpoint. */
export const BROWSERS = ["here", "none", "elsewhere"] as const;
export type PersonsBrowser = (typeof BROWSERS)[number];

/** How long this program lives: while its client wants it, for one call of it, or as a command that ends. */
const LIFETIMES = ["session", "call", "command"] as const;
export type Lifetime = (typeof LIFETIMES)[number];

/**
 * Who puts the text before the person: the client on a surface of its own, its AI in the chat, or neither; `cut`: the client
 * has forms alone, and none shows all of it.
 */
const SHOWN_BY = ["client", "chat", "cut", "nobody"] as const;
export type ShownBy = (typeof SHOWN_BY)[number];

interface Row {
  shownBy: readonly ShownBy[];
  browsers: readonly PersonsBrowser[];
  lifetimes: readonly Lifetime[];
}

const WAYS = {
  /** The client asks, as soon as it is called again. */
  client: { shownBy: ["client"], browsers: BROWSERS, lifetimes: ["session", "call"] },
  /** The AI shows the text, asks, and passes the person's word on in the next call. */
  chat: { shownBy: ["chat"], browsers: BROWSERS, lifetimes: ["session", "call"] },
  /** A page of this program, which ends with it. */
  page: { shownBy: ["chat", "nobody"], browsers: ["here", "elsewhere"], lifetimes: ["session"] },
  /** The same, where no browser of this machine opens it: its address is given in the chat, for the other end of a tunnel. */
  tunnel: { shownBy: ["chat"], browsers: ["none"], lifetimes: ["session"] },
  /** `towow-mcp confirm` in a terminal of this machine; an endpoint's person has their room instead, or a program of their own. */
  terminal: { shownBy: SHOWN_BY, browsers: BROWSERS, lifetimes: LIFETIMES },
} as const satisfies Record<string, Row>;

export type WayToDecide = keyof typeof WAYS;
const NAMES = Object.keys(WAYS) as WayToDecide[];

export interface Place {
  shownBy: ShownBy;
  browser: PersonsBrowser;
  lifetime: Lifetime;
}

/** The ways that work there, the nearest to the person first. */
export const waysAt = ({ shownBy, browser, lifetime }: Place): WayToDecide[] =>
  NAMES.filter((name) => {
    const row: Row = WAYS[name];
    return row.shownBy.includes(shownBy) && row.browsers.includes(browser) && row.lifetimes.includes(lifetime);
  });
