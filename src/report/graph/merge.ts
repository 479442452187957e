import { nodeId } from "./build.ts";
import { countTypes, EDGE_TYPES, type Edge, edgeKey, type Graph, NODE_TYPES, type Node } from "./model.ts";

export interface Source {
  /** How a caller names it: a negotiation's id, a reference, "inline 1". */
  name: string;
  graph: Graph;
  /** From 0 to 1: how far this source is believed where two differ. */
  weight: number;
}

export interface Variant {
  value: string;
  /** Names of the sources that say so. */
  sources: string[];
  weight: number;
}

/** One node about which sources differ. */
export interface Difference {
  node_id: string;
  field: "type" | "label";
  variants: Variant[];
  chosen: string;
  resolution: "prefer_source" | "weight" | "agreement" | "alphabetical";
}

export interface Merged extends Graph {
  summary: { nodes: number; edges: number; entity_counts: Record<string, number>; edge_counts: Record<string, number> };
  sources: { index: number; name: string; weight: number; nodes: number; edges: number; only_here: number }[];
  diagnostics: {
    duplicate_nodes: number;
    duplicate_edges: number;
    /** Nodes without any edge, by id; the first hundred. */
    orphan_nodes: string[];
    orphan_count: number;
    /** Edges that lead to no node; they are left out. */
    dangling_edges: number;
    conflicts: number;
    unknown_types: string[];
    source_weight: { min: number; max: number };
  };
  diff: Difference[];
  data_quality: { agreement: number; conflict_free: boolean; complete: boolean };
}

const LISTED = 100;
const round = (value: number): number => Math.round(value * 1000) / 1000;

/**
 * Many graphs as one: duplicates folded, what contradicts itself settled and named. The same sources in another order
 * give the same nodes and edges. Pure.
 *
 * @param prefer the name of the source that wins wherever it says something
 */
export function mergeGraphs(sources: readonly Source[], prefer?: string): Merged {
  const said = new Map<string, { node: Node; source: Source }[]>();
  for (const source of sources)
    for (const node of uniqueNodes(source.graph.nodes)) {
      const known = said.get(node.id);
      if (known === undefined) said.set(node.id, [{ node, source }]);
      else known.push({ node, source });
    }
  const diff: Difference[] = [];
  const nodes = [...said].map(([id, all]): Node => {
    const settled = (field: "type" | "label") => settle(id, field, all, prefer, diff);
    const properties = propertiesOf(all, prefer);
    return { id, type: settled("type"), label: settled("label"), ...(properties && { properties }) };
  });
  nodes.sort(byKey(({ id }) => id));
  const { edges, duplicates, dangling } = mergeEdges(sources, said);
  const orphans = orphansIn(nodes, edges);
  const all = sources.reduce((sum, { graph }) => sum + graph.nodes.length, 0);
  const weights = sources.map(({ weight }) => weight);
  return {
    nodes,
    edges,
    summary: {
      nodes: nodes.length,
      edges: edges.length,
      entity_counts: countTypes(nodes),
      edge_counts: countTypes(edges),
    },
    sources: sources.map(({ name, weight, graph }, index) => ({
      index,
      name,
      weight,
      nodes: graph.nodes.length,
      edges: graph.edges.length,
      only_here: uniqueNodes(graph.nodes).filter(({ id }) => said.get(id)?.length === 1).length,
    })),
    diagnostics: {
      duplicate_nodes: all - nodes.length,
      duplicate_edges: duplicates,
      orphan_nodes: orphans.slice(0, LISTED),
      orphan_count: orphans.length,
      dangling_edges: dangling,
      conflicts: diff.length,
      unknown_types: unknownTypes(nodes, edges),
      source_weight: { min: Math.min(1, ...weights), max: Math.max(0, ...weights) },
    },
    diff: diff.sort(byKey(({ node_id, field }) => `${node_id} ${field}`)),
    data_quality: {
      agreement: nodes.length === 0 ? 1 : round(1 - new Set(diff.map(({ node_id }) => node_id)).size / nodes.length),
      conflict_free: diff.length === 0,
      complete: dangling === 0 && orphans.length === 0,
    },
  };
}

