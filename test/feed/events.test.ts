import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { negotiationSchema } from "../../src/backend/contract.ts";
import { type FeedEvent, type PlanTask, readEvent } from "../../src/backend/feed/events.ts";
import { byCodeUnits } from "../../src/by-code-units.ts";
import { consistentWith, type FeedEvidence, NO_EVIDENCE, withEvent } from "../../src/feed/evidence.ts";
import { anyJson, mutatedJson, textOf } from "../fuzz/material.ts";
import { WIRE } from "../support/wire.ts";

interface WireEvent {
  event_type: string;
  negotiation_id: string;
  event_id: string;
  data: Record<string, unknown>;
}

const recording = (name: string) =>
  WIRE[name] as { response: { body: unknown }; ws_events?: unknown; parent_ws?: unknown };
const wireEvents = (name: string) => (recording(`${name}.hidden`) as { ws_events: WireEvent[] }).ws_events;
const negotiationIn = (name: string) => negotiationSchema.parse(recording(name).response.body);
const KNOWN = /^(formulation.ready|resonance.activated|barrier.complete|center.tool_call|sub_negotiation|plan.ready)/;

const read = (events: WireEvent[]): FeedEvent[] =>
  events.flatMap((event) => readEvent(JSON.stringify(event), event.negotiation_id) ?? []);
const fold = (events: FeedEvent[]): FeedEvidence => events.reduce(withEvent, NO_EVIDENCE);
/** What a run's feed said, as far as its last REST answer agrees. */
const evidenceIn = (name: string) => consistentWith(negotiationIn(name), fold(read(wireEvents(name))));

const RUNS = Object.keys(WIRE)
  .filter((name) => name.endsWith(".hidden"))
  .map((name) => name.slice(0, -".hidden".length))
  .filter((name) => recording(`${name}.hidden`).ws_events !== undefined);

describe("the feed of the recorded engine", () => {
  it("every event of every run is read, but for offers, which REST has", () => {
    expect(RUNS.length).toBeGreaterThan(25);
    for (const name of RUNS)
      for (const event of wireEvents(name)) {
        const isRead = readEvent(JSON.stringify(event), event.negotiation_id) !== undefined;
        expect(isRead, `${name} ${JSON.stringify(event)}`).toBe(KNOWN.test(event.event_type));
      }
  });

  it("says why a formulation is degraded", () => {
    const reasons = {
      fail: "formulation_error",
      adapter: "adapter_error",
      token: "token_expired",
      empty: "formulation_error",
    };
    for (const [run, reason] of Object.entries(reasons))
      expect(evidenceIn(`variant-formulation-${run}`).formulation, run).toMatchObject({ degraded: true, reason });
    expect(evidenceIn("timeout-formulation").formulation?.reason).toBe("formulation_timeout");
    expect(evidenceIn("variant-kstar-1").formulation?.degraded).toBe(false);
  });

  it("says who was left out, with which score", () => {
    const { filtered, filteredCount } = evidenceIn("variant-none-resonates");
    expect(filtered.map(({ agent_id }) => agent_id)).toEqual(["agent_alice", "agent_bob", "agent_carol", "agent_zed"]);
    expect(filtered[0]?.resonance_score).toBeCloseTo(0.4);
    expect(filteredCount).toBe(4);
  });

  it("gives the plan's tasks, who does them, and in which order", () => {
    const { plan, centerCalls } = evidenceIn("variant-offer-failures");
    expect(plan?.tasks.map(({ id, assignee_id, prerequisites }) => [id, assignee_id, prerequisites])).toEqual([
      ["task_1", "agent_object", []],
      ["task_2", "agent_text", ["task_1"]],
      ["task_3", "agent_alice", ["task_2"]],
      ["task_4", "agent_strskills", ["task_3"]],
    ]);
    expect(centerCalls.map(({ tool_name }) => tool_name)).toEqual(["output_plan"]);
  });

  it("gives the text of a demand that went out for a gap", () => {
    const events = (recording("sub.timeline") as { parent_ws: WireEvent[] }).parent_ws;
    const n = negotiationIn("sub-parent-final");
    expect(consistentWith(n, fold(read(events))).subDemands).toEqual([
      { negotiation_id: n.sub_session_ids[0], text: "Nobody covers the machine learning and python security audit" },
    ]);
  });
});

it("half a character in a frame is read as U+FFFD", () => {
  const [event] = wireEvents("variant-none-resonates").filter(({ event_type }) => event_type === "formulation.ready");
  const half = { ...event!, data: { ...event!.data, formulated_text: "A \ud83c" } };
  expect(read([half])[0]?.data).toMatchObject({ formulated_text: "A \uFFFD" });
});

