import type { Clock } from "../../clock.ts";
import type { BrowserProof } from "../../question/who.ts";
import type { Cookies, KnownBrowsers } from "../../session/known-browsers.ts";
import type { Texts } from "../../text/index.ts";
import type { PageRequest, PermissionPageRequest } from "../questions.ts";
import type { SignIn } from "./sign-in.ts";

/** The person to whom a page belongs, and how they prove that it is theirs. */
export interface PageOwner {
  /** An id that differs from those of other pages' owners on the same site. */
  id: string;
  isStrict: () => boolean;
  browsers: KnownBrowsers;
  /**
   * The sign-in of an endpoint, at which only a person who has signed in sees the page. Absent on the person's own
   * machine.
   */
  signIn?: PageSignIn;
}

export interface PageSignIn {
  /** Resolves with whether somebody else has signed in with this browser. */
  isAnother(cookies: Cookies): Promise<boolean>;
  /**
   * Lets in a browser if its person has the owner's token. Other people who had signed in with that browser are signed
   * out of it.
   */
  enter(token: string, userAgent: string, cookies: Cookies): Promise<SignIn | "notTheirs">;
}

interface BasePage {
  texts: Texts;
  owner: PageOwner;
  /** How many windows were opened through an address that others may see. */
  windows?: number;
  /** Resolves with whether the window that is being opened could be opened. */
  opening?: Promise<boolean> | undefined;
}

/** A page that asks whether something may be sent or stopped, yes or no. */
export interface PermissionPage extends BasePage {
  kind: "permission";
  request: PermissionPageRequest;
}

/** One browser's visit to a page. */
export interface RoomVisit {
  /** The page's own path, without a slash at its end. */
  base: string;
  /** Why the browser's word counts as its person's. */
  browser: BrowserProof;
  /** Resolves with whether this browser may still be here. A stream is long, and a browser can be revoked meanwhile. */
  mayStay: () => Promise<boolean>;
}

/** The negotiation room as a page. Its decision sheet asks, and the same page goes on to the plan. */
export interface RoomOfPage {
  serve(request: Request, visit: RoomVisit): Promise<Response>;
  close(): void;
}

/** Opens a person's room about one demand. This happens at the first visit, because most pages are never opened. */
export type OpenRoom = (
  about: Pick<PageRequest, "negotiationId" | "candidate" | "toChange" | "lang">,
) => Promise<RoomOfPage>;

/** A page that asks about a formulated text. It is the room, from its decision sheet on. */
interface FormulationPage extends BasePage {
  kind: "formulation";
  negotiationId: string;
  room: RoomOfPage;
}

/** One page that waits for a person. */
export type OpenPage = PermissionPage | FormulationPage;

/**
 * The result of opening a window of the person's browser. `failed` means that there is no browser here, or that it did
 * not open.
 */
export type Opening = "opened" | "failed" | "too_many";

/**
 * The most windows that are opened within {@link WINDOWS_MINUTES}. A person does not read more questions in that time,
 * and a model can call a tool that opens a window again and again.
 */
export const MOST_WINDOWS = 8;
export const WINDOWS_MINUTES = 10;

/**
 * Returns a function that opens at most {@link MOST_WINDOWS} windows within {@link WINDOWS_MINUTES}, over all callers.
 */
export function boundedWindows(
  open: (url: string) => Promise<boolean>,
  clock: Pick<Clock, "monotonic">,
): (url: string) => Promise<Opening> {
  const windows = new Set<{ at: number }>();
  return async (url) => {
    const window = { at: clock.monotonic() };
    for (const one of windows) if (window.at - one.at >= WINDOWS_MINUTES * 60_000) windows.delete(one);
    if (windows.size >= MOST_WINDOWS) return "too_many";
    windows.add(window); // A window that is still opening counts too, because calls may come all at once.
    if (await open(url)) return "opened";
    windows.delete(window);
    return "failed";
  };
}
