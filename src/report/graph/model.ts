import * as z from "zod";

/** The types of nodes in the negotiation graph (agent layer §8). */
export const NODE_TYPES = [
  "demand",
  "scene",
  "agent",
  "capability",
  "offer",
  "plan",
  "task",
  "sub_negotiation",
  /** The root of a graph that was merged from several sources. */
  "merge",
] as const;

/** The types of edges in the negotiation graph (agent layer §8). */
export const EDGE_TYPES = [
  /** Leads from a demand to the scene that it was submitted in. */
  "submitted_in",
  /** Leads from a demand to an agent that resonated. The weight is the resonance score. */
  "resonated",
  /** Leads from an agent to its offer. */
  "offered",
  /** Leads from an offer to a capability that it lists. */
  "lists",
  /** Leads from a plan to the demand that it answers. */
  "answers",
  /** Leads from a plan to an offer that it may rest on. */
  "rests_on",
  /** Leads from a plan to one of its tasks. */
  "has_task",
  /** Leads from a task to the agent who is to do it. */
  "assigned_to",
  /** Leads from a task to a task that must be done before it. */
  "follows",
  /** Leads from a demand to a negotiation that the backend began for one of its gaps. */
  "asks_further",
  /** Leads from a sub-negotiation to its own demand, if the graph also holds that negotiation. */
  "is_demand",
  /** Leads from the root of a merged graph to the demand of each negotiation. */
  "includes",
] as const;

export interface Node {
  id: string;
  type: string;
  label: string;
  properties?: Readonly<Record<string, string | number | boolean | null>>;
}

export interface Edge {
  type: string;
  from: string;
  to: string;
  weight?: number;
}

export interface Graph {
  nodes: readonly Node[];
  edges: readonly Edge[];
}

const MAX_NODES = 5_000;
const MAX_EDGES = 20_000;
const MAX_PROPERTIES = 20;
const text = (max: number) => z.string().min(1).max(max);

/**
 * Returns whether a node has few properties and no nested ones. All properties are checked together, because an error
 * for a single property would quote its key, which others may have written.
 */
function arePlain(value: unknown): boolean {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return false;
  const values = Object.values(value);
  const isPlain = (one: unknown) => one === null || typeof one === "number" || typeof one === "boolean" || isShort(one);
  return values.length <= MAX_PROPERTIES && values.every(isPlain);
}

const isShort = (value: unknown): boolean => typeof value === "string" && value.length <= 500;

/**
 * Declares the schema of a graph that a caller passes in. Unknown types are accepted, and the merge lists them in its
 * diagnostics.
 */
export const graphInput = () =>
  z.strictObject({
    nodes: z
      .array(
        z.strictObject({
          id: text(300),
          type: text(40),
          label: z.string().max(500),
          properties: z
            .unknown()
            .refine(arePlain, "at most 20 texts, numbers and switches")
            .transform((value) => value as Node["properties"])
            .optional(),
        }),
      )
      .max(MAX_NODES),
    edges: z
      .array(
        z.strictObject({
          type: text(40),
          from: text(300),
          to: text(300),
          weight: z.number().optional(),
        }),
      )
      .max(MAX_EDGES),
  });

/** Counts the nodes, or edges, of each type. */
export function countTypes(items: readonly { type: string }[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { type } of items) counts.set(type, (counts.get(type) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns a key that is the same for two edges of the same type between the same nodes. */
export const edgeKey = ({ type, from, to }: Edge): string => JSON.stringify([type, from, to]);

/** The root of a graph that was merged from several sources. */
export const ROOT: Node = { id: "merge", type: "merge", label: "merge" };

/** Removes the root that an earlier merge added, because the next merge adds its own. */
export const withoutRoot = <G extends Graph>(graph: G): G => ({
  ...graph,
  nodes: graph.nodes.filter(({ id, type }) => id !== ROOT.id || type !== ROOT.type),
  edges: graph.edges.filter(({ from, type }) => from !== ROOT.id || type !== "includes"),
});
