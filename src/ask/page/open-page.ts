import type { Clock } from "../../clock.ts";
import type { BrowserProof } from "../../question/who.ts";
import type { Cookies, KnownBrowsers } from "../../session/known-browsers.ts";
import type { Texts } from "../../text/index.ts";
import type { PageRequest, PermissionPageRequest } from "../questions.ts";
import type { SignIn } from "./sign-in.ts";

/** Says whose page it is, and how they prove it. */
export interface PageOwner {
  /** The id differs from those of other pages' owners on the same site. */
  id: string;
  isStrict: () => boolean;
  browsers: KnownBrowsers;
  /** Present at an endpoint, where only somebody who has signed in sees the page. */
  signIn?: PageSignIn;
}

export interface PageSignIn {
  /** Returns whether somebody else has signed in with this browser. */
  isAnother(cookies: Cookies): Promise<boolean>;
  /** Lets in a browser whose person has the owner's token. Others who signed in with it before are signed out there. */
  enter(token: string, userAgent: string, cookies: Cookies): Promise<SignIn | "notTheirs">;
}

interface BasePage {
  texts: Texts;
  owner: PageOwner;
  /** Counts the windows that were opened through an address that others may see. */
  windows?: number;
  /** The window that is being opened, with whether it could be. */
  opening?: Promise<boolean> | undefined;
}

/** This page asks whether something may be sent at all: yes or no. */
export interface PermissionPage extends BasePage {
  kind: "permission";
  request: PermissionPageRequest;
}

/** Says who is on a page now, and where it stands. */
export interface RoomVisit {
  /** The page's own path, without a slash at its end. */
  base: string;
  /** This is why the browser's word counts as its person's. */
  browser: BrowserProof;
  /** Returns whether this browser may still be here: a stream is long, and a browser can be revoked. */
  mayStay: () => Promise<boolean>;
}

/** The negotiation room as a page: its decision sheet asks, and the same page goes on to the plan. */
export interface RoomOfPage {
  serve(request: Request, visit: RoomVisit): Promise<Response>;
  close(): void;
}

/** Opens a person's room about one demand. This happens at the first visit, since most pages are never opened. */
export type OpenRoom = (
  about: Pick<PageRequest, "negotiationId" | "candidate" | "toChange" | "lang">,
) => Promise<RoomOfPage>;

/** This page asks about a formulated text. It is the room, from its decision sheet on. */
interface FormulationPage extends BasePage {
  kind: "formulation";
  negotiationId: string;
  room: RoomOfPage;
}

/** One page that waits for a person. */
export type OpenPage = PermissionPage | FormulationPage;

/**
 * Says what came of opening a window of the person's browser. `failed`: there is no browser here, or it did not open.
 */
export type Opening = "opened" | "failed" | "too_many";

/** A person reads this many questions in that time. A model can call a tool that opens a window again and again. */
export const MOST_WINDOWS = 8;
export const WINDOWS_MINUTES = 10;

/** Opens at most {@link MOST_WINDOWS} windows within {@link WINDOWS_MINUTES}, over all callers. */
export function boundedWindows(
  open: (url: string) => Promise<boolean>,
  clock: Pick<Clock, "monotonic">,
): (url: string) => Promise<Opening> {
  const windows = new Set<{ at: number }>();
  return async (url) => {
    const window = { at: clock.monotonic() };
    for (const one of windows) if (window.at - one.at >= WINDOWS_MINUTES * 60_000) windows.delete(one);
    if (windows.size >= MOST_WINDOWS) return "too_many";
    windows.add(window); // A window counts while it opens too, since calls come at once.
    if (await open(url)) return "opened";
    windows.delete(window);
    return "failed";
  };
}
