import { describe, expect, it, vi } from "vitest";
import { reportTexts } from "../../src/text/report.ts";
import { createWorld } from "../support/world.ts";
import { INTENT, json, read, world } from "./reports-support.ts";

describe("towow_compare", () => {
  it("puts the offers of one negotiation side by side, and says what nobody names", async () => {
    const { p, ids } = await world();
    const { result, text } = await p.call("towow_compare", { needs: ["产品设计", "一架直升机"] });
    const { data, meta } = result;
    expect(data.negotiation_ids).toEqual(ids);
    expect(data.offers.length).toBeGreaterThan(0);
    const scores = data.offers.map((offer: { resonance_score: number }) => offer.resonance_score);
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
    expect(data.coverage.basis).toBe("given");
    expect(data.gaps).toEqual(["一架直升机"]);
    expect(meta).toMatchObject({ tainted: true, cache_key: expect.stringMatching(/^towow_compare:[0-9a-f]{64}$/) });
    expect(text).toContain(`cache_key: ${meta.cache_key}`);
    expect(text.indexOf("<<<foreign")).toBeLessThan(text.indexOf(data.offers[0].display_name));
  });

  it("compares several, and finds the agent that is in all of them", async () => {
    const { p, ids } = await world(2);
    const { result } = await p.call("towow_compare", { negotiation_ids: ids });
    expect(result.data.negotiations.map((one: { negotiation_id: string }) => one.negotiation_id)).toEqual(ids);
    expect(result.data.differences.agents_in_several.length).toBeGreaterThan(0);
  });

  it("says so where there is nothing to compare, or nothing to compare it with", async () => {
    const { p } = await world(0);
    expect((await p.call("towow_compare")).result.error?.code).toBe("tool.negotiation.not_found.none_yet");
    const unknown = await p.call("towow_compare", { negotiation_ids: ["neg_none"] });
    expect(unknown.result.error?.code).toBe("tool.negotiation.not_found.unknown_negotiation");
    const many = await p.call("towow_compare", { negotiation_ids: Array.from({ length: 11 }, (_, i) => `neg_${i}`) });
    expect(many.result.error?.code).toBe("tool.input.invalid.arguments");
  });

  it("taints the session, so that no word of an AI broadcasts after it", async () => {
    const { world: w, ids } = await world();
    await w.tainted.keep(0, 0);
    const p = await w.process({ config: { toolset: "reports" } });
    expect(await p.deps.session.taint.isTainted(true)).toBe(false);
    await p.call("towow_resolve_target", { query: "latest" });
    expect(await p.deps.session.taint.isTainted(true)).toBe(false);
    await p.call("towow_compare", { negotiation_ids: ids });
    expect(await p.deps.session.taint.isTainted(true)).toBe(true);
  });

  it("gives text of others only once the taint is noted, however long the note takes", async () => {
    const { world: w, ids } = await world();
    await w.tainted.keep(0, 0);
    const p = await w.process({ config: { toolset: "reports" } });
    const { taint } = p.deps.session;
    const mark = taint.mark.bind(taint);
    let isNoted = false;
    vi.spyOn(taint, "mark").mockImplementation(async (...given) => {
      await w.clock.sleep(3_000);
      await mark(...given);
      isNoted = true;
    });
    const { result } = await p.call("towow_compare", { negotiation_ids: ids });
    expect([result.meta.tainted, isNoted]).toEqual([true, true]);
  });
});

/** What the backend would answer if all were like this. */
const everybodyNow =
  (now: object, more: object = {}) =>
  (body: unknown): unknown => {
    const { participants } = body as { participants?: object[] };
    if (participants === undefined) return body;
    return { ...(body as object), participants: participants.map((one) => ({ ...one, ...now })), ...more };
  };

const everybodyLeft = (gone: object, more: object = {}) => everybodyNow({ state: "exited", ...gone }, more);

const NO_OFFER = { offer_content: null, offer_capabilities: null };

it.each([
  ["has left", { state: "exited" }],
  ["still owes the offer", { state: "active", ...NO_OFFER }],
])("towow_compare, where everybody %s: no strongest resonance is named, by a sentence or a number", async (_, now) => {
  const { world: w, ids } = await world();
  const p = await w.process({ config: { toolset: "reports" } });
  w.rewrite = everybodyNow(now, { state: "offering", plan_output: null });
  const { result } = await p.call("towow_compare", { negotiation_ids: ids });
  expect(result.data.offers.length).toBeGreaterThan(0);
  const { tool } = reportTexts("en");
  expect(result.summary).toContain(tool.noOffers);
  expect(result.summary).not.toContain(tool.strongest("").slice(0, 20));
  expect(result.data.negotiations[0].strongest_resonance).toBe(null);
});

