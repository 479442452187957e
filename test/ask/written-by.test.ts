import { describe, expect, it } from "vitest";
import { textsOf } from "../../src/text/index.ts";
import { networksText } from "../../src/view/text.ts";
import { editing } from "../support/clients.ts";
import { decisionAbout, seenOn } from "../support/facts.ts";
import { createWorld, type ProcessOptions } from "../support/world.ts";
import { INTENT, only, pauseWithoutForms } from "./pause-support.ts";

/** Whose words a text is, in what a tool answers: never what somebody says of it (contract §6). */

const FORMULATED = "A designer for hospital queues, four weeks.";

async function start(options: ProcessOptions, text: string | undefined = FORMULATED) {
  const world = await createWorld();
  if (text !== undefined) world.mock.engine.formulateWith(() => text);
  return { world, p: await world.process(options) };
}

describe.each(["en", "zh"] as const)("%s", (lang) => {
  const { author } = textsOf(lang);
  const config = { lang };

  const withAdded = author.added(networksText(INTENT, FORMULATED).share, author.ai);

  it("in the pause: what the network added to the AI's words, and the demand that it left as the AI sent it", async () => {
    for (const [text, by, said] of [
      [FORMULATED, "network", withAdded],
      [INTENT, "ai", author.ai],
    ] as const) {
      const { p } = await start({ config }, text);
      const { result, text: shown } = await p.call("towow_demand", { intent: INTENT });
      expect(result.data).toMatchObject({ written_by: by, difference: null });
      for (const channel of [result.summary, shown]) expect(channel).toContain(said);
    }
  });

  it("a demand that is not this home's: nobody here knows who wrote it, and it is not called the AI's", async () => {
    const { world, p } = await start({ config }, INTENT);
    const there = await world.process({ config, stranger: "elsewhere" });
    const { negotiation_id } = (await there.call("towow_demand", { intent: INTENT })).result.data;
    const { result } = await p.call("towow_demand", { negotiation_id });
    expect(result.data.written_by).toBeNull();
    expect(result.summary).not.toContain(author.ai);
  });

  it("a demand that is typed in a terminal is its person's own, and so is what the network left as it was", async () => {
    for (const [text, by, said] of [
      [FORMULATED, "network", author.added(networksText(INTENT, FORMULATED).share, author.person)],
      [INTENT, "person", author.person],
    ] as const) {
      const { p } = await start({ config, fromCommandLine: true, atTerminal: async () => true }, text);
      const { result } = await p.call("towow_demand", { intent: INTENT });
      expect(result.data.written_by).toBe(by);
      expect(result.summary).toContain(said);
    }
  });

  it("an edit that an AI passes on is its own, and the result shows how it differs from the network's", async () => {
    const { world, p } = await start({ config });
    const params = await pauseWithoutForms(world, p);
    const edit = { ...params, decision: "edit", confirmed_text: "A designer for clinic queues, two weeks." };
    const { result, text } = await p.call("towow_demand", edit);
    expect(result.data).toMatchObject({ decision: "edit", decided_by: "argument", written_by: "ai" });
    expect(result.data.difference).toBe("A designer for [-hospital-]{+clinic+} queues, [-four-]{+two+} weeks.");
    expect(result.meta.tainted_paths).toContain("/difference");
    expect(text).toContain(author.ai);
    // Nothing of it is other people's: the person's session may go on.
    const next = await p.call("towow_demand", { intent: "Another demand" });
    expect(next.result.data.resume_with.params.confirmation_id).toBeTruthy();
  });

  it.each([
    ["the network's own text", FORMULATED, "network", withAdded],
    ["the AI's, which the network left as it was", INTENT, "ai", author.ai],
  ] as const)("%s, accepted: no difference, and its author", async (_, formulated, by, said) => {
    const { world, p } = await start({ config }, formulated);
    const params = await pauseWithoutForms(world, p);
    const { result } = await p.call("towow_demand", { ...params, decision: "accept" });
    expect(result.data).toMatchObject({ written_by: by, difference: null });
    expect(result.summary).toContain(said);
    const status = await p.call("towow_demand", { negotiation_id: only(world).negotiation_id });
    expect(status.result.data).toMatchObject({ decision: "accept", written_by: by });
  });

  it("what came back in a form is not called the person's: a hook can type there", async () => {
    const { p } = await start({ config, answer: editing("Only a designer in Hangzhou.") });
    const { result } = await p.call("towow_demand", { intent: INTENT });
    expect(result.data).toMatchObject({ decision: "edit", decided_by: "form", written_by: "client" });
    expect(result.data.difference).toContain("{+");
    expect(result.summary).toContain(author.client);
    expect(result.summary).not.toContain(author.person);
  });
});

