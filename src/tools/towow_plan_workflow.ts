import * as z from "zod";
import { KEPT_MS } from "../session/kept-results.ts";
import { joinList } from "../text/join.ts";
import { reportTexts } from "../text/report.ts";
import { defineTool } from "./define.ts";
import { negotiationIdField } from "./fields.ts";
import { isListed, mayRun } from "./policy.ts";
import { needsField } from "./report-fields.ts";
import { GOALS, inputsOf, stepsOf, switchPointsOf } from "./workflow-plan.ts";

const ref = z.object({ step: z.string(), pointer: z.string() });
const count = z.number();

/** Plans the calls for a goal (agent layer §8), so that an agent need not copy any value from one call to the next. */
export const towowPlanWorkflow = defineTool({
  name: "towow_plan_workflow",
  description:
    "Plan the calls for a goal: each step with its tool, params, sources of its arguments, cost, and where a person decides. It runs nothing and asks no backend. Run a step as it stands, with each input_ref as { ref: '<cache_key of that step>#<pointer>' }; stop where check or stops_for_person says so.",
  modes: [],
  toolsets: ["reports"],
  kind: "local_read",
  input: () =>
    z.strictObject({
      goal: z.enum(GOALS).describe("What is wanted at the end"),
      scene: z.string().max(200).describe("A scene's id, or words it is found by").optional(),
      intent: z.string().max(20_000).describe("The need, in the person's own words").optional(),
      raw_content: z.string().max(20_000).describe("What the person wrote about themselves").optional(),
      negotiation_ids: z.array(negotiationIdField("A negotiation")).max(10).optional(),
      needs: needsField(),
    }),
  output: () =>
    z.object({
      goal: z.string(),
      missing_inputs: z.array(z.string()),
      workflow_inputs: z.array(z.object({ name: z.string(), required: z.boolean(), given: z.boolean() })),
      steps: z.array(
        z.object({
          id: z.string(),
          tool: z.string(),
          params: z.record(z.string(), z.unknown()),
          input_refs: z.record(z.string(), z.union([ref, z.array(ref)])),
          artifact_refs: z.array(z.object({ name: z.string(), pointer: z.string() })),
          depends_on: z.array(z.string()),
          policy: z.object({
            read_only: z.boolean(),
            sends: z.boolean(),
            stops_for_person: z.boolean(),
            listed: z.boolean(),
            runs_under_profile: z.boolean(),
            check: z.string().optional(),
          }),
          cost: z.object({ backend_reads: count, backend_writes: count, negotiations: count }),
        }),
      ),
      workflow_policy: z.object({
        results_kept_s: count.describe("How long a later step can refer to a result by its cache_key"),
        toolset: z.string(),
        profile: z.string(),
        switch_points: z
          .record(z.string(), z.string())
          .describe("By step: the least profile that it and those after it need, where that changes"),
        stops: z.array(z.string()).describe("Steps at which a person decides"),
        inactive: z.array(z.string()).describe("Tools that cannot be called as things are"),
      }),
      totals: z.object({ steps: count, backend_reads: count, backend_writes: count, negotiations: count }),
    }),
  async handler({ goal, ...inputs }, { mode, settings, texts, toolNamed }) {
    const steps = stepsOf(goal, inputs, settings, (name) => {
      const tool = toolNamed(name);
      return { tool, listed: isListed(tool, mode, settings), runs: mayRun(tool, settings) };
    });
    const workflow_inputs = inputsOf(goal, inputs, settings);
    const missing = workflow_inputs.filter(({ required, given }) => required && !given).map(({ name }) => name);
    const total = (what: "backend_reads" | "backend_writes" | "negotiations") =>
      steps.reduce((sum, { cost }) => sum + cost[what], 0);
    const blocked = steps.filter(({ policy }) => !policy.listed || !policy.runs_under_profile);
    const { tool } = reportTexts(texts.lang);
    const stops = steps.filter(({ policy }) => policy.stops_for_person).map(({ id }) => id);
    return {
      summary: [
        tool.planned(steps.length, stops.length),
        ...(missing.length > 0 ? [tool.missing(joinList(missing, texts.lang))] : []),
        ...(blocked.length > 0
          ? [tool.inactive(joinList([...new Set(blocked.map((step) => step.tool))], texts.lang))]
          : []),
      ].join("\n"),
      data: {
        goal,
        missing_inputs: missing,
        workflow_inputs,
        steps,
        workflow_policy: {
          results_kept_s: KEPT_MS / 1000,
          toolset: steps.every((step) => step.policy.read_only) ? "reports" : "all",
          profile: steps.every((step) => step.policy.read_only) ? "read_only" : "live",
          switch_points: switchPointsOf(steps),
          stops,
          inactive: [...new Set(blocked.map((step) => step.tool))],
        },
        totals: {
          steps: steps.length,
          backend_reads: total("backend_reads"),
          backend_writes: total("backend_writes"),
          negotiations: total("negotiations"),
        },
      },
    };
  },
});