it.each([
  ["offers", everybodyNow({}, { plan_output: null }), true],
  ["what agents had offered who left", everybodyLeft({}, { plan_output: null }), false],
  ["the tasks of a plan", everybodyLeft(NO_OFFER), true],
  ["names alone", everybodyLeft(NO_OFFER, { plan_output: null }), false],
])("towow_compare, and %s: whether the session is tainted", async (_, rewrite, isTainted) => {
  const { world: w, ids } = await world();
  await w.tainted.keep(0, 0);
  w.rewrite = rewrite;
  const p = await w.process({ config: { toolset: "reports" }, feed: true });
  await p.call("towow_compare", { negotiation_ids: ids }); // which is what the feed is opened for
  await w.clock.advance(2_000);
  const { result } = await p.call("towow_compare", { negotiation_ids: ids });
  expect(result.data.offers.length).toBeGreaterThan(0);
  expect(await p.deps.session.taint.isTainted(true)).toBe(isTainted);
});

it("towow_compare of many: those that it leaves out are counted, all of them, and it says so", async () => {
  const { world: w, ids } = await world();
  w.rewrite = (body) => {
    const [one] = (body as { participants?: object[] }).participants ?? [];
    if (one === undefined) return body;
    const participants = Array.from({ length: 57 }, (_, i) => ({ ...one, agent_id: `agent_${i}` }));
    return { ...(body as object), participants };
  };
  const p = await w.process({ config: { toolset: "reports" } });
  const { result } = await p.call("towow_compare", { negotiation_ids: ids });
  const { offers, more_offers } = result.data;
  expect(offers.length + more_offers).toBe(57);
  expect(result.meta.truncated).toBe(true);
  const { tool } = reportTexts("en");
  expect(result.summary).toContain(tool.compared(1, 57));
  expect(result.summary).toContain(tool.more(more_offers));
});

