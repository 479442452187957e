import { describe, expect, it } from "vitest";
import { ACCEPT, FIVE_MINUTES, INTENT, only, pauseWithoutForms } from "../ask/pause-support.ts";
import { confirms } from "../support/backend.ts";
import { type Answer, editing, READING_MS } from "../support/clients.ts";
import { factsAbout } from "../support/facts.ts";
import { createWorld, type World } from "../support/world.ts";

/** More than the form's field shows, so that it is asked about again. */
const OWN_WORDS = "My own words, which are many more than the field of a form shows at once.";

/** Who decides, and on what: calls and processes at once, ids that are not the question's, texts that change. */

describe("no confirm without a decision", () => {
  it("parallel calls: the demand and a second decision while its form is open", async () => {
    const world = await createWorld();
    let reply: (answer: Answer) => void = () => {};
    const p = await world.process({ answer: () => new Promise((resolve) => (reply = resolve)) });
    const first = p.start("towow_demand", { intent: INTENT });
    await world.clock.until(() => p.forms.length === 1);
    const second = p.start("towow_demand", { negotiation_id: only(world).negotiation_id, decision: "accept" });
    await world.clock.until(() => p.forms.length === 2);
    expect(confirms(world.mock)).toHaveLength(0);
    await world.clock.advance(READING_MS);
    reply({ action: "decline" });
    await world.clock.run(second);
    expect(only(world)).toMatchObject({ cancelled: true, confirmCount: 0 });
    void first.catch(() => {});
  });

  it("a client that fails to show the question: undecided, and the result says how to go on", async () => {
    const world = await createWorld();
    const p = await world.process({ answer: () => Promise.reject(new Error("no window to show it in")) });
    const { result, text } = await p.call("towow_demand", { intent: INTENT });
    expect(result).toMatchObject({ status: "degraded", error: null, data: { state: "formulated" } });
    expect(result.data.resume_with.params.negotiation_id).toBe(only(world).negotiation_id);
    expect(text).not.toContain("no window");
    expect(confirms(world.mock)).toHaveLength(0);
    await world.clock.advance(FIVE_MINUTES);
    expect(only(world)).toMatchObject({ cancelled: true, confirmCount: 0 });
  });

  it("a look while a form about the person's own text is open: its answer still counts, about its own text", async () => {
    const world = await createWorld();
    let reply: (answer: Answer) => void = () => {};
    const author = await world.process();
    const typing = editing(OWN_WORDS);
    const p = await world.process({
      answer: (form) => (form.message === OWN_WORDS ? new Promise((resolve) => (reply = resolve)) : typing(form)),
    });
    const params = await pauseWithoutForms(world, author);
    const edits = p.start("towow_demand", { negotiation_id: params.negotiation_id });
    await world.clock.until(() => p.forms.length === 3);
    const looked = await author.call("towow_status", { negotiation_id: params.negotiation_id });
    expect(looked.result.data.resume_with.params.confirmation_id).toBe(params.confirmation_id);
    reply(ACCEPT);
    const edited = await world.clock.run(edits);
    expect(edited.result.data).toMatchObject({ decision: "edit", decided_by: "form" });
    expect(only(world)).toMatchObject({ confirmedText: OWN_WORDS, confirmCount: 1 });
  });

  it("two processes deciding at once: one wins, the other is told who was first", async () => {
    const world = await createWorld();
    const a = await world.process();
    const b = await world.process();
    const params = await pauseWithoutForms(world, a);
    const [first, second] = await world.clock.run(
      Promise.all([
        a.start("towow_demand", { ...params, decision: "accept" }),
        b.start("towow_demand", { ...params, decision: "edit", confirmed_text: "Another text" }),
      ]),
    );
    expect(confirms(world.mock)).toHaveLength(1);
    const loser = [first, second].find((r) => r.isError);
    expect(loser?.result.error).toMatchObject({ code: "tool.negotiation.conflict.already_decided" });
    expect(loser?.text).toMatch(/already decided: confirmed/);
    expect(only(world).confirmCount).toBe(1);
  });
});

describe.each([null, "", " \u2800\u00a0\u200b"])(
  "a network that gives %j for the formulated text",
  (demand_formulated) => {
    const blank: World["rewrite"] = (body) =>
      (body as { state?: string }).state === "formulated" ? { ...(body as object), demand_formulated } : body;

    it("is agreed to by nobody: no form asks about it, and the word of an AI does not send it", async () => {
      const world = await createWorld();
      world.rewrite = blank;
      const asking = await world.process({ answer: () => ({ action: "accept", content: { decision: "accept" } }) });
      await asking.call("towow_demand", { intent: INTENT });
      expect(asking.forms.filter((form) => "requestedSchema" in form)).toEqual([]);
      const plain = await world.process();
      const { result } = await plain.call("towow_demand", { intent: `${INTENT}, by Friday` });
      const accepted = await plain.call("towow_demand", { ...result.data.resume_with.params, decision: "accept" });
      expect(accepted.result.error?.code).toBe("tool.negotiation.invalid.confirmed_text_empty");
      await world.clock.advance(299_000);
      expect(confirms(world.mock)).toEqual([]);
      expect(world.mock.negotiations().map(({ cancelled }) => cancelled)).toEqual([true, true]);
    });

    it("can be answered by a text of the person's", async () => {
      const world = await createWorld();
      world.rewrite = blank;
      const p = await world.process();
      const { result } = await p.call("towow_demand", { intent: INTENT });
      const edit = { decision: "edit", confirmed_text: "A designer, please" };
      const edited = await p.call("towow_demand", { ...result.data.resume_with.params, ...edit });
      expect(edited.result.data.decision).toBe("edit");
      expect(world.mock.negotiations()[0]).toMatchObject({ confirmedText: "A designer, please" });
    });
  },
);

it("two equal yeses a moment apart confirm once", async () => {
  const world = await createWorld();
  const p = await world.process();
  const params = await pauseWithoutForms(world, p);
  world.mock.faults.add({ route: "get", kind: "delay", delayMs: 20, skip: 1 });
  await world.clock.run(Promise.all([1, 2].map(() => p.start("towow_demand", { ...params, decision: "accept" }))), {
    stepMs: 5,
  });
  expect(confirms(world.mock)).toHaveLength(1);
});

it("accept means the text that this confirmation id showed, not the one beneath an edit", async () => {
  const world = await createWorld();
  const edited = "A nurse instead, with patience, and with more to say than a field of a form shows.";
  const typing = editing(edited);
  const withForms = await world.process({
    answer: (form) => (form.message === edited ? { action: "cancel" } : typing(form)),
    flags: { mode: "developer" },
  });
  const without = await world.process({ flags: { mode: "developer" } });
  const { result } = await withForms.call("towow_submit_demand", { intent: INTENT, scene_id: world.sceneId });
  await world.clock.advance(2_000);
  const { negotiation_id } = result.data;
  // The form about the person's own text stays unanswered; its id is no word about the backend's.
  await withForms.call("towow_confirm", { negotiation_id });
  expect(withForms.forms.at(-1)?.message).toBe(edited);
  const { asked } = await factsAbout(world, negotiation_id);
  const confirmation_id = asked.find((it) => it.shown_hash !== it.formulated_hash)?.question_id;
  expect(confirmation_id).toBeDefined();
  await without.call("towow_confirm", { negotiation_id, confirmation_id, decision: "accept" });
  expect(confirms(world.mock).map((e) => (e.body as { confirmed_text: string }).confirmed_text)).toEqual([]);
});
