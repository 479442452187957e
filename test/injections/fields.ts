import {
  agents,
  asId,
  call,
  detail,
  type Field,
  fault,
  field,
  join,
  listed,
  look,
  negotiation,
  participant,
  resource,
  scenes,
  status,
} from "./places.ts";

/** Where a backend's word can stand, and what reads it there. */
export const FIELDS: readonly Field[] = [
  field(
    "an offer",
    participant((offer_content) => ({ offer_content })),
    status,
  ),
  field(
    "an offer's key",
    participant((text) => ({ offer_content: { [text]: 1 } })),
    look,
  ),
  field(
    "deep in an offer",
    participant((text) => ({ offer_content: { a: [{ b: text }] } })),
    status,
  ),
  field(
    "a capability",
    participant((text) => ({ offer_capabilities: [text] })),
    look,
  ),
  field(
    "a participant's name",
    participant((display_name) => ({ display_name })),
    status,
  ),
  field(
    "a participant's id",
    participant((agent_id) => ({ agent_id })),
    look,
  ),
  field(
    "a participant's state",
    participant((state) => ({ state })),
    status,
  ),
  field(
    "the plan",
    negotiation("moving", (plan_output) => ({ plan_output, state: "completed" })),
    status,
  ),
  field(
    "the state",
    negotiation("moving", (state) => ({ state })),
    look,
  ),
  field(
    "the parent's id",
    negotiation("moving", (parent_negotiation_id) => ({ parent_negotiation_id })),
    status,
  ),
  field(
    "a sub-negotiation's id",
    negotiation("moving", (text) => ({ sub_session_ids: [text] })),
    look,
  ),
  field(
    "the raw demand, broadcast",
    negotiation("moving", (demand_raw) => ({ demand_raw })),
    status,
    true,
  ),
  field(
    "the formulated demand, broadcast",
    negotiation("moving", (demand_formulated) => ({ demand_formulated })),
    look,
  ),
  field(
    "the formulated demand, asked about too late",
    negotiation("moving", (demand_formulated) => ({ demand_formulated })),
    call("towow_demand", ({ moving }) => ({ negotiation_id: moving })),
  ),
  field(
    "somebody else's raw demand",
    negotiation("others", (demand_raw) => ({ demand_raw })),
    call("towow_get_negotiation", ({ others }) => ({ negotiation_id: others })),
  ),
  field(
    "somebody else's formulated demand",
    negotiation("others", (demand_formulated) => ({ demand_formulated })),
    call("towow_demand", ({ others }) => ({ negotiation_id: others })),
  ),
  field(
    "a scene's name",
    listed("scenes", (name) => ({ name })),
    scenes,
  ),
  field(
    "a scene's description",
    listed("scenes", (description) => ({ description })),
    scenes,
  ),
  field(
    "a scene's id",
    listed("scenes", (scene_id) => ({ scene_id })),
    scenes,
  ),
  field(
    "a scene's policy",
    listed("scenes", (access_policy) => ({ access_policy })),
    scenes,
  ),
  field(
    "a scene that is found",
    listed("scenes", (name) => ({ scene_id: "found", name })),
    join("found"),
  ),
  field(
    "a scene that is none of those",
    listed("scenes", (name) => ({ name })),
    join("nothing like any"),
  ),
  field(
    "an agent's name",
    listed("agents", (display_name) => ({ display_name })),
    agents,
  ),
  field(
    "an agent's source",
    listed("agents", (source) => ({ source })),
    agents,
  ),
  field(
    "an agent's id",
    listed("agents", (agent_id) => ({ agent_id })),
    agents,
  ),
  field("a 404", fault(404, detail), status),
  field("a 409", fault(409, detail), look),
  field("a 403", fault(403, detail), status),
  field(
    "a page of a proxy",
    fault(502, (text) => `<html><p>${text}</p></html>`),
    look,
  ),
  field(
    "a 422's message",
    fault(422, (text) => JSON.stringify({ detail: [{ loc: ["body", "x"], msg: text, type: "t" }] })),
    status,
  ),
  field(
    "a 422's place",
    fault(422, (text) => JSON.stringify({ detail: [{ loc: ["body", text], msg: "wrong", type: "t" }] })),
    look,
  ),
  field(
    "the resource of an offer",
    participant((offer_content) => ({ offer_content })),
    resource(({ moving }) => `towow://negotiations/${moving}/offers/one`),
  ),
  field(
    "the resource of a plan",
    negotiation("moving", (plan_output) => ({ plan_output })),
    resource(({ moving }) => `towow://negotiations/${moving}/plan`),
  ),
  field(
    "the resource of a negotiation",
    participant((display_name) => ({ display_name })),
    resource(({ moving }) => `towow://negotiations/${moving}`),
  ),
  field(
    "a comparison",
    participant((offer_content) => ({ offer_content })),
    call("towow_compare", ({ moving }) => ({ negotiation_ids: [moving] })),
  ),
  field(
    "a brief",
    negotiation("moving", (plan_output) => ({ plan_output, state: "completed" })),
    call("towow_brief_export", ({ moving }) => ({ sources: [moving] })),
  ),
  field(
    "a report",
    participant((offer_content) => ({ offer_content })),
    call("towow_report", ({ moving }) => ({ sources: [moving] })),
  ),
  field(
    "a graph",
    participant((offer_content) => ({
      offer_content: { skills: [offer_content] },
      offer_capabilities: [offer_content],
    })),
    call("towow_graph_merge", ({ moving }) => ({ sources: [moving] })),
  ),
  field(
    "a target that is found",
    listed("scenes", (name) => ({ name })),
    call("towow_resolve_target", () => ({ query: "zq7" })),
  ),
  field(
    "the id of a target that is found",
    listed("scenes", (text) => ({ scene_id: asId(text), name: "zq7" })),
    call("towow_resolve_target", () => ({ query: "zq7" })),
  ),
  field(
    "the id of an agent that is found",
    participant((text) => ({ agent_id: asId(text), display_name: "zq7" })),
    call("towow_resolve_target", () => ({ query: "zq7" })),
  ),
  field(
    "the plan, read by its address",
    negotiation("moving", (plan_output) => ({ plan_output })),
    call("towow_docs_read", ({ moving }) => ({ uri: `towow://negotiations/${moving}/plan` })),
  ),
  field(
    "a scene, read by its address",
    listed("scenes", (description) => ({ description })),
    call("towow_docs_read", () => ({ uri: "towow://scenes" })),
  ),
  field(
    "the resource of scenes",
    listed("scenes", (description) => ({ description })),
    resource(() => "towow://scenes"),
  ),
  field(
    "the resource of a scene's agents",
    listed("agents", (display_name) => ({ display_name })),
    resource((_, { sceneId }) => `towow://scenes/${sceneId}/agents`),
  ),
  field(
    "a scene found by its words",
    listed("scenes", (description) => ({ description })),
    call("towow_join", () => ({ scene: "nothing like any" })),
  ),
  field(
    "the pause's own text",
    negotiation("waiting", (demand_formulated) => ({ demand_formulated })),
    call("towow_demand", ({ waiting }) => ({ negotiation_id: waiting })),
    true,
  ),
  field(
    "the raw demand of the pause",
    negotiation("waiting", (demand_raw) => ({ demand_raw })),
    call("towow_status", ({ waiting }) => ({ negotiation_id: waiting })),
    true,
  ),
];