describe("towow_brief_export", () => {
  it("says what was decided, what is at risk, and what can be done, each with where it is seen", async () => {
    const { p, world: w, ids } = await world();
    const { result } = await p.call("towow_brief_export", { needs: ["产品设计", "一架直升机"] });
    const { data } = result;
    expect(data.decision_summary[0]).toMatchObject({
      negotiation_id: ids[0],
      decisions: [{ what: "accept", by: "form" }],
    });
    expect(data.gaps).toEqual(["一架直升机"]);
    expect(data.data_quality.is_final).toBe(true);
    for (const { tool } of data.follow_up_plan) expect(tool).toMatch(/^towow_/);
    for (const { evidence } of data.risks) expect(evidence).toMatch(/^towow:\/\/negotiations\/[^#]+#\//);
    for (const { uri } of data.evidence_links) expect((await read(p, w, uri)).length).toBeGreaterThan(0);
    for (const part of data.recommended_read_order) expect(data).toHaveProperty(part);
  });

  it("of a merged graph says what that graph says, its conflicts included", async () => {
    const { p, ids } = await world(2);
    const [id = "", other = ""] = ids;
    const nodes = [
      { id: `demand:${id}`, type: "demand", label: "Mine", properties: { state: "unknown" } },
      { id: "agent:nobody", type: "agent", label: "Nobody" },
    ];
    const edges = [{ type: "resonated", from: "agent:nobody", to: "agent:gone" }];
    const graphs = [{ name: "notes", graph: { nodes, edges } }];
    const args = { sources: [id], graphs, prefer_source: "notes", weights: { notes: 0.3 } };
    const merged = (await p.call("towow_graph_merge", args)).result;
    const { summary, diagnostics, data_quality, diff } = merged.data;
    const brief = (await p.call("towow_brief_export", { sources: [merged.meta.cache_key] })).result.data;
    expect(brief.graph_summary).toEqual({ summary, diagnostics, data_quality, diff });
    expect(diff).toHaveLength(2);
    expect(diagnostics).toMatchObject({ conflicts: 2, dangling_edges: 1, source_weight: { min: 0.3, max: 1 } });
    expect(brief.negotiation_ids).toEqual([id]);
    const more = (await p.call("towow_brief_export", { sources: [merged.meta.cache_key, other] })).result.data;
    expect(more.negotiation_ids).toEqual([id, other]);
    expect(more.graph_summary).toMatchObject({ summary: { entity_counts: { demand: 2 } }, diff });
    expect(more.graph_summary.summary.entity_counts.agent).toBe(summary.entity_counts.agent);
  });

  it("of a graph of no negotiation says what is missing", async () => {
    const { p, ids } = await world();
    const graph = { nodes: [{ id: "agent:a", type: "agent", label: "A" }], edges: [] };
    const merged = (await p.call("towow_graph_merge", { graphs: [{ name: "notes", graph }] })).result;
    const sources = [merged.meta.cache_key];
    const { error } = (await p.call("towow_brief_export", { sources })).result;
    expect(error).toMatchObject({ code: "tool.input.invalid.arguments" });
    expect(error?.message).toMatch(/sources.*these graphs hold none/);
    const both = (await p.call("towow_brief_export", { sources: [...sources, ...ids] })).result.data;
    expect(both.graph_summary.diagnostics.orphan_nodes).toEqual(["agent:a"]);
  });

  it("a demand that waits is the person's to decide: the follow-up says so, and words none", async () => {
    const w = await createWorld();
    const p = await w.process({ config: { toolset: "all" } });
    await p.call("towow_demand", { intent: INTENT });
    const { follow_up_plan } = (await p.call("towow_brief_export")).result.data;
    expect(follow_up_plan).toEqual([expect.objectContaining({ tool: "towow_demand", needs_person: true })]);
    expect(JSON.stringify(follow_up_plan)).not.toMatch(/intent|confirmed_text|decision"/);
  });
});

describe("next actions", () => {
  const made = [
    ["towow_compare", {}],
    ["towow_graph_merge", { sources: ["ID"] }],
    ["towow_resolve_target", { query: "latest" }],
    ["towow_resolve_target", { query: "AI 创业合伙人", kinds: ["scene"] }],
    ["towow_resolve_target", { query: "NAME", kinds: ["agent"] }],
  ] as const;

  it("can each be called as they stand, and several are named where several make sense", async () => {
    const { p, ids, world: w } = await world();
    const offered = w.mock.negotiations()[0]?.participants.find(({ offer_content }) => offer_content !== null);
    const counts: number[] = [];
    for (const [tool, args] of made) {
      const filled = JSON.parse(
        JSON.stringify(args)
          .replace("ID", ids[0] ?? "")
          .replace("NAME", offered?.display_name ?? ""),
      );
      const { next_actions } = (await p.call(tool, filled)).result.data;
      counts.push(next_actions.length);
      for (const action of next_actions) expect((await p.call(action.tool, action.params)).result.error).toBeNull();
    }
    expect(counts).toEqual([2, 1, 3, 1, 2]);
  });

  it("names none that is not listed, and waits for what goes on", async () => {
    const { p } = await world(0);
    await p.call("towow_submit_demand", { intent: INTENT, scene_id: p.settings.last_scene_id });
    const tools = (actions: { tool: string }[]) => actions.map(({ tool }) => tool);
    const { data } = (await p.call("towow_compare")).result;
    expect(tools(data.next_actions)).toEqual(["towow_status", "towow_brief_export", "towow_graph_merge"]);
    p.settings.toolset = "reports";
    const found = (await p.call("towow_resolve_target", { query: "latest" })).result.data;
    expect(tools(found.next_actions)).toEqual(["towow_compare", "towow_brief_export"]);
  });
});

describe("the toolset", () => {
  it("reports lists the six alone; all lists them beside the others; no mode does", async () => {
    const { p } = await world(0, { toolset: "reports" });
    const six = [
      "towow_compare",
      "towow_graph_merge",
      "towow_brief_export",
      "towow_report",
      "towow_plan_workflow",
      "towow_resolve_target",
    ];
    expect((await p.client.listTools()).tools.map(({ name }) => name)).toEqual(six);
    const all = await world(0);
    const names = (await all.p.client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([...six, "towow_demand"]));
    const developer = await world(0, { toolset: undefined, mode: "developer" });
    const hidden = await developer.p.call("towow_compare");
    expect(hidden.result.error).toMatchObject({
      code: "tool.policy.blocked.inactive_toolset",
      recovery_suggestion: expect.stringContaining("--toolset reports"),
    });
  });

  it("results carry a cache key only where references can be used", async () => {
    const { p } = await world(0, { toolset: "developer" });
    const { result } = await p.call("towow_list_scenes");
    expect(result.meta.cache_key).toBeUndefined();
    const all = await world(0);
    expect((await all.p.call("towow_list_scenes")).result.meta.cache_key).toMatch(/^towow_list_scenes:/);
  });

  it("nothing is kept of an error, and a stranger's key leads nowhere", async () => {
    const { p, world: w } = await world(0);
    expect((await p.call("towow_compare", { negotiation_ids: ["neg_x"] })).result.meta.cache_key).toBeUndefined();
    const other = await w.process({ config: { toolset: "all" } });
    const { cache_key } = (await other.call("towow_list_scenes")).result.meta;
    await expect(read(p, w, `towow://cache/${cache_key}`)).rejects.toThrow();
    for (const bad of [
      "towow://cache/..",
      "towow://cache/x",
      "towow://cache/towow_status:zz",
      `towow://cache/${cache_key}/..`,
    ])
      await expect(read(p, w, bad), bad).rejects.toThrow();
  });

  it("the graph and the brief of a negotiation are resources", async () => {
    const { p, world: w, ids } = await world();
    const graph = (await json(p, w, `towow://negotiations/${ids[0]}/graph`)) as { nodes: { type: string }[] };
    expect(graph.nodes[0]?.type).toBe("demand");
    const brief = (await json(p, w, `towow://negotiations/${ids[0]}/brief`)) as { decision_summary: unknown[] };
    expect(brief.decision_summary).toHaveLength(1);
  });
});
