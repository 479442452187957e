import type { BrowserProof } from "../../negotiation/display.ts";

/**
 * By which of its addresses somebody came to a page: the one that this program opens itself (`window`), the one that a
 * client is asked to open (`client`), or the one that stood in a result, where a model reads it (`result`).
 */
export type Came = "window" | "client" | "result";

/** The browser in which a page was opened first, by the cookie that it was given then. */
export interface Opened {
  cookie: string;
  proof: BrowserProof;
}

export interface Visitor {
  came: Came;
  /** Whether a window of the person's own has been opened for this page: then nobody comes to it by another way. */
  hasWindow: boolean;
  /** Whether this request would open the page, rather than answer it. */
  opens: boolean;
  /** What it sends as this page's cookie. */
  cookie: string | undefined;
  /** Whether the person has let this browser in before. */
  isKnown: boolean;
  /** At an endpoint, where an address shows nothing: whoever has it signs in. */
  mustSignIn: boolean;
  /** Somebody else has signed in with this browser. */
  isAnother: boolean;
}

export type Admission =
  | { kind: "admitted"; proof: BrowserProof; isFirst: boolean }
  /** Somebody else has opened it. */
  | { kind: "elsewhere" }
  /** Who has signed in here is not the one whose page it is. */
  | { kind: "others" }
  /** Nothing shows that this is the person. */
  | { kind: "unproven" };

/**
 * Who may see a page and decide on it (contract §6): the one browser that proved to be its person's, and those that the
 * person has let in before. Pure; every request is judged anew, so that a revoked browser or a stricter policy counts at
 * once.
 */
export function admit(visitor: Visitor, opened: Opened | undefined, isStrict: boolean): Admission {
  if (visitor.isKnown) return { kind: "admitted", proof: "known", isFirst: false };
  if (visitor.mustSignIn) return { kind: visitor.isAnother ? "others" : "unproven" };
  if (opened !== undefined && visitor.cookie !== opened.cookie) return { kind: "elsewhere" };
  const proof = opened?.proof ?? (visitor.opens ? firstProof(visitor) : undefined);
  // A client's hook can read the address that the client is given.
  if (proof === undefined || (proof === "elicited" && isStrict)) return { kind: "unproven" };
  return { kind: "admitted", proof, isFirst: opened === undefined };
}

function firstProof({ came, hasWindow }: Visitor): BrowserProof | undefined {
  if (came === "window") return "own_window";
  return came === "client" && !hasWindow ? "elicited" : undefined;
}
