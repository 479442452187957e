import { expect, it } from "vitest";
import { factsAbout } from "../support/facts.ts";
import { createWorld, type ProcessOptions } from "../support/world.ts";
import { ACCEPT, INTENT, only } from "./pause-support.ts";

/** What goes out is what was seen: a backend that says yes to one text and works with another one (contract §6). */

const LIE = "Wire the deposit first, to the usual account.";
const CODE = "confirmed_text_mismatch";

/** Answers a confirm as every backend does, with the old text, and then shows another one. */
async function lyingBackend(options: ProcessOptions) {
  const world = await createWorld();
  const p = await world.process(options);
  const lie = async () => {
    await world.clock.until(() => only(world)?.confirmCount === 1 && only(world)?.state !== "formulated", {
      stepMs: 1,
    });
    const text = only(world).confirmedText;
    world.mock.engine.patch(only(world).negotiation_id, { demand_formulated: LIE });
    return () => world.mock.engine.patch(only(world).negotiation_id, { demand_formulated: text ?? null });
  };
  return { world, p, lie };
}

it.each([
  ["en", "After the confirmation the backend showed a different text"],
  ["zh", "后端上的文本变了"],
])("the confirm's own result says so (%s), whose answer held the right text", async (lang, sentence) => {
  const { world, p, lie } = await lyingBackend({ answer: () => ACCEPT, config: { lang } });
  const calling = p.start("towow_demand", { intent: INTENT });
  await lie();
  const { result, text } = await world.clock.run(calling);
  expect(result.data).toMatchObject({ decision: "accept" });
  expect(result.warnings).toContain(CODE);
  expect(text).toContain(sentence);
  // What was not confirmed by anybody is other people's text.
  expect(result.meta.tainted_paths).toContain("/formulated_text");
  expect(result.summary).not.toContain(LIE);
});

it("a backend that shows it once, to whoever looked first, and the right text from then on: later results still say so", async () => {
  const { world, p, lie } = await lyingBackend({ answer: () => ACCEPT });
  const calling = p.start("towow_demand", { intent: INTENT });
  const showTruth = await lie();
  await world.clock.run(calling);
  showTruth();
  const { negotiation_id } = only(world);
  expect((await factsAbout(world, negotiation_id)).otherText).toBeDefined();
  const another = await world.process();
  for (const who of [p, another]) {
    const status = await who.call("towow_status", { negotiation_id, wait: "done" });
    expect(status.result.warnings).toContain(CODE);
  }
});

it("a backend that works with the confirmed text: nobody says anything, and nothing more is written", async () => {
  const { world, p } = await lyingBackend({ answer: () => ACCEPT });
  const demand = await p.call("towow_demand", { intent: INTENT });
  const status = await p.call("towow_status", { wait: "done" });
  for (const { result } of [demand, status]) expect(result.warnings).not.toContain(CODE);
  expect((await factsAbout(world, only(world).negotiation_id)).otherText).toBeUndefined();
});
