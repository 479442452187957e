import { describe, expect, it } from "vitest";
import { cancels, confirms } from "../support/backend.ts";
import { createWorld, type ProcessOptions } from "../support/world.ts";
import { INTENT, only, pauseWithoutForms } from "./pause-support.ts";

/** A yes to the shown text, beside a text of the person's own: the one would go out, and the other be dropped. */

const OWN = "A designer in Vienna, from May on.";
const CODE = "tool.negotiation.invalid.two_texts";
const DEVELOPER = { flags: { mode: "developer" } };
const HIDDEN = "A designer\u200B for a queue pilot";

async function waiting(options: ProcessOptions = {}, text?: string) {
  const world = await createWorld();
  world.mock.engine.formulateWith((intent) => text ?? `${intent}, by the network`);
  const p = await world.process({ ...DEVELOPER, ...options });
  const named = options.answer === undefined ? await pauseWithoutForms(world, p) : undefined;
  if (named === undefined) await p.call("towow_demand", { intent: INTENT });
  const params = named ?? { negotiation_id: only(world).negotiation_id };
  return { world, p, params, sent: () => [confirms(world.mock).length, cancels(world.mock).length] };
}

const WAYS: [string, ProcessOptions][] = [
  ["without a surface", {}],
  ["with forms", { answer: () => ({ action: "cancel" }) }],
  ["with pages", { answer: () => ({ action: "cancel" }), elicitation: { url: {} } }],
  ["with forms, in Chinese", { answer: () => ({ action: "cancel" }), config: { lang: "zh" } }],
];

describe.each(["towow_demand", "towow_confirm"])("%s", (tool) => {
  it.each(WAYS)("%s: accept with another text is refused, and nothing is asked or sent", async (_, options) => {
    const { p, params, sent } = await waiting(options);
    const asked = p.forms.length;
    const { result, isError } = await p.call(tool, { ...params, decision: "accept", confirmed_text: OWN });
    expect(isError).toBe(true);
    expect(result.error).toMatchObject({ code: CODE, can_retry: false, resume_with: { tool, params } });
    expect(result.error?.next_steps).toContain(tool);
    expect(JSON.stringify(result)).not.toContain(OWN);
    expect(p.forms).toHaveLength(asked);
    expect(sent()).toEqual([0, 0]);
  });

  it.each([
    ["their own", { decision: "edit", confirmed_text: OWN }, OWN],
    ["the shown one", { decision: "accept" }, `${INTENT}, by the network`],
  ])("the next step that it names sends %s", async (_, decision, text) => {
    const { world, p, params } = await waiting();
    const refused = await p.call(tool, { ...params, decision: "accept", confirmed_text: OWN });
    const { tool: next, params: named } = refused.result.error!.resume_with!;
    expect((await p.call(next, { ...named, ...decision })).result.error).toBeNull();
    expect(only(world).confirmedText).toBe(text);
  });

  it.each([
    ["nothing", "", undefined],
    ["the shown text", `${INTENT}, by the network`, undefined],
    ["a text with hidden characters, as it is", HIDDEN, HIDDEN],
    ["the same as the result writes it", HIDDEN.replace("\u200B", "\\u{200B}"), HIDDEN],
  ])("accept with %s is an accept", async (_, confirmed_text, text) => {
    const { world, p, params } = await waiting({}, text);
    const { result } = await p.call(tool, { ...params, decision: "accept", confirmed_text });
    expect(result.data).toMatchObject({ decision: "accept", decided_by: "argument" });
    expect(only(world).confirmedText).toBe(text ?? `${INTENT}, by the network`);
  });

  it.each([" ", "A designer"])("accept with %j, which is another text, is refused", async (confirmed_text) => {
    const { p, params, sent } = await waiting();
    const { result } = await p.call(tool, { ...params, decision: "accept", confirmed_text });
    expect(result.error?.code).toBe(CODE);
    expect(sent()).toEqual([0, 0]);
  });

  it("accept with the text that was shown, which has changed since, asks again", async () => {
    const { world, p, params, sent } = await waiting();
    world.mock.engine.setFormulatedText(only(world).negotiation_id, "Another text by the network");
    const confirmed_text = `${INTENT}, by the network`;
    const { result } = await p.call(tool, { ...params, decision: "accept", confirmed_text });
    expect(result.warnings).toContain("text_changed");
    expect(sent()).toEqual([0, 0]);
  });

  it("what is decided already is said first", async () => {
    const { p, params } = await waiting();
    await p.call(tool, { ...params, decision: "accept" });
    const { result } = await p.call(tool, { ...params, decision: "accept", confirmed_text: OWN });
    expect(result.error?.code).toBe("tool.negotiation.conflict.already_decided");
  });

  it("a rejection with a text stays a rejection", async () => {
    const { p, params, sent } = await waiting();
    await p.call(tool, { ...params, decision: "reject", confirmed_text: OWN });
    expect(sent()).toEqual([0, 1]);
  });

  it.each([{ config: { confirmation_policy: "strict" } }, { fromCommandLine: true as const }])(
    "where the text must be decided on elsewhere, that is the answer: %j",
    async (options) => {
      const { world, params, sent } = await waiting();
      const other = await world.process({ ...DEVELOPER, ...options });
      const { result } = await other.call(tool, { ...params, decision: "accept", confirmed_text: OWN });
      expect(result.error?.code).toBe("tool.policy.blocked.confirmation_required");
      expect(sent()).toEqual([0, 0]);
    },
  );
});

describe("beside an intent", () => {
  it.each([OWN, "A designer for another hospital"])("another demand, %j, is refused", async (intent) => {
    const { p, params, sent } = await waiting();
    const { result } = await p.call("towow_demand", { ...params, decision: "accept", intent });
    expect(result.error?.code).toBe(CODE);
    expect(sent()).toEqual([0, 0]);
  });

  it.each([INTENT, ` ${INTENT}\n`, `${INTENT}, by the network`])(
    "the same demand, %j, is an accept",
    async (intent) => {
      const { world, p, params } = await waiting();
      await p.call("towow_demand", { ...params, decision: "accept", intent });
      expect(only(world).confirmedText).toBe(`${INTENT}, by the network`);
    },
  );
});

it("towow_confirm without a confirmation_id refuses it too, where it would only have shown the text", async () => {
  const { p, params } = await waiting();
  const { negotiation_id } = params;
  const { result } = await p.call("towow_confirm", { negotiation_id, decision: "accept", confirmed_text: OWN });
  expect(result.error).toMatchObject({ code: CODE, resume_with: { params: { negotiation_id } } });
});

it("a text that was kept for an edit is taken where the edit names an empty one", async () => {
  const { world, p, params } = await waiting();
  const { negotiation_id, confirmation_id } = params;
  await p.call("towow_confirm", { negotiation_id, confirmed_text: OWN });
  await p.call("towow_confirm", { negotiation_id, confirmation_id, decision: "edit", confirmed_text: "" });
  expect(only(world).confirmedText).toBe(OWN);
});
