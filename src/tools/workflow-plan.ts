import { isNegotiationId, isPathId } from "../backend/route.ts";
import { type Cost, estimatedCost, sendsNothing } from "./budget.ts";
import type { Tool } from "./define.ts";

/** This file plans a workflow as data (agent layer §8): calls in order, each with the sources of its arguments. */

export const GOALS = ["join", "demand", "compare", "brief", "demand_to_brief"] as const;
type Goal = (typeof GOALS)[number];

export interface WorkflowInputs {
  /** A scene's id, or words by which the scene is found. */
  scene?: string | undefined;
  intent?: string | undefined;
  /** The text that the person wrote about themselves. */
  raw_content?: string | undefined;
  negotiation_ids?: readonly string[] | undefined;
  needs?: readonly string[] | undefined;
}

/** The last ids in the settings, which `towow_demand`, `towow_compare` and `towow_brief_export` use by default. */
export interface LastIds {
  last_scene_id?: string | undefined;
  last_negotiation_id?: string | undefined;
}

/** A field in the data of an earlier step, from which an argument is taken. */
interface InputRef {
  step: string;
  pointer: string;
}

export interface WorkflowStep {
  id: string;
  tool: string;
  params: Record<string, unknown>;
  /**
   * The arguments that come from earlier steps. When the step runs, each reference becomes `{ "ref": "<cache_key of
   * that step>#<pointer>" }`, alone or in a list.
   */
  input_refs: Record<string, InputRef | InputRef[]>;
  /** What later steps or the caller take from the data of this step. */
  artifact_refs: { name: string; pointer: string }[];
  depends_on: string[];
  policy: {
    read_only: boolean;
    /** True if a text leaves the machine in this step. */
    sends: boolean;
    /** True if the person decides about something that they see in full before the step is done. */
    stops_for_person: boolean;
    listed: boolean;
    runs_under_profile: boolean;
    /** What must hold before the next step, if success alone is not enough. */
    check?: string;
  };
  cost: Cost;
}

type Draft = Pick<WorkflowStep, "id" | "tool" | "params"> &
  Partial<Pick<WorkflowStep, "input_refs" | "artifact_refs">> & {
    check?: string;
    /** The ids of the negotiations for which `input_refs` stand, if they are known. The cost is estimated from them. */
    about?: readonly string[];
    /** The arguments that the caller adds when the step runs, because they do not exist yet when it is planned. */
    brought?: readonly Brought[];
  };

const from = (step: string, pointer: string): InputRef => ({ step, pointer });

const NAMES = ["scene", "intent", "raw_content", "negotiation_ids", "needs"] as const;
type InputName = (typeof NAMES)[number];

/**
 * The inputs that only exist in the course of joining: the AI builds the profile from the guiding prompt, and the
 * person gives the name.
 */
const BROUGHT = ["display_name", "profile_data"] as const;
type Brought = (typeof BROUGHT)[number];

/** The inputs that each goal works with. */
const WANTED: Readonly<Record<Goal, readonly InputName[]>> = {
  join: ["scene", "raw_content"],
  demand: ["scene", "intent"],
  compare: ["negotiation_ids"],
  brief: ["negotiation_ids"],
  demand_to_brief: ["scene", "intent"],
};

/** Returns whether an input is given. A blank value does not count, because no tool accepts one. */
const isGiven = (value: string | readonly string[] | undefined): boolean =>
  value !== undefined && (typeof value === "string" ? value.trim() : value).length > 0;

/**
 * Returns an object with the param, or an empty one for a blank value, so that the value counts as a missing input
 * and no tool has to refuse it.
 */
const param = (name: string, value: string | readonly string[] | undefined): WorkflowStep["params"] =>
  isGiven(value) ? { [name]: value } : {};

/**
 * Returns the last id from the settings that stands in for an input. An id that no call accepts is left out, because
 * a settings file may hold anything.
 */
function lastFor(goal: Goal, name: InputName, { last_scene_id, last_negotiation_id }: LastIds): string | undefined {
  if (goal === "join") return undefined; // The next scene to join is seldom the last one.
  const id = name === "scene" ? last_scene_id : name === "negotiation_ids" ? last_negotiation_id : undefined;
  const isId = name === "scene" ? isPathId : isNegotiationId;
  return id !== undefined && isId(id) ? id : undefined;
}

/** Returns the inputs of a goal, and says for each whether it is required and whether it is given. Pure. */
export const inputsOf = (goal: Goal, inputs: WorkflowInputs, last: LastIds) => [
  ...NAMES.map((name) => ({
    name,
    required: WANTED[goal].includes(name) && lastFor(goal, name, last) === undefined,
    given: isGiven(inputs[name]),
  })).filter(({ name, given }) => given || WANTED[goal].includes(name)),
  ...(goal === "join" ? BROUGHT.map((name) => ({ name, required: true, given: false })) : []),
];

