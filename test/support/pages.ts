import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { createBrowserRecords, EndpointBrowsers } from "../../src/app/endpoint/browsers.ts";
import { roomFiles } from "../../src/app/room-files.ts";
import { createHostedSite } from "../../src/ask/page/hosted-site.ts";
import { createLocalSite } from "../../src/ask/page/local-site.ts";
import type { SignInDesk } from "../../src/ask/page/sign-in.ts";
import { createApprovalPages } from "../../src/ask/page/site.ts";
import { openPageRoom } from "../../src/room/person-services.ts";
import { KnownBrowsers } from "../../src/session/known-browsers.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { textsOf, textsReadBy } from "../../src/text/index.ts";
import { platformWith } from "./platform.ts";
import type { Process, World } from "./world.ts";

const ROOT = new URL("../../", import.meta.url);

/** Browsers that a person lets in, in memory. */
export function browsersOf({ clock }: Pick<World, "clock">) {
  return new KnownBrowsers(platformWith(clock), createBrowserRecords(createMemoryStore(clock)));
}

/** The approval pages of a process, on a loopback site of their own that the caller ends. */
export function pagesOf(
  world: World,
  { settings, deps }: Process,
  openWindow = async (_url: string) => false,
  browsers = browsersOf(world),
) {
  const { clock } = world;
  const site = createLocalSite(platformWith(clock), { openWindow, textsOf: deps.textsOf ?? textsOf });
  const pages = createApprovalPages({
    site,
    openRoom: async (about) => openPageRoom(deps, deps.accounts.at(undefined), roomFiles(ROOT), about),
    owner: { id: "local", isStrict: () => settings.confirmation_policy === "strict", browsers },
  });
  return {
    ...pages,
    browsers,
    openWindow: async (address: string) => (await site.open(address)) === "opened",
    close: () => site.close(),
  };
}

/** Where they sign in: no token is to be had there. */
export const peopleOf = (browsers: EndpointBrowsers): SignInDesk => ({
  ...{ cookiePath: "/", isSecure: false, newToken: async () => undefined },
  ownerOf: (cookies) => browsers.ownerOf(cookies),
  signIn: (...form) => browsers.signIn(...form),
});

/** Who may sign in at {@link hostedPagesOf}, by their token. */
export const TOKENS = { ada: "a-token-of-ada-that-nobody-guesses", bob: "a-token-of-bob-that-nobody-guesses" };

/** The approval pages of a process that are Ada's at an endpoint, where Bob has a token too. The caller ends it. */
export async function hostedPagesOf({ clock }: World, { settings, deps }: Process) {
  let fetch: (request: Request) => Response | Promise<Response> = () => new Response(null, { status: 503 });
  const server = createAdaptorServer({ fetch: (request) => fetch(request) });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const publicUrl = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const browsers = new EndpointBrowsers({
    store: createMemoryStore(clock),
    platform: platformWith(clock),
    tokens: {
      async judge(token) {
        const user = Object.entries(TOKENS).find(([, its]) => its === token)?.[0];
        return user === undefined ? "unknown" : { user };
      },
    },
  });
  const site = createHostedSite(platformWith(clock), {
    ...{ publicUrl, replica: "a" },
    textsOf: textsReadBy({ who: "endpoint" }),
    people: peopleOf(browsers),
  });
  fetch = (request) => {
    const { pathname } = new URL(request.url);
    const app = Object.entries(site.apps).find(([base]) => pathname.startsWith(base))?.[1];
    return app?.fetch(request) ?? new Response(null, { status: 404 });
  };
  const pages = createApprovalPages({
    site,
    openRoom: async (about) => openPageRoom(deps, deps.accounts.at(undefined), roomFiles(ROOT), about),
    owner: {
      id: "ada",
      isStrict: () => settings.confirmation_policy === "strict",
      browsers: browsers.of("ada"),
      signIn: browsers.onPageOf("ada"),
    },
  });
  return { ...pages, browsersPage: `${publicUrl.origin}/browsers`, close: () => void server.close() };
}
