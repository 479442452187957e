import { byCodeUnits } from "../../by-code-units.ts";
import { atOnce, type Steps, stepping } from "../../turn.ts";
import type { Dossier } from "../dossier.ts";
import { graphing, nodeId } from "./build.ts";
import { countTypes, EDGE_TYPES, type Edge, edgeKey, type Graph, NODE_TYPES, type Node, ROOT } from "./model.ts";
import { type Difference, type Said, type Source, settle } from "./settle.ts";

export interface Merged extends Graph {
  summary: { nodes: number; edges: number; entity_counts: Record<string, number>; edge_counts: Record<string, number> };
  sources: { index: number; name: string; weight: number; nodes: number; edges: number; only_here: number }[];
  diagnostics: {
    duplicate_nodes: number;
    duplicate_edges: number;
    /** The ids of the first hundred nodes without any edge. */
    orphan_nodes: string[];
    orphan_count: number;
    /** The number of edges that were left out because one of their nodes is missing. */
    dangling_edges: number;
    conflicts: number;
    unknown_types: string[];
    source_weight: { min: number; max: number };
  };
  diff: Difference[];
  data_quality: { agreement: number; conflict_free: boolean; complete: boolean };
}

/** The counts of a merged graph, and the differences between its sources. */
export type GraphSummary = Pick<Merged, "summary" | "diagnostics" | "data_quality" | "diff">;

const LISTED = 100;
const round = (value: number): number => Math.round(value * 1000) / 1000;

/**
 * Merges graphs into one. Duplicates become one node or edge, and contradictions are settled and listed in `diff`.
 * The order of the sources does not change the nodes and edges of the result. Pure.
 * @param prefer the name of the source that wins wherever it gives a value
 */
export function* merging(sources: readonly Source[], prefer?: string): Steps<Merged> {
  const said = new Map<string, NodeSaid[]>();
  for (const source of sources)
    yield* stepping(uniqueNodes(source.graph.nodes), (node) => {
      const known = said.get(node.id);
      if (known === undefined) said.set(node.id, [{ node, source }]);
      else known.push({ node, source });
    });
  const diff = sources.flatMap(({ graph }) => graph.diff ?? []);
  const nodes: Node[] = [];
  yield* stepping(said, ([id, all]) => {
    const settled = (field: "type" | "label") => settle({ node_id: id }, field, saying(all, field), prefer, diff) ?? "";
    const properties = propertiesOf(id, all, prefer, diff);
    nodes.push({ id, type: settled("type"), label: settled("label"), ...(properties && { properties }) });
  });
  nodes.sort(byKey(({ id }) => id));
  yield;
  const { edges, duplicates, dangling } = yield* mergeEdges(sources, said, prefer, diff);
  yield;
  const differences = inOrder(diff);
  const differing = new Set(differences.map(subjectKey)).size;
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
      conflicts: differences.length,
      unknown_types: unknownTypes(nodes, edges),
      source_weight: { min: Math.min(1, ...weights), max: Math.max(0, ...weights) },
    },
    diff: differences,
    data_quality: {
      agreement: nodes.length === 0 ? 1 : round(1 - differing / (nodes.length + edges.length)),
      conflict_free: differences.length === 0,
      complete: dangling === 0 && orphans.length === 0,
    },
  };
}

/**
 * Adds a root that includes every demand, so that the whole graph can be walked from one node (seed 000). The root
 * becomes the last node. The graph must not have a root yet (see `withoutRoot`). Pure.
 */
export function underRoot(merged: Merged): Merged {
  const demands = merged.nodes.filter(({ type }) => type === "demand");
  if (demands.length === 0) return merged;
  const nodes = [...merged.nodes, ROOT];
  const includes = demands.map(({ id }): Edge => ({ type: "includes", from: ROOT.id, to: id }));
  const edges = [...merged.edges, ...includes];
  const [entity_counts, edge_counts] = [countTypes(nodes), countTypes(edges)];
  const orphans = orphansIn(nodes, edges);
  return {
    ...merged,
    ...{ nodes, edges },
    summary: { nodes: nodes.length, edges: edges.length, entity_counts, edge_counts },
    diagnostics: { ...merged.diagnostics, orphan_nodes: orphans.slice(0, LISTED), orphan_count: orphans.length },
    data_quality: {
      ...merged.data_quality,
      complete: merged.diagnostics.dangling_edges === 0 && orphans.length === 0,
    },
  };
}

/** Merges the graphs of these negotiations into one. Pure. */
export const mergedGraphOf = (dossiers: readonly Dossier[]): Merged => atOnce(mergingGraphsOf(dossiers));

