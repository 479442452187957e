import { describe, expect, it } from "vitest";
import { byCodeUnits } from "../../src/by-code-units.ts";
import { json, read, world } from "./reports-support.ts";

describe("towow_graph_merge", () => {
  it("merges negotiations, an earlier result and a graph that is handed in", async () => {
    const { p, ids } = await world(2);
    const first = await p.call("towow_graph_merge", { sources: [ids[0]] });
    const { result } = await p.call("towow_graph_merge", {
      sources: [ids[1], first.result.meta.cache_key],
      graphs: [
        {
          name: "notes",
          graph: {
            nodes: [
              { id: `demand:${ids[1]}`, type: "demand", label: "What I remember" },
              { id: "agent:nobody", type: "agent", label: "Nobody" },
            ],
            edges: [{ type: "resonated", from: "agent:nobody", to: "agent:gone" }],
          },
        },
      ],
    });
    const { data } = result;
    expect(data.summary.entity_counts.demand).toBe(2);
    expect(data.diagnostics).toMatchObject({ conflicts: 1, dangling_edges: 1, orphan_nodes: ["agent:nobody"] });
    expect(data.diff[0]).toMatchObject({ field: "label", resolution: "weight" });
    expect(data.diff[0].variants.map((variant: { sources: string[] }) => variant.sources)).toEqual([
      [ids[1]],
      ["notes"],
    ]);
    expect(data.negotiation_ids.toSorted(byCodeUnits)).toEqual(ids.toSorted(byCodeUnits));
    const preferring = await p.call("towow_graph_merge", {
      sources: [ids[1]],
      graphs: [
        { name: "notes", graph: { nodes: [{ id: `demand:${ids[1]}`, type: "demand", label: "Mine" }], edges: [] } },
      ],
      prefer_source: "notes",
    });
    expect(preferring.result.data.diff[0]).toMatchObject({ chosen: "Mine", resolution: "prefer_source" });
  });

  it("has one root, which includes each negotiation, also once it is merged again", async () => {
    const { p, ids } = await world(2);
    const once = await p.call("towow_graph_merge", { sources: ids });
    const again = await p.call("towow_graph_merge", { sources: [once.result.meta.cache_key, ids[0]] });
    for (const { result } of [once, again]) {
      const { nodes, edges, summary, data_quality } = result.data;
      expect(nodes.filter(({ type }: { type: string }) => type === "merge")).toEqual([
        { id: "merge", type: "merge", label: "merge" },
      ]);
      const included = edges.filter(({ type }: { type: string }) => type === "includes");
      const demands = included.map(({ from, to }: Record<string, string>) => [from, to]);
      expect(demands).toEqual(ids.toSorted(byCodeUnits).map((id) => ["merge", `demand:${id}`]));
      expect([summary.entity_counts.merge, summary.edge_counts.includes]).toEqual([1, 2]);
      expect(data_quality.complete).toBe(true);
    }
  });

  it("a graph weighs what is said of it, also one that is called as a member of every object", async () => {
    const { p, ids } = await world();
    const [id = ""] = ids;
    for (const name of ["constructor", "toString", "notes"]) {
      const graph = { nodes: [{ id: `demand:${id}`, type: "demand", label: "Mine" }], edges: [] };
      const { result } = await p.call("towow_graph_merge", { sources: [id], graphs: [{ name, graph }] });
      expect(
        result.data.diff[0].variants.map(({ weight }: { weight: number }) => weight),
        name,
      ).toEqual([1, 0.5]);
    }
  });

  it("a demand, an offer and a plan say where the whole of their text is read", async () => {
    const { world: w, ids } = await world();
    const [id = ""] = ids;
    const long = (text: unknown) => `${text} ${"and so on ".repeat(20)}to the end.`;
    w.rewrite = (body) => {
      const { participants, demand_raw } = body as { participants?: { offer_content: unknown }[]; demand_raw: unknown };
      const longer = participants?.map((one) => ({ ...one, offer_content: one.offer_content && long("I offer") }));
      if (longer === undefined) return body;
      return {
        ...(body as object),
        participants: longer,
        demand_formulated: long(demand_raw),
        plan_output: long("Plan"),
      };
    };
    const p = await w.process({ config: { toolset: "all" } });
    const { nodes } = (await p.call("towow_graph_merge", { sources: [id] })).result.data;
    const written = nodes.filter(({ type }: { type: string }) => ["demand", "offer", "plan"].includes(type));
    expect(new Set(written.map(({ type }: { type: string }) => type)).size).toBe(3);
    for (const { label, properties } of written) {
      expect(label).toMatch(/…$/);
      expect(await read(p, w, properties.uri)).toContain("to the end.");
    }
    const copied = [{ name: "copy", graph: { nodes: written, edges: [] } }];
    const { diff } = (await p.call("towow_graph_merge", { sources: [id], graphs: copied })).result.data;
    expect(diff.filter(({ field }: { field: string }) => field !== "label")).toEqual([]);
  });

  it("settles properties and the weights of edges as it settles labels, and names each difference", async () => {
    const { p } = await world(0);
    const graph = (role: string, weight: number | undefined, more = {}) => ({
      nodes: [
        { id: "agent:a", type: "agent", label: "A", properties: { role, ...more } },
        { id: "demand:d", type: "demand", label: "D" },
      ],
      edges: [{ type: "resonated", from: "demand:d", to: "agent:a", ...(weight !== undefined && { weight }) }],
    });
    const graphs = [
      { name: "loud", graph: graph("designer", 0.9, { city: "Berlin" }) },
      { name: "sure", graph: graph("engineer", 0.2) },
      { name: "mute", graph: graph("engineer", undefined) },
    ];
    const merged = async (args: object) => (await p.call("towow_graph_merge", { graphs, ...args })).result.data;
    const byWeight = await merged({ weights: { sure: 0.8 } });
    expect(byWeight.nodes[0].properties).toEqual({ city: "Berlin", role: "engineer" });
    expect(byWeight.edges[0].weight).toBe(0.2);
    expect(byWeight.diff).toEqual([
      {
        node_id: "agent:a",
        field: "properties/role",
        variants: [
          { value: "engineer", sources: ["mute", "sure"], weight: 0.8 },
          { value: "designer", sources: ["loud"], weight: 0.5 },
        ],
        chosen: "engineer",
        resolution: "weight",
      },
      {
        edge: { type: "resonated", from: "demand:d", to: "agent:a" },
        field: "weight",
        variants: [
          { value: 0.2, sources: ["sure"], weight: 0.8 },
          { value: 0.9, sources: ["loud"], weight: 0.5 },
        ],
        chosen: 0.2,
        resolution: "weight",
      },
    ]);
    expect(byWeight.diagnostics.conflicts).toBe(2);
    expect(byWeight.data_quality).toEqual({ agreement: 0.333, conflict_free: false, complete: true });
    const preferring = await merged({ prefer_source: "sure", weights: { loud: 1 } });
    expect([preferring.nodes[0].properties.role, preferring.edges[0].weight]).toEqual(["engineer", 0.2]);
    expect(preferring.diff.map(({ resolution }: { resolution: string }) => resolution)).toEqual([
      "prefer_source",
      "prefer_source",
    ]);
    const even = await merged({ prefer_source: "mute" });
    expect(even.edges[0].weight).toBe(0.9);
    expect(even.diff[1]).toMatchObject({ field: "weight", chosen: 0.9, resolution: "greatest" });
    const one = await merged({ graphs: graphs.slice(0, 1) });
    expect(one.data_quality).toEqual({ agreement: 1, conflict_free: true, complete: true });
  });

  it("a merged graph that is merged again keeps its conflicts, each once", async () => {
    const { p, ids } = await world();
    const notes = { nodes: [{ id: `demand:${ids[0]}`, type: "demand", label: "Mine" }], edges: [] };
    const args = { sources: ids, graphs: [{ name: "notes", graph: notes }] };
    const first = (await p.call("towow_graph_merge", args)).result;
    const again = { sources: [first.meta.cache_key, `towow://cache/${first.meta.cache_key}`] };
    const { data } = (await p.call("towow_graph_merge", again)).result;
    expect([data.nodes, data.edges, data.diff]).toEqual([first.data.nodes, first.data.edges, first.data.diff]);
    expect(data.diagnostics.conflicts).toBe(1);
    expect(data.data_quality).toEqual(first.data.data_quality);
  });

  it("believes a negotiation as far as the caller says, under whichever name it was given", async () => {
    const { p, ids } = await world();
    const [id = ""] = ids;
    const compared = await p.call("towow_compare", { negotiation_ids: [id] });
    const notes = { nodes: [{ id: `demand:${id}`, type: "demand", label: "Mine" }], edges: [] };
    for (const source of [id, `towow://negotiations/${id}`, `${compared.result.meta.cache_key}#/negotiation_ids`]) {
      const args = { sources: [source], graphs: [{ name: "notes", graph: notes }] };
      const usual = (await p.call("towow_graph_merge", args)).result.data.diff[0];
      expect(usual.chosen, source).not.toBe("Mine");
      const doubted = (await p.call("towow_graph_merge", { ...args, weights: { [source]: 0.1 } })).result.data.diff[0];
      expect(doubted, source).toMatchObject({ chosen: "Mine", resolution: "weight" });
    }
  });

  it("a preferred or weighed source that is none of those given is refused, and nothing is read", async () => {
    const { p, world: w, ids } = await world();
    const before = w.mock.journal.length;
    for (const [field, value] of [
      ["prefer_source", "elsewhere"],
      ["weights", { elsewhere: 1 }],
    ] as const) {
      const { result } = await p.call("towow_graph_merge", { sources: ids, [field]: value });
      expect(result.error).toMatchObject({ code: "tool.input.invalid.arguments" });
      expect(result.error?.message).toContain(field);
    }
    expect(w.mock.journal.length).toBe(before);
  });

  it("two thousand nodes: a short result, and the whole in pages under its key", async () => {
    const { p, world: w } = await world(0);
    const nodes = Array.from({ length: 2000 }, (_, i) => ({ id: `agent:${i}`, type: "agent", label: `Agent ${i}` }));
    const edges = nodes.map(({ id }) => ({ type: "resonated", from: "agent:0", to: id }));
    const { result, text } = await p.call("towow_graph_merge", {
      graphs: [{ name: "crowd", graph: { nodes, edges } }],
    });
    expect(result.data.summary).toMatchObject({ nodes: 2000, edges: 2000 });
    expect(text.length).toBeLessThan(40_000);
    const uri = result.meta.truncated_paths?.[""] ?? "";
    expect(uri).toBe(`towow://cache/${encodeURIComponent(result.meta.cache_key ?? "")}`);
    const whole = (await json(p, w, uri)) as { nodes: unknown[] };
    expect(whole.nodes).toHaveLength(2000);
  });

  it("cleans what is handed in, and refuses what is no graph", async () => {
    const { p } = await world(0);
    const graph = {
      nodes: [
        { id: "x", type: "agent", label: "Call 13800138000\u202E <script>" },
        {
          id: "y",
          type: "offer",
          label: "y",
          properties: { uri: "towow://negotiations/neg_1/offers/%3Cscript%3E<script>" },
        },
      ],
      edges: [{ type: "offered", from: "x", to: "x" }],
    };
    const { result } = await p.call("towow_graph_merge", { graphs: [{ name: "n", graph }] });
    expect(JSON.stringify(result)).not.toMatch(/13800138000|\u202E|<script>/);
    expect(result.warnings).toContain("pii_redacted");
    for (const [bad, code] of [
      [{ nodes: {} }, "tool.input.invalid.argument_missing"],
      [{ nodes: [], edges: [{ from: "x" }] }, "tool.input.invalid.argument_missing"],
      [{ nodes: [{ id: "", type: "agent", label: "x" }], edges: [] }, "tool.input.invalid.arguments"],
    ] as const) {
      const refused = await p.call("towow_graph_merge", { graphs: [{ name: "n", graph: bad }] });
      expect(refused.result.error?.code).toBe(code);
    }
    expect((await p.call("towow_graph_merge")).result.error?.code).toBe("tool.input.invalid.arguments");
  });
});
