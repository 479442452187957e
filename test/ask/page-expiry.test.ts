import { nanoid } from "nanoid";
import { expect, it, onTestFinished, vi } from "vitest";
import { createApprovalPages } from "../../src/ask/page/approval-pages.ts";
import { createLocalSite } from "../../src/ask/page/local-site.ts";
import type { RoomVisit } from "../../src/ask/page/open-page.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { browsersOf } from "../support/pages.ts";
import { send } from "./page-support.ts";

const DAY_MS = 24 * 3_600_000;

it("a page that nobody follows by another ends after a day, with its room and with what listens there", async () => {
  const clock = new ManualClock();
  const site = createLocalSite({ clock, newId: nanoid, openWindow: async () => false });
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
  const site = createLocalSite({ clock, newId: nanoid, openWindow: async () => false });
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