/** Does the work of {@link mergedGraphOf} in small steps, between which other work can run. */
export function* mergingGraphsOf(dossiers: readonly Dossier[]): Steps<Merged> {
  const sources: Source[] = [];
  for (const dossier of dossiers) sources.push({ name: dossier.id, graph: yield* graphing(dossier), weight: 1 });
  return yield* merging(sources);
}

/** Returns the nodes of one source without duplicates. If several nodes have the same id, the first counts. */
const uniqueNodes = (nodes: readonly Node[]): Node[] => [
  ...new Map(nodes.toReversed().map((node) => [node.id, node])).values(),
];

const byKey =
  <T>(key: (item: T) => string) =>
  (a: T, b: T): number =>
    key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0;

interface NodeSaid {
  node: Node;
  source: Source;
}

const saying = (all: readonly NodeSaid[], field: "type" | "label"): Said<string>[] =>
  all.map(({ node, source }) => ({ value: node[field], source }));

const subjectKey = (one: Difference): string => ("node_id" in one ? one.node_id : edgeKey(one.edge));

/**
 * Sorts the differences and removes duplicates. Differences in nodes come first, because an agent's name says more
 * than the weight of an edge.
 */
function inOrder(diff: readonly Difference[]): Difference[] {
  const keyOf = (one: Difference) => `${"edge" in one ? 1 : 0} ${subjectKey(one)} ${one.field} ${JSON.stringify(one)}`;
  const byItsKey = new Map(diff.map((one) => [keyOf(one), one]));
  return [...byItsKey].sort(byKey(([key]) => key)).map(([, one]) => one);
}

/** Collects the properties that the sources give a node, and settles each one separately. */
function propertiesOf(
  id: string,
  all: readonly NodeSaid[],
  prefer: string | undefined,
  diff: Difference[],
): Node["properties"] {
  const said = new Map<string, Said<string | number | boolean | null>[]>();
  for (const { node, source } of all)
    for (const [name, value] of Object.entries(node.properties ?? {}))
      said.set(name, [...(said.get(name) ?? []), { value, source }]);
  if (said.size === 0) return undefined;
  const settled = [...said.keys()].sort(byCodeUnits).map((name) => {
    return [name, settle({ node_id: id }, `properties/${name}`, said.get(name) ?? [], prefer, diff) ?? null] as const;
  });
  return Object.fromEntries(settled);
}

function* mergeEdges(
  sources: readonly Source[],
  nodes: ReadonlyMap<string, unknown>,
  prefer: string | undefined,
  diff: Difference[],
): Steps<{ edges: Edge[]; duplicates: number; dangling: number }> {
  const said = new Map<string, { edge: Edge; weights: Said<number>[] }>();
  let duplicates = 0;
  let dangling = 0;
  const add = (edge: Edge, source?: Source): void => {
    const key = edgeKey(edge);
    const known = said.get(key);
    if (known !== undefined) duplicates++;
    const { weights } = known ?? { weights: [] as Said<number>[] };
    // If a source gives an edge several weights, the first counts, as with nodes.
    if (source !== undefined && edge.weight !== undefined && weights.at(-1)?.source !== source)
      weights.push({ value: edge.weight, source });
    said.set(key, { edge, weights });
  };
  for (const source of sources)
    yield* stepping(source.graph.edges, (edge) => {
      if (nodes.has(edge.from) && nodes.has(edge.to)) add(edge, source);
      else dangling++;
    });
  for (const id of nodes.keys()) {
    const sub = /^sub_negotiation:(.+)$/.exec(id)?.[1];
    if (sub !== undefined && nodes.has(nodeId.demand(sub)))
      add({ type: "is_demand", from: id, to: nodeId.demand(sub) });
  }
  const keyed: [string, Edge][] = [];
  yield* stepping(said, ([key, { edge, weights }]) => {
    const { type, from, to } = edge;
    const weight = settle({ edge: { type, from, to } }, "weight", weights, prefer, diff);
    keyed.push([key, { type, from, to, ...(weight !== undefined && { weight }) }]);
  });
  keyed.sort(byKey(([key]) => key));
  return { edges: keyed.map(([, edge]) => edge), duplicates, dangling };
}

function orphansIn(nodes: readonly Node[], edges: readonly Edge[]): string[] {
  const linked = new Set(edges.flatMap(({ from, to }) => [from, to]));
  return nodes.filter(({ id }) => !linked.has(id)).map(({ id }) => id);
}

function unknownTypes(nodes: readonly Node[], edges: readonly Edge[]): string[] {
  const known = new Set<string>([...NODE_TYPES, ...EDGE_TYPES]);
  const types = new Set([...nodes, ...edges].map(({ type }) => type));
  return [...types].filter((type) => !known.has(type)).sort(byCodeUnits);
}