/** Within one source the first of an id counts. */
const uniqueNodes = (nodes: readonly Node[]): Node[] => [
  ...new Map(nodes.toReversed().map((node) => [node.id, node])).values(),
];

const byKey =
  <T>(key: (item: T) => string) =>
  (a: T, b: T): number =>
    key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0;

function settle(
  id: string,
  field: "type" | "label",
  all: readonly { node: Node; source: Source }[],
  prefer: string | undefined,
  diff: Difference[],
): string {
  const byValue = new Map<string, Source[]>();
  for (const { node, source } of all) byValue.set(node[field], [...(byValue.get(node[field]) ?? []), source]);
  const [[only] = [""]] = byValue;
  if (byValue.size === 1) return only;
  const variants = [...byValue]
    .map(([value, by]) => ({
      value,
      sources: by.map(({ name }) => name).sort(),
      weight: Math.max(...by.map(({ weight }) => weight)),
    }))
    .sort((a, b) => b.weight - a.weight || b.sources.length - a.sources.length || (a.value < b.value ? -1 : 1));
  const [first, second] = variants as [Variant, Variant];
  const preferred = prefer === undefined ? undefined : variants.find(({ sources }) => sources.includes(prefer));
  const resolution =
    preferred !== undefined
      ? "prefer_source"
      : first.weight > second.weight
        ? "weight"
        : first.sources.length > second.sources.length
          ? "agreement"
          : "alphabetical";
  const chosen = (preferred ?? first).value;
  diff.push({ node_id: id, field, variants, chosen, resolution });
  return chosen;
}

/** All that any source says; where two differ, the preferred one, else the one that is believed more. */
function propertiesOf(all: readonly { node: Node; source: Source }[], prefer: string | undefined): Node["properties"] {
  const rank = ({ source }: { source: Source }) => (source.name === prefer ? 2 : source.weight);
  const ordered = all.toSorted((a, b) => rank(a) - rank(b) || (a.source.name > b.source.name ? -1 : 1));
  const properties = Object.fromEntries(ordered.flatMap(({ node }) => Object.entries(node.properties ?? {})));
  return Object.keys(properties).length === 0 ? undefined : properties;
}

function mergeEdges(sources: readonly Source[], known: ReadonlyMap<string, unknown>) {
  const edges = new Map<string, Edge>();
  let duplicates = 0;
  let dangling = 0;
  const add = (edge: Edge): void => {
    const key = edgeKey(edge);
    const other = edges.get(key);
    if (other !== undefined) duplicates++;
    const weight = Math.max(edge.weight ?? Number.NEGATIVE_INFINITY, other?.weight ?? Number.NEGATIVE_INFINITY);
    const { type, from, to } = edge;
    edges.set(key, { type, from, to, ...(Number.isFinite(weight) && { weight }) });
  };
  for (const { graph } of sources)
    for (const edge of graph.edges) {
      if (known.has(edge.from) && known.has(edge.to)) add(edge);
      else dangling++;
    }
  for (const id of known.keys()) {
    const sub = /^sub_negotiation:(.+)$/.exec(id)?.[1];
    if (sub !== undefined && known.has(nodeId.demand(sub)))
      add({ type: "is_demand", from: id, to: nodeId.demand(sub) });
  }
  return { edges: [...edges.values()].sort(byKey(edgeKey)), duplicates, dangling };
}

function orphansIn(nodes: readonly Node[], edges: readonly Edge[]): string[] {
  const linked = new Set(edges.flatMap(({ from, to }) => [from, to]));
  return nodes.filter(({ id }) => !linked.has(id)).map(({ id }) => id);
}

function unknownTypes(nodes: readonly Node[], edges: readonly Edge[]): string[] {
  const known = new Set<string>([...NODE_TYPES, ...EDGE_TYPES]);
  const types = new Set([...nodes, ...edges].map(({ type }) => type));
  return [...types].filter((type) => !known.has(type)).sort();
}
