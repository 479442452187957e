import type { Hono } from "hono";
import type { SignInDesk } from "../../../ask/page/sign-in.ts";
import type { Clock } from "../../../clock.ts";
import type { Store } from "../../../store/store.ts";
import { type ConsentDesk, createAuthorize } from "./authorize.ts";
import type { Clients } from "./clients.ts";
import type { Policy } from "./consent-page.ts";
import { challenge, documentResponse } from "./documents.ts";
import type { Grants } from "./grants.ts";
import type { Seals } from "./sealing.ts";
import { createTokenEndpoint } from "./token-endpoint.ts";

export interface SignInDeps {
  grants: Grants;
  clients: Clients;
  seals: Seals;
  desk: ConsentDesk;
  policy: () => Policy;
  network: string;
  /** True if clients may send a token in a header instead of signing in. */
  besideTokens: boolean;
}

/** The endpoint's services that sign-in needs: its addresses, its store and the browsers that it knows. */
export interface SignInSite {
  people: SignInDesk;
  store: Store;
  clock: Clock;
  browsersPath: string;
  /**
   * Returns whether programs may use this `host:port`. People's pages are served only at hosts for which `isPageHost`
   * returns true.
   */
  isHost: (host: string) => boolean;
  isPageHost: (host: string) => boolean;
  originOf: (host: string) => string;
}

/** Serves sign-in by OAuth 2.1 to clients that have no secret. The endpoint is its own authorization server. */
export interface SignIn {
  /** The apps, each with the path below which the endpoint serves it. */
  apps: Readonly<Record<string, Pick<Hono, "fetch">>>;
  /** Answers a request for a metadata document of the endpoint at this origin. Undefined for any other address. */
  document(request: Request, origin: string): Response | undefined;
  challenge: typeof challenge;
}

export function createSignIn(deps: SignInDeps, site: SignInSite): SignIn {
  const { isPageHost, ...rest } = site;
  const tokens = createTokenEndpoint({ ...deps, ...rest });
  return {
    apps: {
      "/authorize": createAuthorize({ ...deps, ...rest, isHost: isPageHost }),
      "/oauth": tokens,
      "/register": tokens,
    },
    document: (request, origin) => documentResponse(request, origin, deps.clients.fetchesDocuments),
    challenge,
  };
}
