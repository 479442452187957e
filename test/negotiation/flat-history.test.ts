import type * as Files from "node:fs/promises";
import { join } from "node:path";
import { nanoid } from "nanoid";
import { expect, it, vi } from "vitest";
import { createFactFiles } from "../../src/negotiation/stores/home-facts.ts";
import { fillHistory } from "../support/filled-history.ts";
import { temporaryHome } from "../support/home.ts";
import { createWorld, ORIGIN } from "../support/world.ts";

const files = vi.hoisted(() => ({ opened: 0 }));
vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof Files>();
  const open: typeof real.open = (...args) => {
    files.opened += 1;
    return real.open(...args);
  };
  return { ...real, open };
});

const PAST = 400;

/** A program in a home with a long past. */
async function program() {
  const world = await createWorld();
  const home = await temporaryHome();
  const ids = fillHistory(home, ORIGIN, PAST, world.clock.now());
  let swept = Promise.resolve();
  world.facts = createFactFiles({
    dir: join(home, "history"),
    newId: nanoid,
    now: () => world.clock.now(),
    inBackground(work) {
      swept = work;
    },
  });
  const { call, client } = await world.process({ config: { mode: "developer" } });
  const opened = async (work: () => Promise<unknown>) => {
    const before = files.opened;
    await work();
    await swept;
    return files.opened - before;
  };
  const list = async (query = "") => {
    const { contents } = await client.readResource({ uri: `towow://negotiations${query}` });
    return JSON.parse((contents as { text: string }[])[0]!.text);
  };
  return { world, ids, call, opened, list };
}

it("what is not shown is not read: an id that nobody knows, a status, a demand", async () => {
  const { world, call, opened } = await program();
  expect(await opened(() => call("towow_get_negotiation", { negotiation_id: "neg_000000000000" }))).toBeLessThan(5);
  expect(await opened(() => call("towow_status"))).toBeLessThan(20);
  const demand = { scene_id: world.sceneId, intent: "A product designer" };
  expect(await opened(() => call("towow_submit_demand", demand))).toBeLessThan(20);
});

it("a list reads its own page, the newest first, and knows how many there are", async () => {
  const { ids, opened, list } = await program();
  const idsOf = ({ negotiations }: { negotiations: { negotiation_id: string }[] }) =>
    negotiations.map(({ negotiation_id }) => negotiation_id);
  let page = { negotiations: [], total: 0, next_cursor: "" };
  const next = async () => {
    page = await list(`?cursor=${page.next_cursor}`);
  };
  expect(await opened(next)).toBeLessThan(PAST);
  expect([idsOf(page), page.total]).toEqual([ids.slice(0, 25), PAST]);
  expect(await opened(next)).toBeLessThan(PAST);
  expect([idsOf(page), page.total]).toEqual([ids.slice(25, 50), PAST]);
  expect((await list("?state=asking")).total).toBe(0);
});
