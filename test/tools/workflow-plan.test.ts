import { describe, expect, it } from "vitest";
import { toolNamed } from "../../src/tools/index.ts";
import { GOALS, type WorkflowStep } from "../../src/tools/workflow-plan.ts";
import { requests } from "../support/backend.ts";
import { createWorld, PROFILE } from "../support/world.ts";

const LAST = { last_scene_id: "scene_0123456789ab", last_negotiation_id: "neg_0123456789ab" };
const NO_LAST = { last_scene_id: undefined, last_negotiation_id: undefined };
const GIVEN = { scene: "AI", intent: "A designer", raw_content: "I draw.", negotiation_ids: ["neg_1"], needs: ["x"] };
const BLANK = { scene: " ", intent: "\n", raw_content: "", negotiation_ids: [], needs: [] };

interface Plan {
  missing_inputs: string[];
  workflow_inputs: { name: string; required: boolean; given: boolean }[];
  steps: WorkflowStep[];
}

async function planner(config: Record<string, unknown>) {
  const world = await createWorld();
  const p = await world.process({ config: { toolset: "all", ...config } });
  return async (args: Record<string, unknown>): Promise<Plan> =>
    (await p.call("towow_plan_workflow", args)).result.data;
}

/** What the step's own tool refuses of its params, and what it still lacks beside them and the references. */
function problemsOf({ tool, params, input_refs }: WorkflowStep) {
  const { input } = toolNamed(tool);
  const refused = input.partial().safeParse(params).error?.issues ?? [];
  const whole = input.safeParse(params).error?.issues ?? [];
  const lacking = whole.map(({ path }) => String(path[0])).filter((name) => !(name in params) && !(name in input_refs));
  return { refused, lacking };
}

describe.each([
  ["nothing known", NO_LAST],
  ["the last scene and negotiation known", LAST],
])("a plan with %s", (_, config) => {
  it.each(GOALS)("%s: no step holds a param that its tool refuses", async (goal) => {
    const plan = await planner(config);
    for (const inputs of [GIVEN, {}, BLANK]) {
      const { steps, missing_inputs } = await plan({ goal, ...inputs });
      for (const step of steps) {
        const { refused, lacking } = problemsOf(step);
        expect(refused, step.id).toEqual([]);
        if (inputs === GIVEN || missing_inputs.length === 0) expect(lacking, step.id).toEqual([]);
      }
    }
  });
});

describe("an input that nobody gives", () => {
  it("is missing where nothing is known", async () => {
    const plan = await planner(NO_LAST);
    for (const inputs of [{}, BLANK]) {
      const missing = async (goal: string) => (await plan({ goal, ...inputs })).missing_inputs;
      expect(await missing("demand")).toEqual(["scene", "intent"]);
      expect(await missing("demand_to_brief")).toEqual(["scene", "intent"]);
      expect(await missing("compare")).toEqual(["negotiation_ids"]);
      expect(await missing("brief")).toEqual(["negotiation_ids"]);
    }
  });

  it("is what the tools would take by themselves: the scene joined last, the newest negotiation", async () => {
    const plan = await planner(LAST);
    const demand = await plan({ goal: "demand", intent: "A designer" });
    expect(demand.missing_inputs).toEqual([]);
    expect(demand.workflow_inputs).toContainEqual({ name: "scene", required: false, given: false });
    expect(demand.steps.map(({ id, params, depends_on }) => [id, params, depends_on])).toEqual([
      ["demand", { intent: "A designer", scene_id: LAST.last_scene_id }, []],
      ["wait", { wait: "done" }, ["demand"]],
    ]);
    const compare = await plan({ goal: "compare" });
    expect(compare.missing_inputs).toEqual([]);
    expect(compare.steps[0]?.params).toEqual({ negotiation_ids: [LAST.last_negotiation_id] });
    const brief = await plan({ goal: "brief" });
    expect(brief.missing_inputs).toEqual([]);
    expect(brief.steps[0]?.params).toEqual({ sources: [LAST.last_negotiation_id] });
  });

  it("is missing all the same for the profile's scene: towow_join takes none by itself", async () => {
    const plan = await planner(LAST);
    expect((await plan({ goal: "join", raw_content: "I draw." })).missing_inputs).toContain("scene");
  });

  it("is not taken from a last id that no call would take", async () => {
    const plan = await planner({ last_scene_id: "a/b", last_negotiation_id: "c/d" });
    expect((await plan({ goal: "demand_to_brief" })).missing_inputs).toEqual(["scene", "intent"]);
    expect((await plan({ goal: "brief" })).missing_inputs).toEqual(["negotiation_ids"]);
  });

  it("a scene that is named is looked for, whatever scene was joined last", async () => {
    const plan = await planner(LAST);
    const { steps } = await plan({ goal: "demand", scene: "AI", intent: "A designer" });
    expect(steps.map(({ id }) => id)).toEqual(["scene", "demand", "wait"]);
    expect(steps[1]?.params).toEqual({ intent: "A designer" });
  });
});