describe("a feed that lies", () => {
  const name = "variant-offer-failures";
  const n = negotiationIn(name);
  const said = (change: (event: WireEvent) => void) => {
    const events = structuredClone(wireEvents(name));
    for (const event of events) change(event);
    return consistentWith(n, fold(read(events)));
  };
  const about = (type: string, data: Record<string, unknown>) =>
    said((event) => {
      if (event.event_type === type) Object.assign(event.data, data);
    });

  it("is not believed against the backend's own answer", () => {
    expect(about("plan.ready", { plan_text: "Pay them first" }).plan).toBeUndefined();
    expect(about("formulation.ready", { raw_intent: "something else" }).formulation).toBeUndefined();
    expect(about("formulation.ready", { degraded: true, degraded_reason: "x" }).formulation).toBeUndefined();
    const alice = { agent_id: "agent_alice", display_name: "Alice", resonance_score: 0.1 };
    expect(about("resonance.activated", { filtered_agents: [alice] })).toMatchObject({
      filtered: [],
      filteredCount: 0,
    });
    const sub = { type: "sub_negotiation.started" as const, id: "e" };
    const made = withEvent(NO_EVIDENCE, { ...sub, data: { sub_negotiation_id: "x", gap_description: "g" } });
    expect(consistentWith(n, made).subDemands).toEqual([]);
    const called = { ...NO_EVIDENCE, centerCalls: [{ tool_name: "ask_agent", round_number: 1 }] };
    expect(consistentWith({ ...n, center_rounds: 1 }, called).centerCalls).toEqual(called.centerCalls);
    expect(consistentWith({ ...n, center_rounds: 0 }, called).centerCalls).toEqual([]);
  });

  it("of another negotiation, or in another shape, is not heard", () => {
    for (const event of wireEvents(name)) {
      expect(readEvent(JSON.stringify(event), "neg_other")).toBeUndefined();
      for (const data of [null, [], "x", {}])
        expect(readEvent(JSON.stringify({ ...event, data }), event.negotiation_id)).toBeUndefined();
    }
  });

  it("has bounds: items, texts, calls", () => {
    const long = "长".repeat(100_000);
    const many = Array.from({ length: 5_000 }, (_, i) => ({
      agent_id: `a${i}`,
      display_name: long.slice(0, 300),
      resonance_score: 0.1,
    }));
    const data = { activated_count: 0, filtered_agents: many.slice(0, 2_000) };
    const base = { negotiation_id: "n", event_id: "e" };
    const event = readEvent(JSON.stringify({ ...base, event_type: "resonance.activated", data }), "n");
    const evidence = fold([event as FeedEvent]);
    expect(evidence.filtered).toHaveLength(100);
    expect(evidence.filteredCount).toBe(2_000);
    expect(evidence.filtered[0]?.display_name).toHaveLength(200);
    const gap = { sub_negotiation_id: "s", gap_description: long };
    const sub = readEvent(JSON.stringify({ ...base, event_type: "sub_negotiation.started", data: gap }), "n");
    expect(fold([sub as FeedEvent]).subDemands[0]?.text).toHaveLength(2_000);
    expect(fold(Array.from({ length: 300 }, () => sub as FeedEvent)).subDemands).toHaveLength(50);
  });

  it("reads anything, and gives nothing but what has its shape", () => {
    const seeds = fc.constantFrom(...RUNS.flatMap(wireEvents));
    fc.assert(
      fc.property(fc.oneof(anyJson, mutatedJson(seeds)), (value) => {
        const event = readEvent(textOf(value), (value as { negotiation_id?: string } | null)?.negotiation_id ?? "");
        const evidence = event === undefined ? NO_EVIDENCE : fold([event]);
        for (const { resonance_score } of evidence.filtered) expect(Number.isFinite(resonance_score)).toBe(true);
        expect(() => structuredClone(consistentWith(n, evidence))).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });
});

it("tasks come in an order in which they can be done; none is lost, none waits for itself or for nobody", () => {
  const id = fc.constantFrom("a", "b", "c", "d", "e", "f");
  const task: fc.Arbitrary<PlanTask> = fc.record({
    id,
    title: fc.constant("t"),
    description: fc.constant(""),
    assignee_id: fc.constant("x"),
    prerequisites: fc.array(fc.oneof(id, fc.constant("nobody")), { maxLength: 3 }),
  });
  const edges = fc.array(fc.record({ from: id, to: id }), { maxLength: 4 });
  fc.assert(
    fc.property(fc.uniqueArray(task, { selector: (one) => one.id }), edges, (tasks, links) => {
      const data = { plan_text: "", plan_json: { tasks, topology: { edges: links } } };
      const ordered = fold([{ type: "plan.ready", data } as unknown as FeedEvent])?.plan?.tasks ?? [];
      expect(ordered.map((one) => one.id).sort(byCodeUnits)).toEqual(tasks.map((one) => one.id).sort(byCodeUnits));
      const ids = new Set(tasks.map((one) => one.id));
      for (const { id: own, prerequisites } of ordered) {
        expect(prerequisites).not.toContain(own);
        for (const other of prerequisites) expect(ids.has(other)).toBe(true);
      }
      const isForward = ordered.every(({ prerequisites }, i) =>
        prerequisites.every((other) => ordered.findIndex((one) => one.id === other) < i),
      );
      const acyclic = tasks.every(({ prerequisites }) => prerequisites.every((other) => other > "f" || other === "a"));
      if (acyclic && links.length === 0 && !tasks.some((one) => one.id === "a" && one.prerequisites.length > 0))
        expect(isForward).toBe(true);
    }),
  );
});