/** Returns the steps of a goal without the policy and the cost, which follow from the tools. Pure. */
function draft(goal: Goal, inputs: WorkflowInputs, last: LastIds): Draft[] {
  const { scene, intent, raw_content, negotiation_ids: named = [], needs } = inputs;
  const lastScene = isGiven(scene) ? undefined : lastFor(goal, "scene", last);
  const lastNegotiation = lastFor(goal, "negotiation_ids", last);
  const negotiation_ids = named.length > 0 || lastNegotiation === undefined ? named : [lastNegotiation];
  const wanted = needs === undefined ? {} : { needs };
  const target: Draft = {
    id: "scene",
    tool: "towow_resolve_target",
    params: { ...param("query", scene), kinds: ["scene"] },
    artifact_refs: [{ name: "scene_id", pointer: "/best/scene_id" }],
    check: "data.best is not null; else ask the person which candidate they mean",
  };
  const demand: Draft[] = [
    ...(lastScene === undefined ? [target] : []),
    {
      id: "demand",
      tool: "towow_demand",
      // The id of the last scene is spelled out, so that the plan shows where the demand goes, and joining another
      // scene in between changes nothing.
      params: { ...param("intent", intent), ...param("scene_id", lastScene) },
      input_refs: lastScene === undefined ? { scene_id: from("scene", "/best/scene_id") } : {},
      artifact_refs: [{ name: "negotiation_id", pointer: "/negotiation_id" }],
      check: "the person has decided; a pause that is still open is answered first, as resume_with says",
    },
    {
      id: "wait",
      tool: "towow_status",
      params: { wait: "done" },
      input_refs: { negotiation_id: from("demand", "/negotiation_id") },
      artifact_refs: [{ name: "plan", pointer: "/plan_output" }],
      check: "data.state is completed; else run this step again",
    },
  ];
  const ids = (step: string | undefined) =>
    step === undefined
      ? { params: param("negotiation_ids", negotiation_ids) }
      : { params: {}, input_refs: { negotiation_ids: [from(step, "/negotiation_id")] } };
  const reading = (step: string | undefined): Draft[] => {
    const { params, input_refs = {} } = ids(step);
    const about = step === undefined ? negotiation_ids : [];
    return [
      {
        id: "compare",
        tool: "towow_compare",
        params: { ...params, ...wanted },
        input_refs,
        artifact_refs: [{ name: "comparison", pointer: "" }],
      },
      {
        id: "graph",
        tool: "towow_graph_merge",
        params: {},
        input_refs: { sources: [from("compare", "/negotiation_ids")] },
        about,
        artifact_refs: [{ name: "graph", pointer: "" }],
      },
      { ...brief({ sources: [from("graph", "")] }, wanted), about },
    ];
  };
  switch (goal) {
    case "join":
      return [
        target,
        {
          id: "profile",
          tool: "towow_join",
          params: param("raw_content", raw_content),
          input_refs: { scene: from("scene", "/best/scene_id") },
          artifact_refs: [{ name: "guiding_prompt", pointer: "/guiding_prompt" }],
          check:
            "data.already_joined is not true, else all is done; make profile_data by guiding_prompt, ask for display_name, and add both to the next step",
        },
        {
          id: "register",
          tool: "towow_join",
          params: {},
          input_refs: { scene: from("profile", "/scene_id") },
          brought: BROUGHT,
          artifact_refs: [{ name: "agent_id", pointer: "/agent_id" }],
          check:
            "data.agent_id is not null; where resume_with is given, show the profile whole, get a yes, and run this step again with its profile_hash",
        },
      ];
    case "demand":
      return demand;
    case "compare":
      return reading(undefined);
    case "brief":
      return [brief({}, { ...param("sources", negotiation_ids), ...wanted })];
    case "demand_to_brief":
      return [...demand, ...reading("wait")];
  }
}

const brief = (input_refs: WorkflowStep["input_refs"], params: WorkflowStep["params"]): Draft => ({
  id: "brief",
  tool: "towow_brief_export",
  params,
  input_refs,
  artifact_refs: [{ name: "brief", pointer: "" }],
});

interface Listing {
  tool: Tool;
  listed: boolean;
  runs: boolean;
}

/** Returns the steps of a goal, each with the policy and the cost of its tool. Pure. */
export function stepsOf(
  goal: Goal,
  inputs: WorkflowInputs,
  last: LastIds,
  listing: (tool: string) => Listing,
): WorkflowStep[] {
  return draft(goal, inputs, last).map(
    ({ id, tool: name, params, input_refs = {}, artifact_refs = [], check, about = [], brought = [] }) => {
      const { tool, listed, runs } = listing(name);
      const depends = Object.values(input_refs).flatMap((ref) => (Array.isArray(ref) ? ref : [ref]));
      const args = {
        ...params,
        ...input_refs,
        ...Object.fromEntries(brought.map((argument) => [argument, "brought"])),
        ...(about.length > 0 && { sources: about }),
      };
      return {
        id,
        tool: name,
        params,
        input_refs,
        artifact_refs,
        depends_on: [...new Set(depends.map(({ step }) => step))],
        policy: {
          read_only: tool.read_only,
          sends: tool.sensitive_sink && !sendsNothing(tool, args),
          stops_for_person: tool.asks !== "nothing" && !sendsNothing(tool, args),
          listed,
          runs_under_profile: runs,
          ...(check !== undefined && { check }),
        },
        cost: estimatedCost(tool, args),
      };
    },
  );
}

/**
 * Returns the steps at which a cautious caller changes the profile (seed 000), each with the least profile that it
 * needs. Pure.
 */
export function switchPointsOf(steps: readonly WorkflowStep[]): Record<string, "read_only" | "live"> {
  const least = ({ policy }: WorkflowStep) => (policy.read_only ? "read_only" : "live");
  const changes = steps.filter((step, i) => i === 0 || least(step) !== least(steps[i - 1] ?? step));
  return Object.fromEntries(changes.map((step) => [step.id, least(step)]));
}
