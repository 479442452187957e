import type { Edge, Graph, Node } from "./model.ts";

/** A graph in three columns: what was asked for, who resonated, and what they list. */
export interface Columns {
  columns: readonly (readonly Placed[])[];
  /** Nodes that are not drawn, by column. */
  more: readonly number[];
  links: readonly { from: Placed; to: Placed; kind: "offer" | "none" | "lists" | "other"; weight: number }[];
}

export interface Placed {
  node: Node;
  column: number;
  row: number;
}

const COLUMN: Readonly<Record<string, number>> = {
  demand: 0,
  plan: 0,
  scene: 0,
  sub_negotiation: 0,
  agent: 1,
  capability: 2,
};
const COLUMN_COUNT = 3;

/**
 * Places the nodes of a graph. Offers and tasks are drawn as the lines that they are: from an agent to what its offer
 * lists. Those with the most lines stand first; capabilities stand beside who lists them. Pure, and the same graph
 * gives the same picture.
 *
 * @param rows how many nodes a column may have
 */
export function columnsOf(graph: Graph, rows: number): Columns {
  const links = linksOf(graph);
  const degree = new Map<string, number>();
  for (const { from, to, weight } of links)
    for (const id of [from, to]) degree.set(id, (degree.get(id) ?? 0) + 1 + weight);
  const rank = (node: Node): number => degree.get(node.id) ?? 0;
  const sorted = (column: number): Node[] =>
    graph.nodes
      .filter(({ type }) => COLUMN[type] === column)
      .sort((a, b) => order(a) - order(b) || rank(b) - rank(a) || (a.id < b.id ? -1 : 1));
  const all = Array.from({ length: COLUMN_COUNT }, (_, column) => sorted(column));
  const kept = all.map((nodes) => nodes.slice(0, rows));
  const agentRows = new Map((kept[1] ?? []).map(({ id }, row) => [id, row]));
  kept[2] = byMeanRow(kept[2] ?? [], links, agentRows);
  const placed = kept.map((nodes, column) => nodes.map((node, row): Placed => ({ node, column, row })));
  const byId = new Map(placed.flat().map((one) => [one.node.id, one]));
  return {
    columns: placed,
    more: all.map((nodes) => Math.max(0, nodes.length - rows)),
    links: links.flatMap(({ from, to, kind, weight }) => {
      const [a, b] = [byId.get(from), byId.get(to)];
      return a === undefined || b === undefined ? [] : [{ from: a, to: b, kind, weight }];
    }),
  };
}

/** Demands first, and below each what belongs to it. */
const order = ({ type }: Node): number => ["demand", "plan", "sub_negotiation", "scene"].indexOf(type);

type Link = { from: string; to: string; kind: Columns["links"][number]["kind"]; weight: number };

function linksOf({ edges }: Graph): Link[] {
  const agentOf = new Map<string, string>();
  const offering = new Map<string, Set<string>>();
  for (const { type, from, to } of edges)
    if (type === "offered") {
      agentOf.set(to, from);
      offering.set(from, (offering.get(from) ?? new Set()).add(to));
    }
  const found = new Map<string, Link>();
  const add = (link: Link) => found.set(`${link.from}\n${link.to}`, link);
  for (const edge of edges) {
    if (edge.type === "resonated") add({ ...resonated(edge, offering), weight: edge.weight ?? 0 });
    else if (edge.type === "lists")
      add({ from: agentOf.get(edge.from) ?? edge.from, to: edge.to, kind: "lists", weight: 0 });
    else if (COLUMN_EDGES.has(edge.type)) add({ from: edge.from, to: edge.to, kind: "other", weight: 0 });
  }
  return [...found.values()];
}

const COLUMN_EDGES = new Set(["answers", "asks_further", "submitted_in", "is_demand"]);

/** Whole where the agent made an offer for this demand. */
function resonated({ from, to }: Edge, offering: ReadonlyMap<string, ReadonlySet<string>>): Omit<Link, "weight"> {
  const negotiation = from.slice("demand:".length);
  const hasOffer = [...(offering.get(to) ?? [])].some((offer) => offer.startsWith(`offer:${negotiation}/`));
  return { from, to, kind: hasOffer ? "offer" : "none" };
}

function byMeanRow(nodes: readonly Node[], links: readonly Link[], rows: ReadonlyMap<string, number>): Node[] {
  const sums = new Map<string, { sum: number; count: number }>();
  for (const { from, to } of links) {
    const row = rows.get(from);
    if (row === undefined) continue;
    const known = sums.get(to) ?? { sum: 0, count: 0 };
    sums.set(to, { sum: known.sum + row, count: known.count + 1 });
  }
  const mean = ({ id }: Node): number => {
    const { sum, count } = sums.get(id) ?? { sum: 0, count: 0 };
    return count === 0 ? Number.MAX_SAFE_INTEGER : sum / count;
  };
  return nodes.toSorted((a, b) => mean(a) - mean(b) || (a.id < b.id ? -1 : 1));
}
