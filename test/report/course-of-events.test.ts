import { describe, expect, it } from "vitest";
import { dossierFor } from "../../src/commands/report.ts";
import { reportMarkdown } from "../../src/report/markdown.ts";
import { reportPage } from "../../src/report/page/report.ts";
import { SANITIZE_DEFAULTS } from "../../src/safety/sanitize/options.ts";
import { networksText } from "../../src/view/text.ts";
import { INTENT, paused, waitForOffers } from "../negotiation/engine-support.ts";
import { openRoom } from "../support/room.ts";
import { createWorld, type Process, type World } from "../support/world.ts";

/** What the report says of a negotiation's course, as its own command reads it. */

async function reportOf(world: World, p: Process, id: string) {
  const backend = await p.deps.accounts.at(p.deps.live.current().backend_url).backend();
  const reading = { backend, negotiations: p.negotiations, clock: world.clock };
  const settings = { lang: "en", low_resonance: 0.55 } as const;
  const dossiers = [await world.clock.run(dossierFor(id, { ...reading, settings }, SANITIZE_DEFAULTS))];
  const began = (await p.negotiations.facts(id)).submitted?.at ?? 0;
  const timeOf = (at: number) => `${Math.round((at - began) / 1_000)} s`;
  const about = { lang: "en", host: "", madeAt: 0, timeOf, needs: [], isMasked: true } as const;
  return { markdown: reportMarkdown(dossiers, about), page: await reportPage(dossiers, about) };
}

const courseIn = (markdown: string): string[] =>
  (/### Evidence\n\n([\s\S]*?)\n\n/.exec(markdown)?.[1] ?? "")
    .split("\n")
    .map((line) => line.slice(2))
    .filter((line) => !line.startsWith("Risk"));

describe("the course of events", () => {
  it("names a no that came too late as that, and when the broadcast was seen", async () => {
    const { world, p, params, id } = await paused({ flags: { mode: "developer" } });
    waitForOffers(world);
    world.mock.faults.add({ route: "action", kind: "delay", delayMs: 3_600_000, times: Number.POSITIVE_INFINITY });
    await p.call("towow_demand", { ...params, decision: "reject" });
    await world.clock.advance(320_000);
    const { markdown, page } = await reportOf(world, p, id);
    expect(courseIn(markdown)).toEqual([
      "0 s Submitted",
      "1 s Text shown, decision asked for",
      "1 s Withdrawn (passed on by the AI, too late, without effect)",
      "376 s Broadcast, as first seen here",
    ]);
    expect(page).toContain("Withdrawn (passed on by the AI) <strong>too late, without effect<");
  });

  it("calls somebody else's text theirs", async () => {
    const { world, p, id } = await paused();
    world.mock.engine.confirm(id, "Somebody else's text", "other");
    await world.clock.advance(3_000);
    const { markdown, page } = await reportOf(world, p, id);
    expect(markdown).toContain("Somebody else's text\n\n> Somebody else's text");
    expect(courseIn(markdown).at(-1)).toBe("4 s Broadcast, as first seen here");
    expect(page).toContain('<p class="xs mu">Somebody else&#39;s text');
    expect(page).not.toContain("added by the network");
  });
});

it("words of the AI that went out by its person's yes are the AI's, and nobody is said to have added to them", async () => {
  const { world, p, params, id } = await paused();
  const text = "A designer who knows wards; the AI wrote this.";
  await world.clock.run(p.call("towow_demand", { ...params, decision: "edit", confirmed_text: text }));
  await world.clock.advance(5_000);
  const { markdown, page } = await reportOf(world, p, id);
  expect(markdown).toContain(`Your AI's text\n\n> ${text}`);
  expect(page).toContain("Your AI&#39;s text");
  for (const words of ["Your text", "You added", "The network added"]) expect(page).not.toContain(words);
});

it("a number that is masked counts as the words that it stands for", async () => {
  const world = await createWorld();
  world.mock.engine.formulateWith((intent) => `${intent} Call 13812345678 or +49 30 1234567 at any time.`);
  const p = await world.process();
  const id = (await p.call("towow_demand", { intent: INTENT })).result.data.negotiation_id as string;
  const { share } = networksText(INTENT, `${INTENT} Call 13812345678 or +49 30 1234567 at any time.`);
  const { page } = await reportOf(world, p, id);
  expect(page).toContain(`added by the network</ins> ${share}%`);
  expect(page).not.toContain("1234567");
  expect(page).toContain("[phone hidden]");
});

it("one text has one share, in the room and in the report", async () => {
  const added = "It should run on our own machines, in the ward, at night, without anybody near; 12 months at most.";
  const world = await createWorld();
  world.mock.engine.formulateWith((intent) => `${intent}. ${added}`);
  const p = await world.process();
  const id = (await p.call("towow_demand", { intent: INTENT })).result.data.negotiation_id as string;
  const room = await openRoom(world, p, id);
  const sheet = room.spec().sections.find((section) => section.kind === "sheet");
  expect(sheet?.kind === "sheet" && sheet.share).toBe(90);
  const { page } = await reportOf(world, p, id);
  expect(page).toContain("added by the network</ins> 90%");
});
