import { nanoid } from "nanoid";
import { createBrowserRecords } from "../../src/app/endpoint/browser-records.ts";
import { sha256 } from "../../src/app/hash.ts";
import { openPageRoom } from "../../src/app/page-room.ts";
import { createApprovalPages } from "../../src/ask/page/approval-pages.ts";
import { createLocalSite } from "../../src/ask/page/local-site.ts";
import { KnownBrowsers } from "../../src/session/known-browsers.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import type { Process, World } from "./world.ts";

const ROOT = new URL("../../", import.meta.url);

/** Browsers that a person lets in, in memory. */
export function browsersOf({ clock }: Pick<World, "clock">) {
  return new KnownBrowsers({
    store: createBrowserRecords(createMemoryStore(clock)),
    clock,
    newId: nanoid,
    hash: sha256,
  });
}

/** The approval pages of a process, on a loopback site of their own that the caller ends. */
export function pagesOf(
  world: World,
  { settings, deps }: Process,
  openWindow = async (_url: string) => false,
  browsers = browsersOf(world),
) {
  const { clock } = world;
  const site = createLocalSite({ clock, newId: nanoid, openWindow });
  const pages = createApprovalPages({
    site,
    openRoom: async (about) => openPageRoom(deps, deps.accounts.at(undefined), ROOT, about),
    owner: { id: "local", isStrict: () => settings.confirmation_policy === "strict", browsers },
  });
  return { ...pages, browsers, openWindow: (address: string) => site.open(address), close: () => site.close() };
}
