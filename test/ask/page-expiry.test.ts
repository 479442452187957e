import { expect, it, onTestFinished, vi } from "vitest";
import { createLocalSite } from "../../src/ask/page/local-site.ts";
import type { RoomVisit } from "../../src/ask/page/open-page.ts";
import { createApprovalPages } from "../../src/ask/page/site.ts";
import { textsOf } from "../../src/text/index.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { browsersOf } from "../support/pages.ts";
import { platformWith } from "../support/platform.ts";
import { comeTo, send } from "./page-support.ts";

const DAY_MS = 24 * 3_600_000;

it("a page that nobody follows by another ends after a day, with its room and with what listens there", async () => {
  const clock = new ManualClock();
  const site = createLocalSite(platformWith(clock), { openWindow: async () => false, textsOf });
  onTestFinished(() => site.close());
  const close = vi.fn();
  const visits: RoomVisit[] = [];
  const pages = createApprovalPages({
    site,
    owner: { id: "local", isStrict: () => false, browsers: browsersOf({ clock }) },
    openRoom: async () => ({
      serve: async (_, visit) => {
        visits.push(visit);
        return new Response("the room");
      },
      close,
    }),
  });
  const { forClient: url } = await pages.open({ negotiationId: "neg_1", lang: "en" });
  const page = await send(url);
  expect(page.body).toBe("the room");
  await clock.advance(DAY_MS - 1);
  expect(close).not.toHaveBeenCalled();
  expect(await visits[0]?.mayStay()).toBe(true);
  await clock.advance(1);
  expect(close).toHaveBeenCalledOnce();
  expect(await visits[0]?.mayStay()).toBe(false);
  expect((await send(url, undefined, { cookie: String(page.cookie) })).status).toBe(410);
});

it("a page whose room could not be opened is opened by the next visit, and its end leaves nothing unhandled", async () => {
  const clock = new ManualClock();
  const site = createLocalSite(platformWith(clock), { openWindow: async () => false, textsOf });
  let failures = 1;
  const pages = createApprovalPages({
    site,
    owner: { id: "local", isStrict: () => false, browsers: browsersOf({ clock }) },
    openRoom: async () => {
      if (failures-- > 0) throw new Error("the disk is full");
      return { serve: async () => new Response("the room"), close() {} };
    },
  });
  const { forClient: url } = await pages.open({ negotiationId: "neg_1", lang: "en" });
  const first = await send(url);
  expect(first.status).toBe(502);
  expect((await send(url, undefined, { cookie: String(first.cookie) })).body).toBe("the room");
  failures = 1;
  const { forClient: other } = await pages.open({ negotiationId: "neg_2", lang: "en" });
  await send(other);
  await site.close();
});

it("of more than twenty pages of one person the oldest goes that nobody has opened, and of another's none", async () => {
  const clock = new ManualClock();
  const site = createLocalSite(platformWith(clock), { openWindow: async () => false, textsOf });
  onTestFinished(() => site.close());
  const pagesOf = (id: string) =>
    createApprovalPages({
      site,
      owner: { id, isStrict: () => false, browsers: browsersOf({ clock }) },
      openRoom: async () => ({ serve: async () => new Response("the room"), close() {} }),
    });
  const open = async (of: ReturnType<typeof pagesOf>, n: number) =>
    (await of.open({ negotiationId: `neg_${n}`, lang: "en" })).forClient;
  const others = await open(pagesOf("other"), 0);
  const own = pagesOf("local");
  const first = await open(own, 0);
  await send(first);
  const urls: string[] = [];
  for (let n = 1; n <= 20; n++) urls.push(await open(own, n));
  expect((await send(urls[0]!)).status).toBe(410);
  expect((await send(urls[1]!)).body).toBe("the room");
  expect((await send(others)).body).toBe("the room");
  // A new one is there also where all have been visited; the one that somebody was in last stays.
  for (const url of urls.slice(2)) await send(url);
  await send(first);
  const late = await open(own, 21);
  expect((await send(late)).body).toBe("the room");
  expect((await send(urls[1]!)).status).toBe(410);
  expect((await send(first)).status).not.toBe(410);
});

/** Pages whose visits are noted; `letIn` types the code of one and gives its cookie. */
function watchedPages() {
  const clock = new ManualClock();
  const site = createLocalSite(platformWith(clock), { openWindow: async () => false, textsOf });
  onTestFinished(() => site.close());
  const browsers = browsersOf({ clock });
  const visits: RoomVisit[] = [];
  const pages = createApprovalPages({
    site,
    owner: { id: "local", isStrict: () => false, browsers },
    openRoom: async () => ({
      async serve(_, visit) {
        visits.push(visit);
        return new Response("the room");
      },
      close() {},
    }),
  });
  const letIn = async (address: string): Promise<string> => {
    const { body, cookie } = await comeTo(address);
    await browsers.letIn(/id="code" data-code="([\d-]+)"/.exec(body)?.[1] ?? "");
    return String(cookie);
  };
  return { clock, browsers, visits, pages, letIn };
}

it("a browser that is revoked stays nowhere, whoever has opened the page", async () => {
  const { browsers, visits, pages, letIn } = watchedPages();
  const cookie = await letIn((await pages.open({ negotiationId: "neg_2", lang: "en" })).forResult);
  const { forClient, forResult } = await pages.open({ negotiationId: "neg_1", lang: "en" });
  await send(forClient);
  await send(forResult, undefined, { cookie });
  expect(visits.map(({ browser }) => browser)).toEqual(["elicited", "known"]);
  await browsers.forget("all");
  expect(await Promise.all(visits.map((visit) => visit.mayStay()))).toEqual([true, false]);
});

it("a browser that was let in before stays no longer than the page, whose room is closed by then", async () => {
  const { clock, visits, pages, letIn } = watchedPages();
  const { forResult } = await pages.open({ negotiationId: "neg_1", lang: "en" });
  await send(forResult, undefined, { cookie: await letIn(forResult) });
  expect(visits.map(({ browser }) => browser)).toEqual(["known"]);
  await clock.advance(DAY_MS - 1);
  expect(await visits[0]?.mayStay()).toBe(true);
  await clock.advance(1);
  expect(await visits[0]?.mayStay()).toBe(false);
});
