import { expect, it } from "vitest";
import type { Section } from "../../src/room/ui-spec-schema.ts";
import { reviewTexts } from "../../src/text/reviews.ts";
import { openRoom } from "../support/room.ts";
import { createWorld, ORIGIN } from "../support/world.ts";

/** The room of a demand that every agent left. */
async function allLeft() {
  const world = await createWorld();
  world.mock.engine.offerWith(() => "exit");
  const p = await world.process();
  const { resume_with, negotiation_id: id } = (await p.call("towow_demand", { intent: "machine learning" })).result
    .data;
  await p.call("towow_demand", { ...resume_with.params, decision: "accept" });
  await p.call("towow_status", { wait: "done" });
  const opened = await openRoom(world, p, id);
  await opened.until(() => opened.stage() === "done");
  const review = () => opened.section("review") as Section<"review"> | undefined;
  return { world, p, id, opened, review };
}

it("what is worth a second look says why, and the person's answer is the end of it", async () => {
  const { p, opened, review } = await allLeft();
  expect(review()?.reasons.join()).toMatch(/left without an offer/);
  expect((await p.call("towow_status")).result.warnings).toContain("review_pending");
  await opened.press("review", "concern");
  expect(review()).toBeUndefined();
  expect(opened.spec().notes).toContainEqual({ tone: "news", text: reviewTexts("en").noted });
  expect((await p.call("towow_status", { view: "full" })).result.warnings).not.toContain("review_pending");
  const { contents } = await p.client.readResource({ uri: "towow://reviews" });
  expect(JSON.stringify(contents)).not.toContain("agents_exited");
});

it("a second click while the first is on its way does nothing", async () => {
  const { p, id, opened, review } = await allLeft();
  const button = review()?.actions[0];
  await Promise.all([opened.call("review", button?.params), opened.call("review", button?.params).catch(() => {})]);
  expect(await p.negotiations.reviews.of(id)).toBeUndefined();
  expect(opened.spec().notes.filter(({ tone }) => tone === "error")).toEqual([]);
});

it("no agent answers for the person, and nobody answers what is not asked", async () => {
  const { id, opened, review } = await allLeft();
  opened.room.agentArrives("an agent", true);
  const codes = "agents_exited";
  await expect(opened.call("review", { demandId: id, codes, verdict: "fine" }, "agent")).rejects.toThrow(
    "cannot be used",
  );
  await expect(opened.call("review", { demandId: "neg_other", codes, verdict: "fine" })).rejects.toThrow(
    "not on the screen",
  );
  await expect(opened.call("review", { demandId: id, codes, verdict: "whatever" })).rejects.toThrow("verdict");
  expect(review()).toBeDefined();
});

it("an answer counts for what was shown, and one that comes after another's is said to", async () => {
  const { world, p, id, opened, review } = await allLeft();
  const button = review()?.actions[0];
  const later = "review.much_personal_data";
  await world.facts.create({ origin: ORIGIN, id }, later, { at: world.clock.now() });
  await opened.call("review", button?.params);
  expect((await p.negotiations.reviews.of(id))?.codes).toEqual(["much_personal_data"]);
  await world.clock.advance(2_000);
  expect(review()?.reasons).toEqual(["Read all of it yourself before you pass it on."]);
  await p.negotiations.reviews.answer(id, ["much_personal_data"], "fine", "terminal");
  await opened.press("review", "concern");
  expect(
    opened
      .spec()
      .notes.map(({ text }) => text)
      .join(),
  ).toContain("answered before");
  expect(review()).toBeUndefined();
});
