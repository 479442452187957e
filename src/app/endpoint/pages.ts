import { createBrowsersApp } from "../../ask/page/browsers-app.ts";
import { createHostedSite, type HostedSite } from "../../ask/page/hosted-site.ts";
import type { SignInDesk } from "../../ask/page/sign-in.ts";
import { isServed } from "../../mcp/http/request-checks.ts";
import { TOKEN_PATH, type TokenDesk } from "../../mcp/http/token-page.ts";
import type { Platform } from "../../platform.ts";
import { textsReadBy } from "../../text/index.ts";
import type { EndpointBrowsers } from "./browsers.ts";
import type { ServeOptions } from "./options.ts";
import type { SignInState } from "./sign-in.ts";

interface PagesParts {
  options: ServeOptions;
  browsers: EndpointBrowsers;
  signIn: SignInState | undefined;
  tokenDesk: TokenDesk | undefined;
  platform: Platform;
}

/** The pages on which an endpoint's people decide and see their browsers. Their rooms are pages of their own. */
export interface EndpointPages {
  /** Returns the texts in one language. They name the address of this endpoint's room. */
  textsOf: HostedSite["textsOf"];
  /** Signs people in on every page but the room. */
  people: SignInDesk;
  /** Signs people in to the room. A person whose room cannot be opened is not signed in. */
  roomPeople: SignInDesk;
  /** The site of the approval pages. Undefined without a public address. */
  site: HostedSite | undefined;
  /** The apps of these pages, by the paths at which they must be mounted. */
  apps: HostedSite["apps"];
}

/** Creates the pages. Without a public address, only the list of browsers and programs is among them, if programs sign in. */
export function createPages({ options, browsers, signIn, tokenDesk, platform }: PagesParts): EndpointPages {
  const { publicUrl, replica, requestRules } = options;
  const people = deskOf({ options, browsers, signIn, tokenDesk });
  const roomPeople: SignInDesk = { ...people, signIn: (...form) => browsers.signIn(...form, true) };
  const textsOf = textsReadBy({ who: "endpoint", room: publicUrl && `${publicUrl.origin}/room` });
  const shared = { textsOf, people, roomPeople };
  if (publicUrl !== undefined) {
    const site = createHostedSite(platform, { publicUrl, replica, people, textsOf });
    return { ...shared, site, apps: site.apps };
  }
  if (signIn === undefined) return { ...shared, site: undefined, apps: {} };
  // Without a public address there are no approval pages here, but people still need the list of their browsers and
  // programs, where they can end both.
  const ownList = createBrowsersApp({
    ...{ path: "/browsers", roomPath: "/room", people },
    isHost: (host) => isServed(host, requestRules),
    originOf: (host) => `http://${host}`,
  });
  return { ...shared, site: undefined, apps: { "/browsers": ownList } };
}

function deskOf({ options, browsers, signIn, tokenDesk }: Omit<PagesParts, "platform">): SignInDesk {
  const { publicUrl } = options;
  return {
    // Without a public address and without sign-in, the room is the only page. Its cookie is limited to the room's
    // path, because programs at other ports of this machine would get it too.
    cookiePath: publicUrl === undefined && signIn === undefined ? "/room" : "/",
    isSecure: publicUrl?.protocol === "https:",
    ownerOf: (cookies) => browsers.ownerOf(cookies),
    signIn: (...form) => browsers.signIn(...form),
    programs: signIn && {
      list: async (user) =>
        (await signIn.grants.list(user)).map(({ word_taken_back, passes_word, ...program }) => ({
          ...program,
          passesWord: passes_word && word_taken_back !== true,
        })),
      end: (user, id) => signIn.grants.end(user, id),
      takeBackWord: (user, id) => signIn.grants.takeBackWord(user, id),
    },
    newToken: async () => ((await tokenDesk?.isOpen()) === true ? TOKEN_PATH : undefined),
  };
}