it("a yes to a text whose author nobody here knows is written with a word for it: an older program reads no yes without one", async () => {
  const { world, p } = await start({}, INTENT);
  const there = await world.process({ stranger: "elsewhere" });
  const { negotiation_id } = (await there.call("towow_demand", { intent: INTENT })).result.data;
  const negotiation = await world.clock.run(p.negotiations.get(negotiation_id));
  const question = await world.clock.run(p.negotiations.claimQuestion(negotiation, INTENT));
  const rendering = seenOn("terminal", INTENT);
  const accept = { negotiationId: negotiation_id, kind: "accept", confirmationId: question.id, rendering } as const;
  await world.clock.run(p.negotiations.decide(accept));
  expect((await decisionAbout(world, negotiation_id))?.display?.author).toBe("newer");
  const { result } = await p.call("towow_demand", { negotiation_id });
  expect(result.data).toMatchObject({ decision: "accept", written_by: null });
});

describe("a text that is typed, or that an AI wrote and a person took, has its writer", () => {
  const [OWN, VERSION] = ["Only a designer, in Hangzhou.", "A designer and a nurse."];
  /** `shown`: what stood there as a version by the AI. `formulated`: what the network made of the demand. */
  const TEXTS = [
    { name: "typed", text: OWN, by: "person" },
    { name: "typed in place of a version", text: OWN, shown: VERSION, by: "person" },
    { name: "typed as a version would be that was not shown", text: VERSION, by: "person" },
    { name: "the version that was shown", text: VERSION, shown: VERSION, by: "ai" },
    { name: "the version, and words behind it", text: `${VERSION} Or two.`, shown: VERSION, by: "person" },
    { name: "the network's own", text: FORMULATED, shown: VERSION, by: "network" },
    { name: "the network's own, which the AI gave as its version", text: FORMULATED, shown: FORMULATED, by: "network" },
    { name: "the demand, which the network left as it was", text: INTENT, formulated: INTENT, by: "sender" },
  ] as const;
  const SENDERS = { ai: {}, person: { fromCommandLine: true, atTerminal: async () => true } } as const;
  const SURFACES = { page: { browser: "known" }, terminal: {} } as const;
  const cells = TEXTS.flatMap((row) =>
    (["ai", "person"] as const).flatMap((sender) =>
      (["page", "terminal"] as const).map((surface) => ({
        shown: undefined,
        formulated: FORMULATED,
        ...row,
        sender,
        surface,
      })),
    ),
  );

  it.each(cells)("$name, on the $surface; the demand is by the $sender", async (cell) => {
    const { text, shown, formulated, sender, surface, by } = cell;
    const { world, p } = await start(SENDERS[sender], formulated);
    const id = String((await p.call("towow_demand", { intent: INTENT })).result.data.negotiation_id);
    const question = await world.clock.run(
      p.negotiations.claimQuestion(await world.clock.run(p.negotiations.get(id)), text),
    );
    const rendering = { ...seenOn(surface, text), ...SURFACES[surface] };
    const edit = {
      negotiationId: id,
      kind: "edit",
      confirmationId: question.id,
      rendering,
      text,
      candidate: shown,
    } as const;
    await world.clock.run(p.negotiations.decide(edit));
    expect(only(world).confirmedText).toBe(text);
    expect((await decisionAbout(world, id))?.display?.author).toBe(by === "sender" ? sender : by);
  });
});

it("a rejection has no author", async () => {
  const { p } = await start({ answer: () => ({ action: "accept", content: { decision: "reject" } }) });
  const { result } = await p.call("towow_demand", { intent: INTENT });
  expect(result.data).toMatchObject({ decision: "reject", written_by: null, difference: null });
});

it("two texts that are too long to be compared are not: the author is said all the same", async () => {
  const long = Array.from({ length: 3_000 }, (_, n) => `a${n}`).join(" ");
  const { world, p } = await start({}, long);
  const params = await pauseWithoutForms(world, p);
  const edit = { ...params, decision: "edit", confirmed_text: long.replaceAll("a", "b").slice(0, 19_000) };
  const { result } = await p.call("towow_demand", edit);
  expect(result.data).toMatchObject({ written_by: "ai", difference: null });
  expect(result.summary).toContain("Written by your AI");
});
