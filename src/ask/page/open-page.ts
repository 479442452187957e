import type { BrowserProof } from "../../question/who.ts";
import type { Cookies, KnownBrowsers } from "../../session/known-browsers.ts";
import type { Texts } from "../../text/index.ts";
import type { PageRequest, PermissionPageRequest } from "../questions.ts";
import type { SignIn } from "./sign-in.ts";

/** Whose page it is, and how they show that it is them. */
export interface PageOwner {
  /** Distinct from the owners of other pages on the same site. */
  id: string;
  isStrict: () => boolean;
  browsers: KnownBrowsers;
  /** At an endpoint, where the page is for nobody who has not signed in. */
  signIn?: PageSignIn;
}

export interface PageSignIn {
  /** Whether somebody else has signed in with this browser. */
  isAnother(cookies: Cookies): Promise<boolean>;
  /** Lets a browser in whose person has the owner's token; others who have signed in with it before are signed out there. */
  enter(token: string, userAgent: string, cookies: Cookies): Promise<SignIn | "notTheirs">;
}

interface BasePage {
  texts: Texts;
  owner: PageOwner;
  /** How often a window was opened by way of an address that others may see. */
  windows?: number;
  /** The window that is being opened: whether it could be. */
  opening?: Promise<boolean> | undefined;
}

/** A page that asks whether something may be sent at all: yes or no. */
export interface PermissionPage extends BasePage {
  kind: "permission";
  request: PermissionPageRequest;
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
export type OpenRoom = (
  about: Pick<PageRequest, "negotiationId" | "candidate" | "toChange" | "lang">,
) => Promise<RoomOfPage>;

/** A page that asks about a formulated text: the room, from its decision sheet on. */
interface FormulationPage extends BasePage {
  kind: "formulation";
  negotiationId: string;
  room: RoomOfPage;
}

/** One page that waits for a person. */
export type OpenPage = PermissionPage | FormulationPage;
