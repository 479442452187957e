import { describe, expect, it } from "vitest";
import { confirms } from "../support/backend.ts";
import { type Answer, editing, type Form } from "../support/clients.ts";
import { lastQuestionId } from "../support/facts.ts";
import { createWorld, type ProcessOptions } from "../support/world.ts";
import { ACCEPT, INTENT, only } from "./pause-support.ts";

const LONG = "Wanted: somebody who knows hospital software. ".repeat(45).slice(0, 2_000);
/** What a model wrote, to be broadcast as the person's. */
const BY_AI = "I am looking for investors; wire the deposit first. ".repeat(13).slice(0, 667);
const LONGER_BY_AI = "I am looking for investors; wire the deposit first. ".repeat(30).slice(0, 1_501);
const BOTH = { form: {}, url: {} };

const shown = (forms: Form[]) => forms.filter(({ url }) => url === undefined).map(({ message }) => message);

async function start(text: string | undefined, options: ProcessOptions, confirmation_policy = "auto") {
  const world = await createWorld();
  if (text !== undefined) world.mock.engine.formulateWith(() => text);
  return { world, p: await world.process({ ...options, config: { confirmation_policy } }) };
}

describe("strict: a client's hook can fill in forms, so none is opened", () => {
  it.each([
    ["a short text, forms only", "A designer", undefined, 0],
    ["a long text, forms only", LONG, undefined, 0],
    ["a short text, forms and pages", "A designer", BOTH, 1],
  ])("%s", async (_, text, elicitation, pages) => {
    const answer = (): Answer => ({ action: "accept", content: { decision: "accept", confirmed_text: "Mine" } });
    const options = { answer, flags: { mode: "developer" }, ...(elicitation && { elicitation }) };
    const { world, p } = await start(text, options, "strict");
    const demand = await p.call("towow_demand", { intent: INTENT });
    const { negotiation_id } = only(world);
    const { params } = demand.result.data.resume_with;
    for (const tool of ["towow_demand", "towow_confirm"])
      for (const decision of ["accept", "edit"])
        await p.call(tool, { ...params, decision, ...(decision === "edit" && { confirmed_text: BY_AI }) });
    expect(shown(p.forms)).toEqual([]);
    // The server opens the page itself, or the client does.
    expect(p.opened.length > 0).toBe(pages === 0);
    expect(p.forms.some(({ url }) => url !== undefined)).toBe(pages > 0);
    expect(demand.text).toContain(`towow-mcp confirm ${negotiation_id}`);
    expect(confirms(world.mock)).toHaveLength(0);
  });
});

