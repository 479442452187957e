import type { Client } from "@modelcontextprotocol/client";
import { type Called, call } from "./program.ts";
import type { Stand } from "./stand.ts";

/** What an agent should be able to do by tools alone: each as calls that need no model, and what they must find. */
export interface Task {
  wanted: string;
  /** Gives back whether it was found. */
  run: (on: Bench) => Promise<boolean>;
}

export interface Bench {
  /** The calls of somebody who has read nothing of others yet. */
  newcomer: Bench["call"];
  call: (name: string, args?: Record<string, unknown>) => Promise<Called>;
  ids: Stand["ids"];
  scene: string;
}

type Json = Record<string, never>;
const data = ({ result }: Called) => (result.data ?? {}) as Record<string, never>;
const list = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : []);
const doc = async ({ call: on }: Bench, uri: string): Promise<string> =>
  String(data(await on("towow_docs_read", { uri })).text);
export const PROFILE = {
  skills: ["glaze testing", "kiln operation", "teaching beginners"],
  bio: "Potter with a small studio who looks for cafés that want tableware of their own.",
  experience: "Six years in a studio.",
  capabilities: ["small series"],
};

export const TASKS: readonly Task[] = [
  {
    wanted: "find the scene that is about translating",
    run: async (on) => {
      const { scenes } = data(await on.call("towow_join", { scene: "translation" }));
      return list(scenes).length === 1 && String(list(scenes)[0]?.name).includes("Translation");
    },
  },
  {
    wanted: "say which scenes there are",
    run: async (on) => list(data(await on.call("towow_list_scenes")).scenes).length >= 4,
  },
  {
    wanted: "say who takes part in a scene",
    run: async (on) => list(data(await on.call("towow_list_agents", { scene_id: on.scene })).agents).length >= 3,
  },
  {
    wanted: "learn what a profile needs",
    run: async (on) => {
      const { guiding_prompt } = data(await on.call("towow_join", { scene: on.scene, raw_content: "I make pots." }));
      return String(guiding_prompt).includes("skills");
    },
  },
  {
    wanted: "join with a profile, and read that one has joined",
    run: async (on) => {
      const args = { scene: on.scene, display_name: "Ann", profile_data: PROFILE };
      const first = data(await on.newcomer("towow_join", args));
      const again = data(await on.newcomer("towow_join", args));
      return typeof first.agent_id === "string" && again.already_joined === true;
    },
  },
  {
    wanted: "ask for something, have the person decide, and come to a plan",
    run: async (on) => {
      const demand = data(await on.call("towow_demand", { intent: "a potter for forty cups", scene_id: on.scene }));
      const { negotiation_id } = demand;
      const end = data(await on.call("towow_status", { negotiation_id, wait: "done" }));
      return demand.decision === "accept" && end.state === "completed" && end.plan_output !== null;
    },
  },
  {
    wanted: "say where the last negotiation stands",
    run: async (on) => data(await on.call("towow_status", { view: "full" })).state === "completed",
  },
  {
    wanted: "say in a few words where a known one stands",
    run: async (on) => {
      await on.call("towow_status", { negotiation_id: on.ids.done });
      const { bytes, result } = await on.call("towow_status", { negotiation_id: on.ids.done });
      return bytes <= 400 && (result.data as unknown as Json).state === "completed";
    },
  },
  {
    wanted: "say who resonated, and who was nearest",
    run: async (on) => {
      const { participants } = data(await on.call("towow_get_negotiation", { negotiation_id: on.ids.done }));
      return list(participants).every(({ resonance_score }) => typeof resonance_score === "number");
    },
  },
  {
    wanted: "put the offers side by side",
    run: async (on) => list(data(await on.call("towow_compare", { negotiation_ids: [on.ids.done] })).offers).length > 0,
  },
  {
    wanted: "find a need that nobody covers",
    run: async (on) => {
      const args = { negotiation_ids: [on.ids.done], needs: ["a helicopter"] };
      return JSON.stringify(data(await on.call("towow_compare", args))).includes("helicopter");
    },
  },
  { wanted: "find why nobody answered", run: (on) => hasRisk(on, on.ids.nobody, "no_resonance") },
  { wanted: "find that a plan is missing", run: (on) => hasRisk(on, on.ids.failed, "plan_missing") },
  {
    wanted: "find a demand that went out in the person's name",
    run: (on) => hasRisk(on, on.ids.sub, "sub_negotiation_open"),
  },
  {
    wanted: "take a demand back before anybody has seen it",
    run: async (on) => {
      const args = { scene_id: on.scene, intent: "something that is not wanted any more" };
      const { negotiation_id } = data(await on.call("towow_submit_demand", args));
      const end = data(await on.call("towow_action", { negotiation_id, action: "cancel" }));
      return end.state === "completed" || end.negotiation_id === negotiation_id;
    },
  },
  {
    wanted: "know what may be done here",
    run: async (on) => JSON.parse(await doc(on, "towow://policy")).profile === "live",
  },
  {
    wanted: "know what an error means",
    run: async (on) => (await doc(on, "towow://docs/errors")).includes("tool.backend.timeout.outcome_unknown"),
  },
  {
    wanted: "know who confirms",
    run: async (on) => (await doc(on, "towow://docs/confirmation")).includes("Never decide for the person"),
  },
  {
    wanted: "list the person's own negotiations",
    run: async (on) => JSON.parse(await doc(on, "towow://negotiations?limit=3")).negotiations.length === 3,
  },
  {
    wanted: "read a plan whole",
    run: async (on) => (await doc(on, `towow://negotiations/${on.ids.done}/plan`)).includes("<<<foreign"),
  },
  {
    wanted: "merge two negotiations into one graph",
    run: async (on) => {
      const merged = data(await on.call("towow_graph_merge", { sources: [on.ids.done, on.ids.sub] }));
      return JSON.stringify(merged).includes("demand");
    },
  },
  {
    wanted: "write a brief for those who take over",
    run: async (on) =>
      list(data(await on.call("towow_brief_export", { sources: [on.ids.done] })).recommended_read_order).length > 0,
  },
  {
    wanted: "plan the calls from a need to a brief",
    run: async (on) => {
      const args = { goal: "demand_to_brief", scene: "translation", intent: "an interpreter" };
      return list(data(await on.call("towow_plan_workflow", args)).steps).length >= 4;
    },
  },
  {
    wanted: "find what a vague word means",
    run: async (on) => {
      const found = data(await on.call("towow_resolve_target", { query: "translation", kinds: ["scene"] }));
      return list(found.candidates).length > 0;
    },
  },
  {
    wanted: "hand an earlier result on without holding it",
    run: async (on) => {
      const { result } = await on.call("towow_compare", { negotiation_ids: [on.ids.done] });
      const ref = `${result.meta.cache_key}#/negotiation_ids`;
      const brief = await on.call("towow_brief_export", { sources: [{ ref }] });
      return brief.result.error === null && brief.result.meta.workflow_resolution !== undefined;
    },
  },
];

async function hasRisk(on: Bench, negotiation_id: string, code: string): Promise<boolean> {
  const { risks } = data(await on.call("towow_get_negotiation", { negotiation_id }));
  return list(risks).some((risk) => risk.code === code);
}

export interface Outcome {
  wanted: string;
  found: boolean;
  calls: number;
  tokens: number;
}

/** Runs every task with the same client, one after the other. */
export async function evaluate({ client, newcomer, ids, scene }: Stand): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { wanted, run } of TASKS) {
    let [calls, tokens] = [0, 0];
    const counted =
      (by: Client): Bench["call"] =>
      async (name, args) => {
        const called = await call(by, name, args);
        calls += 1;
        tokens += called.tokens;
        return called;
      };
    const found = await run({ ids, scene, call: counted(client), newcomer: counted(newcomer) }).catch(() => false);
    outcomes.push({ wanted, found, calls, tokens });
  }
  return outcomes;
}
