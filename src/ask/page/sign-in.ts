import type { BrowserCookie, Cookies, KnownBrowsers } from "../../session/known-browsers.ts";
import type { ListedProgram, NotSignedIn } from "./browser-pages.ts";
import type { CookieOptions } from "./visitor.ts";

/** The owner of a browser that was let in. */
export interface BrowserOwner {
  /** The key that names the person. */
  user: string;
  browsers: KnownBrowsers;
  name: string;
  /** When the browser was let in, in ms since the epoch. */
  at: number;
  cookie: BrowserCookie;
}

/** The cookie of a browser that was let in, or the reason why it was not. */
export type SignIn = BrowserCookie | Exclude<NotSignedIn, "notTheirs">;

/** Lists and ends the programs that a person lets act for them. */
interface ProgramDesk {
  list(user: string): Promise<readonly ListedProgram[]>;
  /** Ends a program at once and returns its name, or undefined if the program is not theirs. */
  end(user: string, id: string): Promise<string | undefined>;
  /** Keeps the program's AI from passing on what its person says, from now on. */
  takeBackWord(user: string, id: string): Promise<void>;
}

/** The sign-in of an endpoint. People sign in once, for their room, their questions and the list of their browsers. */
export interface SignInDesk extends CookieOptions {
  ownerOf: (cookies: Cookies) => Promise<BrowserOwner | undefined>;
  /** Lets in the browser of a person who has sent their token, and opens their room. */
  signIn: (token: string, userAgent: string, cookies: Cookies) => Promise<SignIn>;
  /** Lists and ends people's programs. Absent if programs cannot sign in. */
  programs?: ProgramDesk | undefined;
  /** Returns the path at which a new person gets a token, or undefined while no tokens are issued. */
  newToken: () => Promise<string | undefined>;
}
