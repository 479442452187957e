import { expect, it } from "vitest";
import { resultLines } from "../../src/commands/call/shown.ts";
import type { ToolResult } from "../../src/result/tool-result.ts";
import { paintWith } from "../../src/terminal/paint.ts";
import { cliTexts } from "../../src/text/cli.ts";
import { textsOf } from "../../src/text/index.ts";
import { watchTexts } from "../../src/text/watch.ts";

const shown = (data: object, width = 60): string => {
  const format = { width, paint: paintWith(false), texts: watchTexts("en"), all: textsOf("en"), timeOfDay: String };
  const result = { status: "ok", summary: "Done.", data, warnings: [], error: null, meta: {} };
  return resultLines(result as unknown as ToolResult, cliTexts("en").call, format).join("\n");
};

it("what is worth a second look reads as sentences; its evidence stays with programs", () => {
  const risk = {
    code: "no_resonance",
    severity: "high",
    reason: "No agent reached the threshold.",
    evidence_path: "/p",
  };
  const text = shown({
    risks: [{ ...risk, follow_up: "Say it in other words." }],
    evidence: { left_out: { count: 7 } },
  });
  expect(text).toContain("! No agent reached the threshold. Say it in other words.");
  expect(text).not.toMatch(/[{}[\]"]|evidence|left_out/);
});

it("what the first sentence says already is not said again", () => {
  const withdrawn = { code: "withdrawn", severity: "low", reason: "Done.", evidence_path: "/p" };
  expect(shown({ risks: [withdrawn], state: "completed" })).toBe("Done.\n\nstate  completed");
});

it("a plan stands under one heading, whatever language it is written in", () => {
  const text = shown({ plan_output: "## Plan\n\n- Ada: design" });
  expect(text).toMatch(/^── The plan ─+$/m);
  expect(text).not.toMatch(/^Plan$/m);
});

it("where a list has no room for columns, each value has its name, and a description needs none", () => {
  const scene = {
    scene_id: "scene_00fb86738b42",
    name: "Studio",
    description: "Small teams",
    agents: 8,
    status: "active",
  };
  expect(shown({ scenes: [scene] }, 24)).toContain("name: Studio");
  expect(shown({ scenes: [scene] }, 24)).not.toContain("description:");
});
