import type { BrowserCookie, Cookies, KnownBrowsers } from "../../session/known-browsers.ts";
import type { ListedProgram, NotSignedIn } from "./browser-pages.ts";
import type { CookieOptions } from "./visitor.ts";

/** Somebody whose browser was let in. */
export interface BrowserOwner {
  /** Whose it is, by the key that names them. */
  user: string;
  browsers: KnownBrowsers;
  /** Of this browser. */
  name: string;
  /** When it was let in, ms since the epoch. */
  at: number;
  cookie: BrowserCookie;
}

/** The cookie of a browser that was let in, or why it was not. */
export type SignIn = BrowserCookie | Exclude<NotSignedIn, "notTheirs">;

/** The programs that somebody has let act for them. */
interface ProgramDesk {
  list(user: string): Promise<readonly ListedProgram[]>;
  /** Ends one at once; gives its name, undefined for one that is not theirs. */
  end(user: string, id: string): Promise<string | undefined>;
  /** From now on its AI passes nothing on. */
  takeBackWord(user: string, id: string): Promise<void>;
}

/** Where the people of an endpoint sign in: once, for their room, their questions and the list of their browsers. */
export interface SignInDesk extends CookieOptions {
  ownerOf: (cookies: Cookies) => Promise<BrowserOwner | undefined>;
  /** Lets a browser in whose person has their token, and opens their room. */
  signIn: (token: string, userAgent: string, cookies: Cookies) => Promise<SignIn>;
  /** Absent where no program signs in. */
  programs?: ProgramDesk | undefined;
  /** The path at which somebody who is new gets a token, while there are any. */
  newToken: () => Promise<string | undefined>;
}
