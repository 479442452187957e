import type { BrowserProof } from "../../negotiation/display.ts";
import type { BrowserCookie, Cookies, KnownBrowsers } from "../../session/known-browsers.ts";
import type { Texts } from "../../text/index.ts";
import type { PageRequest, SendRequest } from "../questions.ts";
import type { Opened } from "./admission.ts";

/** Whose page it is, and how they show that it is them. */
export interface PageOwner {
  /** Distinct from the owners of other pages on the same site. */
  id: string;
  isStrict: () => boolean;
  browsers: KnownBrowsers;
  /** Where they sign in on the page, having no terminal here. */
  signIn?: PageSignIn;
}

export interface PageSignIn {
  /** Whether this is the owner's token. */
  isToken(token: string): boolean;
  /**
   * Lets a browser in as the owner's; others who have signed in with it before are signed out there. Undefined where the
   * backend refuses the token by now.
   */
  enter(userAgent: string, cookies: Cookies): Promise<BrowserCookie | undefined>;
}

interface BasePage {
  texts: Texts;
  owner: PageOwner;
  opened?: Opened;
  /** How often a window was opened by way of an address that others may see. */
  windows?: number;
  /** The window that is being opened: whether it could be. */
  opening?: Promise<boolean> | undefined;
  /** How often somebody has signed in with a wrong token. */
  wrongTokens?: number;
}

/** A page that asks whether something may be sent at all: yes or no. */
export interface SendPage extends BasePage {
  kind: "send";
  request: SendRequest;
  isOpen(): Promise<boolean>;
  decide(verdict: "accept" | "reject"): Promise<void>;
}

/** Who is on a page now, and where it stands. */
export interface RoomVisit {
  /** The page's own path, without a slash at its end. */
  base: string;
  /** Why this browser's word is its person's. */
  browser: BrowserProof;
  /** Whether this browser may still be here: a stream is long, and a browser can be revoked. */
  mayStay: () => Promise<boolean>;
}

/** The negotiation room as a page: its decision sheet asks, and the same page goes on to the plan. */
export interface RoomOfPage {
  serve(request: Request, visit: RoomVisit): Promise<Response>;
  close(): void;
}

/** Opens a person's room about one demand. It is made with the first visit, since most pages are never opened. */
export type OpenRoom = (about: Pick<PageRequest, "negotiationId" | "candidate" | "lang">) => Promise<RoomOfPage>;

/** A page that asks about a formulated text: the room, from its decision sheet on. */
export interface FormulationPage extends BasePage {
  kind: "formulation";
  negotiationId: string;
  room: RoomOfPage;
}

/** One page that waits for a person. */
export type OpenPage = SendPage | FormulationPage;
