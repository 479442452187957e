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
  /** The network's host. */
  network: string;
  /** Whether clients may send a token instead. */
  besideTokens: boolean;
}

/** Where it is served. */
export interface SignInSite {
  people: SignInDesk;
  store: Store;
  clock: Clock;
  browsersPath: string;
  /** Whether programs may name this `host:port`; `isPageHost`: whether people's pages are there. */
  isHost: (host: string) => boolean;
  isPageHost: (host: string) => boolean;
  originOf: (host: string) => string;
}

/** How programs sign in here: OAuth 2.1 for programs that have no secret, by the endpoint itself. */
export interface SignIn {
  /** By path. */
  apps: Readonly<Record<string, Pick<Hono, "fetch">>>;
  /** What the endpoint at this origin says of itself; undefined for any other address. */
  document(request: Request, origin: string): Response | undefined;
  /** Of a 401. */
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
