import type { BrowserCookie, Cookies, KnownBrowsers } from "../../session/known-browsers.ts";
import type { ListedProgram, NotSignedIn } from "./browser-pages.ts";
import type { CookieOptions } from "./visitor.ts";

/** Somebody owns this browser, which was let in. */
export interface BrowserOwner {
  /** The key names the owner. */
  user: string;
  browsers: KnownBrowsers;
  /** This is the browser's name. */
  name: string;
  /** It was let in at this time, ms since the epoch. */
  at: number;
  cookie: BrowserCookie;
}

/** Holds the cookie of a browser that was let in, or why it was not. */
export type SignIn = BrowserCookie | Exclude<NotSignedIn, "notTheirs">;

/** Lists and ends the programs that somebody has let act for them. */
interface ProgramDesk {
  list(user: string): Promise<readonly ListedProgram[]>;
  /** Ends a program at once and returns its name, or undefined where it is not theirs. */
  end(user: string, id: string): Promise<string | undefined>;
  /** From now on the program's AI may not pass on what its person says. */
  takeBackWord(user: string, id: string): Promise<void>;
}

/** The people of an endpoint sign in once, for their room, their questions and the list of their browsers. */
export interface SignInDesk extends CookieOptions {
  ownerOf: (cookies: Cookies) => Promise<BrowserOwner | undefined>;
  /** Lets in a browser whose person has their token, and opens their room. */
  signIn: (token: string, userAgent: string, cookies: Cookies) => Promise<SignIn>;
  /** Absent where no program signs in. */
  programs?: ProgramDesk | undefined;
  /** Returns the path at which a new person gets a token, while there are any. */
  newToken: () => Promise<string | undefined>;
}
