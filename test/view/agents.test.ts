import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { type Participant, participantSchema } from "../../src/backend/contract.ts";
import { agentState } from "../../src/negotiation/backend-states.ts";
import { agentOf, agentsOf, byResonance, initialsOf, offerOf, offersFirst, offerText } from "../../src/view/agents.ts";

const participant = (wire: Record<string, unknown> = {}): Participant =>
  participantSchema.parse({ agent_id: "a", display_name: "Ada", resonance_score: 0.5, state: "active", ...wire });

describe("where an agent stands", () => {
  it.each([
    ["it replied", { state: "replied", offer_content: "I can help." }, "offered", "offered"],
    ["it replied without a word", { state: "replied", offer_content: "" }, "offered", "offered"],
    ["its offer is there before its state is", { offer_content: { price: 3 } }, "offered", "offered"],
    ["nothing is there but an empty text", { offer_content: " " }, "waiting", "none"],
    ["nothing is there but an empty object", { offer_content: {} }, "waiting", "none"],
    ["it has not answered", {}, "waiting", "none"],
    ["it left, whatever it had said", { state: "exited", offer_content: "I can help." }, "left", "left"],
  ])("%s", (_, wire, now, atEnd) => {
    expect([agentState(participant(wire), false), agentState(participant(wire), true)]).toEqual([now, atEnd]);
  });

  test("only who made an offer that stands offers or lists anything", () => {
    const wire = fc.record({
      state: fc.constantFrom("active", "replied", "exited", "timeout", ""),
      offer_content: fc.option(fc.oneof(fc.string(), fc.jsonValue())),
      offer_capabilities: fc.option(fc.array(fc.string())),
    });
    fc.assert(
      fc.property(fc.array(wire, { maxLength: 6 }), fc.boolean(), (all, isOver) => {
        for (const agent of agentsOf({ participants: all.map(participant) }, isOver)) {
          expect(agent.offer !== null).toBe(agent.state === "offered");
          if (agent.offer === null) expect(agent.capabilities).toEqual([]);
          expect(agent.state === "none" && !isOver).toBe(false);
          expect(agent.state === "waiting" && isOver).toBe(false);
        }
      }),
    );
  });
});

test.each([
  ["Priya Raman", "PR"],
  ["Ana Maria Silva", "AS"],
  ["ana-maria silva", "AS"],
  ["陈若溪", "若溪"],
  ["Ada 王小明", "小明"],
  ["김민수", "민수"],
  ["straße", "S"],
  ["ßa", "S"],
  ["x", "X"],
  ["🦊 fox", "F"],
  ["🦊", "·"],
  ["  ", "·"],
])("initials of %j: %j", (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

test("an agent without a name is called by its id", () => {
  expect(agentOf(participant({ agent_id: "agent_7", display_name: " " }), false)).toMatchObject({
    name: "agent_7",
    initials: "A7",
  });
});

describe("the order", () => {
  test("of two thousand agents of one name loses nobody, and those that are equal stay where they were", () => {
    const participants = Array.from({ length: 2_000 }, (_, i) =>
      participant({ agent_id: `a${i}`, state: ["replied", "active", "exited"][i % 3], resonance_score: (i % 7) / 10 }),
    );
    const agents = agentsOf({ participants }, false);
    const index = new Map(agents.map((agent, i) => [agent.id, i]));
    for (const sorted of [byResonance(agents), offersFirst(agents)]) {
      expect(new Set(sorted.map(({ id }) => id)).size).toBe(2_000);
      for (const [i, agent] of sorted.entries()) {
        const next = sorted[i + 1];
        if (next === undefined || next.state !== agent.state) continue;
        expect(agent.score).toBeGreaterThanOrEqual(next.score);
        if (agent.score === next.score) expect(index.get(agent.id)).toBeLessThan(index.get(next.id) ?? 0);
      }
    }
    const states = offersFirst(agents).map(({ state }) => state);
    expect([...new Set(states)]).toEqual(["offered", "waiting", "left"]);
    expect(states.lastIndexOf("offered")).toBe(states.indexOf("waiting") - 1);
  });
});

describe("an offer as words and facts", () => {
  it.each<[string, unknown, string, [string, string][]]>([
    ["a text", "I can help.", "I can help.", []],
    ["a text with markup", "<b>I</b> can **help** [now](x)", "<b>I</b> can **help** [now](x)", []],
    ["words that begin with a bracket", "[1] is what I do {really}", "[1] is what I do {really}", []],
    ["words in an object", { content: "I can help.", days: 3 }, "I can help.", [["days", "3"]]],
    ["the engine's own structured one", { summary: "structured", days: 3 }, "structured", [["days", "3"]]],
    ["its content before its description", { description: "d", content: "c" }, "c", [["description", "d"]]],
    [
      "an object without words",
      { days: 3, remote: true },
      "",
      [
        ["days", "3"],
        ["remote", "true"],
      ],
    ],
    [
      "an object in an object",
      { price: { amount: 3, unit: "EUR" } },
      "",
      [
        ["price · amount", "3"],
        ["price · unit", "EUR"],
      ],
    ],
    ["a list in an object", { text: "t", days: ["Mon", "Tue"] }, "t", [["days", "Mon, Tue"]]],
    [
      "a list of objects",
      { steps: [{ title: "Visit" }, { title: "Build" }] },
      "",
      [
        ["steps · 1 · title", "Visit"],
        ["steps · 2 · title", "Build"],
      ],
    ],
    ["JSON that was sent as a text", '{"content":"I can help.","days":3}', "I can help.", [["days", "3"]]],
    ["the same in a fence", '```json\n{"content":"I can help."}\n```', "I can help.", []],
    ["a list", ["one", "two"], "one\ntwo", []],
    ["a number", 7, "7", []],
    ["what says nothing", { content: "", days: null, notes: [] }, "", []],
    ["nothing", null, "", []],
  ])("%s", (_, content, text, facts) => {
    expect(offerOf(content)).toEqual({ text, facts: facts.map(([term, value]) => ({ term, value })) });
  });

  test("no word, number or term of any JSON is lost, and nothing of it is shown as JSON", () => {
    const word = fc.stringMatching(/^[a-z]{1,8}$/);
    const json = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 3 }, word, fc.nat(999), fc.array(tie("value"), { maxLength: 3 }), tie("object")),
      object: fc.dictionary(word, tie("value"), { maxKeys: 3 }),
    })).value;
    const leavesIn = (value: unknown): string[] =>
      typeof value === "object" && value !== null ? Object.values(value).flatMap(leavesIn) : [String(value)];
    fc.assert(
      fc.property(json, fc.boolean(), (value, isText) => {
        const isObject = typeof value === "object";
        const shown = offerText(offerOf(isText && isObject ? JSON.stringify(value) : value));
        for (const leaf of leavesIn(value)) expect(shown).toContain(leaf);
        if (isObject) expect(shown).not.toMatch(/[{}[\]"]/);
      }),
    );
  });

  test("what is nested deeper than anybody writes is the text that it is", () => {
    const deep = "[".repeat(9_000) + "]".repeat(9_000);
    expect(offerOf(deep)).toEqual({ text: deep, facts: [] });
  });
});
