import { isNegotiationId } from "../../backend/route.ts";
import { negotiationUri, planUri } from "../../safety/resource-uris.ts";
import type { Steps } from "../../turn.ts";
import { offerText } from "../../view/agents.ts";
import type { Dossier } from "../dossier.ts";
import { plain } from "../matching.ts";
import type { Edge, Graph, Node } from "./model.ts";

const LABEL_CHARS = 120;
const short = (text: string): string => {
  const line = text.replaceAll(/\s+/g, " ").trim();
  const characters = [...line];
  return characters.length <= LABEL_CHARS ? line : `${characters.slice(0, LABEL_CHARS - 1).join("")}…`;
};

/**
 * Builds the ids of nodes. A node that occurs in several graphs has the same id in all of them, so that they can be
 * merged.
 */
export const nodeId = {
  demand: (negotiationId: string) => `demand:${negotiationId}`,
  scene: (sceneId: string) => `scene:${sceneId}`,
  agent: (agentId: string) => `agent:${agentId}`,
  capability: (text: string) => `capability:${plain(text)}`,
  offer: (negotiationId: string, agentId: string) => `offer:${negotiationId}/${agentId}`,
  plan: (negotiationId: string) => `plan:${negotiationId}`,
  task: (negotiationId: string, taskId: string) => `task:${negotiationId}/${taskId}`,
  subNegotiation: (negotiationId: string) => `sub_negotiation:${negotiationId}`,
};

/** Returns the property that holds the address of the whole text, because a label holds only the beginning. */
const whole = (uri: string | undefined): { uri?: string } => (uri === undefined ? {} : { uri });

/**
 * Builds the graph of one negotiation, with a step for each agent. The nodes stand in the order of the negotiation's
 * course, from the demand to the plan and its tasks. Pure.
 */
export function* graphing(dossier: Dossier): Steps<Graph> {
  const { id, state, demand, sceneId, agents, plan, outline, subIds } = dossier;
  const nodes = new Map<string, Node>();
  const edges: Edge[] = [];
  const add = (node: Node): string => {
    if (!nodes.has(node.id)) nodes.set(node.id, node);
    return node.id;
  };
  const root = add({
    id: nodeId.demand(id),
    type: "demand",
    label: short(demand.formulated ?? demand.raw) || id,
    properties: { negotiation_id: id, state, ...whole(isNegotiationId(id) ? negotiationUri(id) : undefined) },
  });
  if (sceneId !== undefined) {
    const scene = add({ id: nodeId.scene(sceneId), type: "scene", label: sceneId });
    edges.push({ type: "submitted_in", from: root, to: scene });
  }
  const planId = plan === null ? undefined : nodeId.plan(id);
  for (const agent of agents) {
    yield;
    const from = add({ id: nodeId.agent(agent.id), type: "agent", label: agent.name });
    edges.push({ type: "resonated", from: root, to: from, weight: agent.score });
    if (agent.state !== "offered") continue;
    const offer = add({
      id: nodeId.offer(id, agent.id),
      type: "offer",
      label: short(agent.offer === null ? "" : offerText(agent.offer)) || agent.name,
      properties: { negotiation_id: id, agent_id: agent.id, ...whole(agent.uri) },
    });
    edges.push({ type: "offered", from, to: offer });
    for (const capability of agent.capabilities) {
      const to = add({ id: nodeId.capability(capability), type: "capability", label: capability });
      edges.push({ type: "lists", from: offer, to });
    }
    if (planId !== undefined) edges.push({ type: "rests_on", from: planId, to: offer });
  }
  if (planId !== undefined) {
    add({
      id: planId,
      type: "plan",
      label: short(firstWords(plan ?? "")) || id,
      properties: { negotiation_id: id, ...whole(planUri(id)) },
    });
    edges.push({ type: "answers", from: planId, to: root });
    for (const task of outline.tasks) {
      const from = add({ id: nodeId.task(id, task.id), type: "task", label: task.title });
      edges.push({ type: "has_task", from: planId, to: from });
      if (task.assignee !== undefined) edges.push({ type: "assigned_to", from, to: nodeId.agent(task.assignee) });
      for (const before of task.after) edges.push({ type: "follows", from, to: nodeId.task(id, before) });
    }
  }
  for (const subId of subIds) {
    const to = add({ id: nodeId.subNegotiation(subId), type: "sub_negotiation", label: subId });
    edges.push({ type: "asks_further", from: root, to });
  }
  const kept = [...nodes.values()];
  const known = new Set(kept.map((node) => node.id));
  return { nodes: kept, edges: unique(edges.filter(({ from, to }) => known.has(from) && known.has(to))) };
}

/** Returns the first line of a plan that holds more than Markdown markers. */
const firstWords = (plan: string): string =>
  plan
    .split("\n", 50)
    .map((line) => line.replace(/^[\s#>*\-_]+/, ""))
    .find((line) => line !== "") ?? "";

const unique = (edges: readonly Edge[]): Edge[] => [
  ...new Map(edges.map((edge) => [JSON.stringify([edge.type, edge.from, edge.to]), edge])).values(),
];
