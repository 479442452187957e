import * as z from "zod";
import type { NotSignedIn } from "../../ask/page/browser-pages.ts";
import type { BrowserOwner } from "../../ask/page/sign-in.ts";
import { ignoreTowowError } from "../../errors.ts";
import { fromIso } from "../../home/iso-time.ts";
import type { ConsentDesk, Joined } from "../../mcp/http/sign-in/authorize.ts";
import type { Person } from "../../mcp/http/sign-in/consent-page.ts";
import type { Credential } from "../../mcp/http/sign-in/grants.ts";
import type { TokenDesk } from "../../mcp/http/token-page.ts";
import type { Cookies } from "../../session/known-browsers.ts";
import type { Store } from "../../store/store.ts";
import type { EndpointBackend } from "./backend.ts";
import type { EndpointBrowsers } from "./browsers.ts";
import type { Renewals } from "./credentials.ts";
import type { HomePerson } from "./home-person.ts";
import type { SignInState } from "./sign-in.ts";
import { deriveUserId } from "./token-user.ts";
import type { Tokens } from "./tokens.ts";

interface ConsentDeskDeps {
  backend: EndpointBackend;
  browsers: EndpointBrowsers;
  signIn: SignInState;
  renewals: Renewals;
  tokens: Tokens;
  store: Store;
  /** Absent if new people cannot join by themselves. */
  tokenDesk?: TokenDesk | undefined;
  /** The person of this machine, who signs in with the home's key. Absent at an endpoint for many people. */
  home?: HomePerson | undefined;
  /** Returns whether the profile is `dry_run`, under which nothing is sent at all. */
  isDry: () => boolean;
}

const settings = z.looseObject({ user_id: z.string().optional() });

/**
 * Creates the desk of the consent page. It finds out which person says yes to a program, and returns the credential
 * with which the program may act for them.
 */
export function createConsentDesk(deps: ConsentDeskDeps): ConsentDesk {
  const { backend, browsers, renewals, tokens, store, tokenDesk, home } = deps;
  const { grants, seals } = deps.signIn;

  /** Adds the id by which the backend knows the person, if the backend or one of their clients has given it. */
  async function withId(credential: Credential): Promise<Credential> {
    const { account } = credential;
    const said = credential.userId ?? (await grants.userIdOf(account));
    const named = said ?? (await store.get(`user:${account}:settings`, settings))?.user_id;
    return named === undefined ? credential : { ...credential, userId: named };
  }

  async function credentialOf(user: string, cookies: Cookies): Promise<Credential | NotSignedIn | undefined> {
    if (user === home?.user.key) return { account: user, homeKeyHash: home.key.hash() };
    const kept = await browsers.credentialOf(user, cookies);
    if (kept?.token === undefined) return undefined;
    const credential = await withId(kept);
    const judged = await tokens.judge(kept.token);
    if (typeof judged === "object" || judged === "untried") return credential;
    if (judged !== "unknown") return judged;
    const fresh = await renewals.renew(credential).catch(ignoreTowowError);
    if (fresh !== undefined) await browsers.keep(fresh, cookies);
    return fresh;
  }

  async function personOf({ user, at }: BrowserOwner, cookies: Cookies): Promise<Person> {
    if (user === home?.user.key) return { since: at };
    const kept = await browsers.credentialOf(user, cookies);
    if (kept?.token === undefined) return { id: await grants.userIdOf(user), since: at };
    const { userId } = await withId(kept);
    return { id: userId ?? (await deriveUserId(backend.origin, kept.token)), since: at };
  }

  /**
   * Returns a credential from the backend. If the backend issues none, returns a new one that is valid at this endpoint
   * alone.
   */
  async function newCredential(): Promise<(Credential & { token: string; isHereAlone: boolean }) | Joined> {
    if (tokenDesk === undefined || deps.isDry()) return { problem: "none" };
    const issued = (await tokenDesk.isOpen()) ? await tokenDesk.issue() : "none";
    if (issued === "busy" || issued === "failed") return { problem: issued };
    if (issued !== "none") {
      const { api_token: token, user_id: userId, expires_at } = issued;
      const expiresAt = fromIso(expires_at ?? undefined);
      return { account: tokens.keyOf(token), token, userId, expiresAt, isHereAlone: false };
    }
    const token = `towow_${seals.newSecret()}`;
    const judged = await tokens.judge(token);
    if (typeof judged === "string" && judged !== "untried")
      return { problem: judged === "unknown" ? "none" : "failed" };
    return { account: tokens.keyOf(token), token, isHereAlone: true };
  }

  return {
    credentialOf,
    personOf,
    canJoin: async () => tokenDesk !== undefined && !deps.isDry(),
    async join(userAgent, cookies) {
      const made = await newCredential();
      if (!("account" in made)) return made;
      const { isHereAlone, ...credential } = made;
      const cookie = await browsers.enterAs(credential, userAgent, cookies);
      return { token: credential.token, isHereAlone, cookie };
    },
  };
}
