import type { Client } from "@modelcontextprotocol/client";
import type { Told } from "../clients/dialects/dialect.ts";
import { filled, idsAbout } from "./surface.ts";
import { PROFILE } from "./tasks.ts";

/** What is known before the first call; what comes of a call is read from what the model was told. */
export interface Known {
  scene: string;
  /** Of the backend. */
  origin: string;
}

const INTENT = "machine learning, python and data";

type Call = readonly [tool: string, args: (results: Told[], known: Known) => Record<string, unknown>];

const said = (results: Told[]): string => results.map(({ text }) => text).join("\n");
const found = (pattern: RegExp, results: Told[]): string => said(results).match(new RegExp(pattern, "g"))?.at(-1) ?? "";
/** The newest negotiation that the model has been told of. */
const newest = (results: Told[]) => ({ negotiation_id: found(/neg_[\w-]+/, results) });
/** The first one, which comes to its plan. */
const ended = (results: Told[]): string => /neg_[\w-]+/.exec(said(results))?.[0] ?? "";
const cacheKey = (results: Told[]): string => found(/towow_compare:[\w-]+/, results);

/** Every tool, with something to do, in an order in which each has what it needs. */
export const CALLS: readonly Call[] = [
  ["towow_join", (_, { scene }) => ({ scene, raw_content: "I make pots." })],
  ["towow_register_agent", (_, { scene }) => ({ scene_id: scene, display_name: "Ann", profile_data: PROFILE })],
  ["towow_create_scene", () => ({ name: "Cups for cafés", description: "Potters and cafés that want cups." })],
  ["towow_set_mode", () => ({ mode: "developer" })],
  ["towow_demand", (_, { scene }) => ({ intent: INTENT, scene_id: scene })],
  ["towow_status", (results) => ({ negotiation_id: ended(results), wait: "done" })],
  ["towow_get_negotiation", (results) => ({ negotiation_id: ended(results) })],
  ["towow_submit_demand", (_, { scene }) => ({ intent: `${INTENT}, again`, scene_id: scene })],
  ["towow_list_scenes", () => ({})],
  ["towow_list_agents", (_, { scene }) => ({ scene_id: scene })],
  ["towow_confirm", (results) => ({ ...newest(results), decision: "accept" })],
  ["towow_submit_demand", (_, { scene }) => ({ intent: "something that is not wanted any more", scene_id: scene })],
  ["towow_action", (results) => ({ ...newest(results), action: "cancel" })],
  ["towow_compare", (results) => ({ negotiation_ids: [ended(results)] })],
  ["towow_graph_merge", (results) => ({ sources: [ended(results)] })],
  ["towow_brief_export", (results) => ({ sources: [ended(results)] })],
  ["towow_plan_workflow", (_, { scene }) => ({ goal: "demand_to_brief", scene, intent: INTENT })],
  ["towow_resolve_target", () => ({ query: "latest" })],
  ["towow_docs_list", () => ({})],
  ["towow_docs_read", () => ({ uri: "towow://policy" })],
];

export interface Address {
  name: string;
  uri: (results: Told[], known: Known) => string;
}

/** Every resource, and every template with values out of what the calls have given. */
export async function addressesOf(client: Client): Promise<Address[]> {
  const { resources } = await client.listResources();
  const { resourceTemplates } = await client.listResourceTemplates();
  return [
    ...resources.map(({ uri }): Address => ({ name: `resource ${uri}`, uri: () => uri })),
    ...resourceTemplates.map(
      ({ uriTemplate }): Address => ({
        name: `template ${uriTemplate}`,
        uri: (results, { scene, origin }) =>
          filled(
            uriTemplate,
            idsAbout(origin, {
              negotiation_id: ended(results),
              scene_id: scene,
              agent_id: /"participants":\s*\[\{\s*"agent_id":\s*"([^"]+)"/.exec(said(results))?.[1] ?? "",
              cache_key: cacheKey(results),
            }),
          ),
      }),
    ),
  ];
}