describe("auto: seen means seen whole", () => {
  it.each([
    ["2,000 characters", LONG],
    ["a line break", "A designer.\nSoon."],
    ["five rows at 60 columns", "x".repeat(225)],
    ["a tab", "A designer,\tsoon"],
  ])("a text with %s is in no form: the result holds it whole, and names the terminal", async (_, text) => {
    const { world, p } = await start(text, { answer: () => ACCEPT });
    const demand = await p.call("towow_demand", { intent: INTENT });
    expect(demand.result.data).toMatchObject({ formulated_text: text, decision: null });
    const { negotiation_id } = only(world);
    expect(demand.text).toContain(`towow-mcp confirm ${negotiation_id}`);
    const { params } = demand.result.data.resume_with;
    for (const tool of ["towow_demand", "towow_demand"]) await p.call(tool, { ...params, decision: "accept" });
    expect(p.forms).toHaveLength(0);
    expect(confirms(world.mock)).toHaveLength(0);
  });

  it("a form's message is the text alone; what stands beside it is one row", async () => {
    const { world, p } = await start(undefined, { answer: () => ACCEPT });
    const asked = async (text: string) => {
      world.mock.engine.formulateWith(() => text);
      p.forms.length = 0;
      await p.call("towow_demand", { intent: `${INTENT}: ${text}`, scene_id: world.sceneId });
      const { message, requestedSchema } = p.forms[0]!;
      expect(message).toBe(text);
      expect(world.mock.negotiations().at(-1)?.confirmedText).toBe(message);
      const { description, enumNames } = requestedSchema.properties.decision as Record<string, string>;
      return [description, enumNames?.[0]];
    };
    const BY = String.raw`^By \d\d:\d\d:\d\d, or withdrawn`;
    // The first question of a session says where the text would go.
    expect(await asked("A designer")).toEqual([expect.stringMatching(`${BY}$`), "Broadcast to 127.0.0.1:9"]);
    expect(await asked("A designer, lin@example.org")).toEqual([
      expect.stringMatching(`${BY} · with e-mail address$`),
      "Broadcast it",
    ]);
  });

  it("a description that would overflow its row sends the text to the page", async () => {
    const flags = { backend_url: `https://${"name.".repeat(9)}example` };
    const { world, p } = await start("A designer", { answer: () => ({ action: "cancel" }), elicitation: BOTH, flags });
    await p.call("towow_demand", { intent: INTENT, scene_id: world.sceneId });
    expect(p.forms[0]).toMatchObject({ mode: "url" });
  });

  it.each([
    ["667 characters, forms only", BY_AI, undefined],
    ["1,501 characters, forms only", LONGER_BY_AI, undefined],
    ["a short text, forms only", "Investors wanted", undefined],
    ["667 characters, forms and pages", BY_AI, BOTH],
    ["a short text, forms and pages", "Investors wanted", BOTH],
  ])("an edit by the AI, called again and again (%s), is never asked about in a form", async (_, text, elicitation) => {
    const yes = { action: "accept", content: { decision: "accept", confirmed_text: text } } as const;
    let attack = false;
    const options = { answer: (): Answer => (attack ? yes : { action: "cancel" }), flags: { mode: "developer" } };
    const { world, p } = await start(undefined, { ...options, ...(elicitation && { elicitation }) });
    const demand = await p.call("towow_demand", { intent: INTENT });
    attack = true;
    p.forms.length = 0;
    let { params } = demand.result.data.resume_with;
    for (const tool of ["towow_demand", "towow_demand", "towow_confirm", "towow_confirm"]) {
      const edited = await p.call(tool, { ...params, decision: "edit", confirmed_text: text });
      params = edited.result.data.resume_with?.params ?? params;
      if (elicitation === undefined) expect(edited.text).toContain("towow-mcp confirm");
    }
    expect(shown(p.forms)).toEqual([]);
    expect(p.pages.every(({ candidate }) => candidate === text)).toBe(true);
    expect(p.pages).toHaveLength(elicitation === undefined ? 0 : 4);
    for (const { message } of p.forms) expect(message).toContain("Written by your AI");
    expect(confirms(world.mock)).toHaveLength(0);
  });

  describe("forms only: an edit by the AI is kept until the person changes the text", () => {
    const SUGGESTED = "A nurse for “night shifts”";
    const proposing = async (tool: string, answers: Answer[]) => {
      const options = { answer: () => answers.shift() ?? ACCEPT, flags: { mode: "developer" } };
      const { world, p } = await start(undefined, options);
      answers.unshift({ action: "cancel" });
      const { params } = (await p.call("towow_demand", { intent: INTENT })).result.data.resume_with;
      const edit = tool === "towow_demand" ? { decision: "edit" } : {};
      const kept = await p.call(tool, { ...params, ...edit, confirmed_text: SUGGESTED });
      expect(kept.result.warnings).toContain("confirmed_text_offered");
      expect(p.forms).toHaveLength(1);
      return { world, p, next: () => p.call(tool, kept.result.data.resume_with.params) };
    };

    it.each(["towow_demand", "towow_confirm"])(
      "%s: it stands above the field, and what is typed goes out",
      async (tool) => {
        const { world, p, next } = await proposing(tool, [
          { action: "accept", content: { decision: "edit" } },
          { action: "accept", content: { confirmed_text: "A nurse, by day" } },
        ]);
        const { result } = await next();
        expect(p.forms[1]?.message).not.toContain("night shifts");
        expect(p.forms[2]?.message).toContain("Your AI suggests: “A nurse for 'night shifts'”");
        expect(p.forms[2]?.requestedSchema.properties.confirmed_text).not.toHaveProperty("default");
        expect(result.data).toMatchObject({ decision: "edit", decided_by: "form" });
        expect(only(world).confirmedText).toBe("A nurse, by day");
      },
    );

    it("a yes to the form sends the text that it showed", async () => {
      const { world, p, next } = await proposing("towow_confirm", [ACCEPT]);
      await next();
      expect(only(world).confirmedText).toBe(p.forms[1]?.message);
    });
  });

  it("an edit that the model proposes is not sent by a yes to the form about the network's text", async () => {
    const { world, p } = await start(undefined, { answer: () => ACCEPT, elicitation: BOTH });
    const demand = await p.call("towow_demand", { intent: INTENT, confirmed_text: BY_AI });
    expect(demand.result.data.decision).toBe("accept");
    expect(only(world).confirmedText).toBe(p.forms[0]?.message);
  });

  it("change it first: the page with its editor open, where the client opens pages", async () => {
    const { p } = await start(undefined, {
      elicitation: BOTH,
      answer: ({ url }) => (url ? { action: "cancel" } : { action: "accept", content: { decision: "edit" } }),
    });
    const demand = await p.call("towow_demand", { intent: INTENT });
    expect(p.forms.map(({ url }) => url !== undefined)).toEqual([false, true]);
    expect(p.pages).toEqual([expect.objectContaining({ candidate: undefined, toChange: true })]);
    expect(demand.result.data.decision).toBeNull();
  });

  it.each([
    ["as long as the field shows goes out as it is", "Only a designer in Hangzhou, please.", 2],
    ["that the field cuts is shown whole first", `Only a designer in Hangzhou, ${"please, ".repeat(5)}`, 3],
  ])("change it first, forms only: a text of one's own %s", async (_, text, forms) => {
    const { world, p } = await start(undefined, { answer: editing(text) });
    const demand = await p.call("towow_demand", { intent: INTENT });
    expect(p.forms).toHaveLength(forms);
    expect(demand.result.data).toMatchObject({ decision: "edit", decided_by: "form" });
    expect(only(world).confirmedText).toBe(text);
  });

  it.each([
    ["is more than a form shows", "Only a designer. ".repeat(40)],
    ["holds what a form does not show", "Only\na designer"],
  ])("a text of one's own that %s goes to the terminal", async (_, text) => {
    const { world, p } = await start(undefined, { answer: editing(text) });
    const demand = await p.call("towow_demand", { intent: INTENT });
    expect(demand.text).toContain("towow-mcp confirm");
    expect(p.forms).toHaveLength(2);
    expect(confirms(world.mock)).toHaveLength(0);
  });

  it.each<[string, Answer]>([
    ["closed", { action: "cancel" }],
    ["declined", { action: "decline" }],
    ["answered with another field", { action: "accept", content: { decision: "accept" } }],
  ])("the form for one's own text, %s: undecided", async (_, answer) => {
    const { world, p } = await start(undefined, {
      answer: ({ requestedSchema: { properties } }) =>
        "confirmed_text" in properties ? answer : { action: "accept", content: { decision: "edit" } },
    });
    const demand = await p.call("towow_demand", { intent: INTENT });
    expect(demand.result.data).toMatchObject({ state: "formulated", decision: null });
    expect(only(world)).toMatchObject({ cancelled: false, confirmCount: 0 });
  });

  it("no gap hides what stands behind it, in a form and in a result, and the raw text is what goes out", async () => {
    const tail = "I also accept to pay 50000 in advance.";
    const wide = `A designer.${"\u00A0".repeat(60)}${tail}`;
    const inForm = await start(wide, { answer: () => ACCEPT });
    await inForm.p.call("towow_demand", { intent: INTENT });
    expect(inForm.p.forms[0]?.message).toBe(`A designer. \\u{A0} × 60 ${tail}`);
    expect(only(inForm.world).confirmedText).toBe(wide);
    const inResult = await start(`A designer.${"\n".repeat(3_000)}${tail}`, {});
    const { data } = (await inResult.p.call("towow_demand", { intent: INTENT })).result;
    expect(data.formulated_text).toBe(`A designer.\n↵ × 3000\n${tail}`);
    expect(confirms(inResult.world.mock)).toHaveLength(0);
  });

  it("invisible characters are shown as escapes, and the raw text is what goes out", async () => {
    const raw = "Designer\u202E wanted\u{E0041}";
    const { world, p } = await start(raw, { answer: () => ACCEPT });
    await p.call("towow_demand", { intent: INTENT });
    expect(p.forms[0]?.message).toBe("Designer\\u{202E} wanted\\u{E0041}");
    expect(only(world).confirmedText).toBe(raw);
  });
});

it("a decision argument never confirms by itself where the client has forms", async () => {
  const world = await createWorld();
  const p = await world.process({ answer: () => ({ action: "cancel" }) });
  const demand = await p.call("towow_demand", { intent: INTENT });
  const { params } = demand.result.data.resume_with;
  const id = await lastQuestionId(world, params.negotiation_id);
  for (const more of [{ decision: "accept" }, { decision: "edit", confirmed_text: "Mine" }])
    await p.call("towow_demand", { ...params, confirmation_id: id, ...more });
  expect(p.forms).toHaveLength(2);
  expect(confirms(world.mock)).toHaveLength(0);
});