describe("a plan to join", () => {
  const GOAL = { goal: "join", raw_content: "I draw things for hospitals." };
  const accept = () => ({ action: "accept" as const, content: { decision: "accept" } });

  it("ends with the call that registers, and says what the caller brings to it, what it sends and who decides", async () => {
    const world = await createWorld();
    const p = await world.process({ config: { toolset: "all" } });
    const { summary, data } = (await p.call("towow_plan_workflow", { ...GOAL, scene: "AI" })).result;
    expect(data.steps.map(({ id, tool }: WorkflowStep) => [id, tool])).toEqual([
      ["scene", "towow_resolve_target"],
      ["profile", "towow_join"],
      ["register", "towow_join"],
    ]);
    expect(data.missing_inputs).toEqual(["display_name", "profile_data"]);
    expect(summary).toContain("Still needed: display_name, profile_data.");
    expect(data.workflow_inputs).toContainEqual({ name: "profile_data", required: true, given: false });
    expect(data.totals).toEqual({ steps: 3, backend_reads: 3, backend_writes: 1, negotiations: 0 });
    const [, profile, register] = data.steps;
    // The first call sends nothing: the person decides about the second.
    expect(profile.policy).toMatchObject({ sends: false, stops_for_person: false });
    expect(register.policy).toMatchObject({ sends: true, stops_for_person: true });
    expect(data.workflow_policy.stops).toEqual(["register"]);
  });

  it("leads to a registration: each step as it stands, and what the caller brings beside it", async () => {
    const world = await createWorld();
    const p = await world.process({ config: { toolset: "all" }, answer: accept });
    const [scene] = world.mock.scenes();
    const { steps } = (await p.call("towow_plan_workflow", { ...GOAL, scene: scene?.name })).result.data;
    const brought: Record<string, object> = { register: { display_name: "Lin", profile_data: PROFILE } };
    const keys = new Map<string, string | undefined>();
    for (const { id, tool, params, input_refs } of steps as WorkflowStep[]) {
      const refs = Object.entries(input_refs).flatMap(([name, ref]) =>
        Array.isArray(ref) ? [] : [[name, { ref: `${keys.get(ref.step)}#${ref.pointer}` }]],
      );
      const { result } = await p.call(tool, { ...params, ...Object.fromEntries(refs), ...brought[id] });
      expect(result.error, id).toBeNull();
      keys.set(id, result.meta.cache_key);
    }
    expect(p.forms.length).toBeGreaterThan(0);
    expect(requests(world.mock, "POST", /\/agents$/)).toHaveLength(1);
  });
});

describe("where the profile has to change", () => {
  it.each([
    ["demand_to_brief", LAST, { demand: "live", wait: "read_only" }],
    ["demand_to_brief", NO_LAST, { scene: "read_only", demand: "live", wait: "read_only" }],
    ["compare", LAST, { compare: "read_only" }],
  ])("%s with %o: %o", async (goal, config, expected) => {
    const data = (await (
      await planner(config)
    )({ goal, ...GIVEN, scene: config === LAST ? undefined : "AI" })) as Plan & {
      workflow_policy: { switch_points: Record<string, string> };
    };
    const { steps, workflow_policy } = data;
    expect(workflow_policy.switch_points).toEqual(expected);
    let profile = "";
    for (const { id, policy } of steps) {
      profile = workflow_policy.switch_points[id] ?? profile;
      expect(profile === "read_only", id).toBe(policy.read_only);
    }
  });
});
