import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Dossier } from "../../src/report/dossier.ts";
import { graphing } from "../../src/report/graph/build.ts";
import { merging } from "../../src/report/graph/merge.ts";
import type { Graph } from "../../src/report/graph/model.ts";
import type { Source } from "../../src/report/graph/settle.ts";
import { atOnce } from "../../src/turn.ts";
import { dossier, participant } from "./sample.ts";

const graphOf = (one: Dossier): Graph => atOnce(graphing(one));
const mergeGraphs = (sources: readonly Source[], prefer?: string) => atOnce(merging(sources, prefer));
const source = (name: string, graph: Graph, weight = 1): Source => ({ name, graph, weight });
const node = (id: string, type: string, label: string) => ({ id, type, label });

describe("the graph of a negotiation", () => {
  test("has a demand, agents, offers, capabilities and a plan, with typed edges", () => {
    const { nodes, edges } = graphOf(dossier({ sub_session_ids: ["neg_9"] }, { sceneId: "scene_1" }));
    expect(nodes.map(({ type }) => type).filter((type, i, all) => all.indexOf(type) === i)).toEqual([
      "demand",
      "scene",
      "agent",
      "offer",
      "capability",
      "plan",
      "sub_negotiation",
    ]);
    expect(edges).toContainEqual({ type: "resonated", from: "demand:neg_1", to: "agent:alice", weight: 0.8 });
    expect(edges).toContainEqual({ type: "lists", from: "offer:neg_1/bob", to: "capability:react" });
    expect(edges).toContainEqual({ type: "asks_further", from: "demand:neg_1", to: "sub_negotiation:neg_9" });
    expect(edges.filter(({ type }) => type === "rests_on")).toHaveLength(2);
  });

  test("no edge leads nowhere", () => {
    const task = { id: "t", title: "t", description: "", assignee_id: "nobody", prerequisites: ["x"] };
    const { nodes, edges } = graphOf(dossier({}, { tasks: [task] }));
    const ids = new Set(nodes.map(({ id }) => id));
    expect(edges.filter(({ from, to }) => !ids.has(from) || !ids.has(to))).toEqual([]);
  });
});

describe("merging", () => {
  test("folds what several sources have, and links a sub-negotiation with its own demand", () => {
    const parent = graphOf(dossier({ sub_session_ids: ["neg_2"] }));
    const child = graphOf(dossier({ negotiation_id: "neg_2", participants: [participant("alice")] }));
    const merged = mergeGraphs([source("neg_1", parent), source("neg_2", child)]);
    expect(merged.nodes.filter(({ id }) => id === "agent:alice")).toHaveLength(1);
    expect(merged.diagnostics.duplicate_nodes).toBe(1);
    expect(merged.edges).toContainEqual({ type: "is_demand", from: "sub_negotiation:neg_2", to: "demand:neg_2" });
    expect(merged.summary.entity_counts).toEqual({
      ...{ agent: 3, capability: 4, demand: 2, offer: 3, plan: 2, sub_negotiation: 1 },
    });
    expect(merged.data_quality).toEqual({ agreement: 1, conflict_free: true, complete: true });
  });

  test("names a contradiction with its variants, and settles it as it was told to", () => {
    const says = (label: string, type = "agent") => ({ nodes: [node("agent:x", type, label)], edges: [] });
    const sources = [source("a", says("Ann"), 0.5), source("b", says("Anna")), source("c", says("Ann"), 0.5)];
    const [byWeight] = mergeGraphs(sources).diff;
    expect(byWeight).toEqual({
      node_id: "agent:x",
      field: "label",
      variants: [
        { value: "Anna", sources: ["b"], weight: 1 },
        { value: "Ann", sources: ["a", "c"], weight: 0.5 },
      ],
      chosen: "Anna",
      resolution: "weight",
    });
    expect(mergeGraphs(sources, "c").diff[0]).toMatchObject({ chosen: "Ann", resolution: "prefer_source" });
    const even = sources.map((one) => ({ ...one, weight: 1 }));
    expect(mergeGraphs(even).diff[0]).toMatchObject({ chosen: "Ann", resolution: "agreement" });
    expect(mergeGraphs(even.slice(0, 2)).diff[0]).toMatchObject({ chosen: "Ann", resolution: "alphabetical" });
  });

  test("names orphans, edges to nowhere and types it does not know", () => {
    const graph = {
      nodes: [node("agent:x", "agent", "X"), node("odd:1", "planet", "Mars")],
      edges: [{ type: "orbits", from: "odd:1", to: "odd:2" }],
    };
    const { diagnostics, edges, data_quality } = mergeGraphs([source("a", graph)]);
    expect(edges).toEqual([]);
    expect(diagnostics).toMatchObject({ orphan_count: 2, dangling_edges: 1, unknown_types: ["planet"] });
    expect(data_quality.complete).toBe(false);
  });

  const ids = fc.constantFrom("demand:1", "agent:a", "agent:b", "capability:c", "__proto__", "constructor");
  const graphs = fc.array(
    fc.record({
      nodes: fc.array(
        fc.record({
          id: ids,
          type: fc.constantFrom("agent", "demand"),
          label: fc.oneof({ weight: 3, arbitrary: fc.constant("A") }, fc.string({ maxLength: 3 })),
          properties: fc.dictionary(fc.constantFrom("a", "__proto__"), fc.constantFrom("1", 1, 2, true, null)),
        }),
      ),
      edges: fc.array(
        fc.record(
          { type: fc.constantFrom("offered", "lists"), from: ids, to: ids, weight: fc.constantFrom(0, 0.5, 1) },
          { requiredKeys: ["type", "from", "to"] },
        ),
      ),
    }),
    { maxLength: 4 },
  );

  test("the order of the sources changes nothing, and merging again adds nothing", () => {
    fc.assert(
      fc.property(graphs, (list) => {
        const sources = list.map((graph, i) => source(`s${i}`, graph, (i % 3) / 2));
        const merged = mergeGraphs(sources);
        const other = mergeGraphs(sources.toReversed());
        expect([other.nodes, other.edges, other.diff]).toEqual([merged.nodes, merged.edges, merged.diff]);
        const again = mergeGraphs([source("merged", merged), source("once more", merged)]);
        expect([again.nodes, again.edges, again.diff]).toEqual([merged.nodes, merged.edges, merged.diff]);
      }),
    );
  });

  test("where no conflict is named, it makes no difference which source is preferred", () => {
    fc.assert(
      fc.property(graphs, (list) => {
        const sources = list.map((graph, i) => source(`s${i}`, graph));
        const merged = mergeGraphs(sources);
        fc.pre(merged.data_quality.conflict_free);
        for (const { name } of sources) {
          const other = mergeGraphs(sources, name);
          expect([other.nodes, other.edges, other.diff]).toEqual([merged.nodes, merged.edges, []]);
        }
      }),
    );
  });

  test("two thousand agents, twice", () => {
    const crowd = Array.from({ length: 2000 }, (_, i) =>
      participant(`a${i}`, { offer_capabilities: [`skill ${i % 50}`, `skill ${i % 7}`] }),
    );
    const graph = graphOf(dossier({ participants: crowd }));
    const merged = mergeGraphs([source("a", graph), source("b", graph)]);
    expect(merged.summary.entity_counts).toMatchObject({ agent: 2000, offer: 2000, capability: 50 });
    expect(merged.diagnostics.duplicate_nodes).toBe(graph.nodes.length);
  });
});
