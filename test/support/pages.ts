import { nanoid } from "nanoid";
import { createApprovalPages } from "../../src/ask/page/approval-pages.ts";
import { createLocalSite } from "../../src/ask/page/local-site.ts";
import { silentLog } from "../../src/log.ts";
import type { Process, World } from "./world.ts";

/** The approval pages of a process, on a loopback site of their own that the caller ends. */
export function pagesOf({ clock }: World, { negotiations }: Process, openWindow = async (_url: string) => false) {
  const site = createLocalSite({ clock, newId: nanoid, openWindow });
  const pages = createApprovalPages({
    negotiations,
    site,
    owner: "local",
    clock,
    log: silentLog,
    timeOfDay: (at) => new Date(at).toISOString().slice(11, 19),
  });
  return { ...pages, openWindow: (address: string) => site.open(address), close: () => site.close() };
}
