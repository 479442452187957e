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

export const EDGE_TYPES = [
  /** demand → scene */
  "submitted_in",
  /** demand → agent, with the score as its weight */
  "resonated",
  /** agent → offer */
  "offered",
  /** offer → capability */
  "lists",
  /** plan → demand */
  "answers",
  /** plan → offer that the plan could rest on */
  "rests_on",
  /** plan → task */
  "has_task",
  /** task → agent */
  "assigned_to",
  /** task → the task before it */
  "follows",
  /** demand → sub_negotiation */
  "asks_further",
  /** sub_negotiation → its own demand, if the graph holds that too */
  "is_demand",
  /** merge → demand of each negotiation in it */
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

/** Checks all properties together, because an error for one would quote its key, which others may have written. */
function arePlain(value: unknown): boolean {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return false;
  const values = Object.values(value);
  const isPlain = (one: unknown) => one === null || typeof one === "number" || typeof one === "boolean" || isShort(one);
  return values.length <= MAX_PROPERTIES && values.every(isPlain);
}

const isShort = (value: unknown): boolean => typeof value === "string" && value.length <= 500;

/** Declares a graph that a caller hands in. Types that this version does not know are kept and named in the diagnostics. */
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

export const edgeKey = ({ type, from, to }: Edge): string => JSON.stringify([type, from, to]);

/** The root of a graph that was merged from several sources. */
export const ROOT: Node = { id: "merge", type: "merge", label: "merge" };

/** Removes the root from a graph that was merged before, because it gets a new one when it is merged again. */
export const withoutRoot = <G extends Graph>(graph: G): G => ({
  ...graph,
  nodes: graph.nodes.filter(({ id, type }) => id !== ROOT.id || type !== ROOT.type),
  edges: graph.edges.filter(({ from, type }) => from !== ROOT.id || type !== "includes"),
});
