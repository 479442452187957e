import { expect, it } from "vitest";
import { type FeedEvidence, NO_EVIDENCE } from "../../src/feed/evidence.ts";
import { SANITIZE_DEFAULTS } from "../../src/safety/sanitize/options.ts";
import { evidenceInResult, holdsTexts } from "../../src/tools/evidence-in-result.ts";
import { HOSTILE } from "../safety/hostile-corpus.ts";
import { forEachEntry } from "../support/entries.ts";

const has = (text: string, what: string | RegExp) => (typeof what === "string" ? text.includes(what) : what.test(text));

/** A text in every place of a feed that holds one; ids stay exact, because the next call needs them. */
const everywhere = (text: string): FeedEvidence => ({
  ...NO_EVIDENCE,
  filtered: [{ agent_id: "agent_1", display_name: text, resonance_score: 0.4 }],
  filteredCount: 1,
  centerCalls: [{ tool_name: text, round_number: 1 }],
  subDemands: [{ negotiation_id: "neg_2", text }],
  plan: {
    textHash: "hash",
    tasks: [{ id: "task_1", title: text, description: text, assignee_id: "agent_1", prerequisites: ["task_0"] }],
  },
});

const stringsIn = (value: unknown): string[] =>
  typeof value === "string" ? [value] : value instanceof Object ? Object.values(value).flatMap(stringsIn) : [];

it("no hostile text reaches a model as it was, wherever in the feed it stands", () =>
  forEachEntry(
    HOSTILE,
    ({ name }) => name,
    async ({ text, loses, warns }) => {
      const shown = await evidenceInResult(everywhere(text), SANITIZE_DEFAULTS);
      for (const one of stringsIn(shown?.value))
        for (const what of loses) expect(has(one, what), `${one} holds ${what}`).toBe(false);
      if (warns === "suspicious_instructions") expect(shown?.warnings).toContain(warns);
    },
  ));

it("is bounded, and nothing where the feed said nothing", async () => {
  expect(await evidenceInResult(NO_EVIDENCE, SANITIZE_DEFAULTS)).toBeUndefined();
  const long = everywhere("x".repeat(2_000));
  const many: FeedEvidence = {
    ...long,
    filtered: Array.from({ length: 100 }, (_, i) => ({ agent_id: `a${i}`, display_name: "A", resonance_score: i })),
    filteredCount: 3_000,
    plan: { ...long.plan!, tasks: Array.from({ length: 100 }, () => long.plan!.tasks[0]!) },
  };
  const { value, warnings } = (await evidenceInResult(many, SANITIZE_DEFAULTS))!;
  expect(value.left_out?.agents.map(({ resonance_score }) => resonance_score)).toEqual([
    99, 98, 97, 96, 95, 94, 93, 92, 91, 90,
  ]);
  expect([value.left_out?.count, value.tasks?.length]).toEqual([3_000, 50]);
  expect(value.tasks?.[0]?.description.length).toBeLessThan(300);
  expect(warnings).toContain("truncated_output");
});

it("the engine's own tools are no orders; the same word as a name, or with another beside it, still is", async () => {
  const tools = ["output_plan", "ask_agent", "start_discovery", "create_sub_demand", "create_machine"];
  const calls = (...names: string[]) => ({
    ...NO_EVIDENCE,
    centerCalls: names.map((tool_name) => ({ tool_name, round_number: 1 })),
  });
  const own = await evidenceInResult(calls(...tools), SANITIZE_DEFAULTS);
  expect([own?.warnings, own?.value.center_calls]).toEqual([[], tools]);
  for (const one of ["create_sub_demand_now", "Create_Sub_Demand", "create sub demand", "cancel_negotiation"])
    expect((await evidenceInResult(calls(one), SANITIZE_DEFAULTS))?.warnings, one).toContain("suspicious_instructions");
  const filtered = [{ agent_id: "a", display_name: "create_sub_demand", resonance_score: 0.4 }];
  const named = await evidenceInResult({ ...NO_EVIDENCE, filtered, filteredCount: 1 }, SANITIZE_DEFAULTS);
  expect(named?.warnings).toContain("suspicious_instructions");
});

it("names alone lead nobody; a text does", () => {
  expect(holdsTexts({ left_out: { count: 1, agents: [] }, center_calls: ["output_plan"] })).toBe(false);
  expect(holdsTexts({ sub_demands: [{ negotiation_id: "n", text: "t" }] })).toBe(true);
  expect(holdsTexts({ tasks: [{ id: "t", title: "t", description: "", assignee_id: "a", after: [] }] })).toBe(true);
});
