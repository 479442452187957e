import type { Negotiation } from "../backend/contract.ts";
import type { FeedEvent, FilteredAgent, PlanTask } from "../backend/feed/events.ts";
import { rememberedSha256 } from "../sha256.ts";

/**
 * What the live feed of one negotiation has said so far and REST never says (agent layer §8). The texts in it come from others.
 */
export interface FeedEvidence {
  formulation?: {
    degraded: boolean;
    reason: string;
    /** The hashes of the demand and of the text that was formulated from it. */
    rawHash: string;
    formulatedHash: string;
  };
  /** Set if agents were compared with the demand, whether any of them resonated or not. */
  compared?: true;
  /** How many agents other than the submitter the backend lists in the scene. Asked for only if nobody took part. */
  othersInScene?: number;
  /**
   * The agents below the threshold, with the scores that left them out. `filteredCount` also counts those that are not listed.
   */
  filtered: readonly FilteredAgent[];
  filteredCount: number;
  /** The tools that the Center, the backend's agent that makes the plan, has called, in order. */
  centerCalls: readonly { tool_name: string; round_number: number }[];
  /** The demands that were sent out for a gap that nobody covered. */
  subDemands: readonly { negotiation_id: string; text: string }[];
  plan?: {
    /** The hash of the plan's text. Undefined if there was none. */
    textHash: string | undefined;
    /** The tasks, each after those that it waits for. */
    tasks: readonly PlanTask[];
  };
}

export const NO_EVIDENCE: FeedEvidence = { filtered: [], filteredCount: 0, centerCalls: [], subDemands: [] };

/** The most calls or sub-demands that are kept, because no real negotiation has more. */
const MAX_ENTRIES = 50;

/** Adds one event to the evidence. If an event that should come only once is repeated, its last occurrence counts. Pure. */
export function withEvent(known: FeedEvidence, event: FeedEvent): FeedEvidence {
  switch (event.type) {
    case "formulation.ready": {
      const { degraded, degraded_reason: reason, raw_intent, formulated_text } = event.data;
      const formulation = {
        degraded,
        reason,
        rawHash: rememberedSha256(raw_intent),
        formulatedHash: rememberedSha256(formulated_text),
      };
      return { ...known, formulation };
    }
    case "resonance.activated":
      return {
        ...known,
        compared: true,
        filtered: event.data.filtered_agents,
        filteredCount: event.data.filtered_count,
      };
    case "barrier.complete":
      return known; // REST gives these counts too.
    case "center.tool_call":
      return { ...known, centerCalls: [...known.centerCalls, event.data].slice(0, MAX_ENTRIES) };
    case "sub_negotiation.started": {
      const { sub_negotiation_id: negotiation_id, gap_description: text } = event.data;
      return { ...known, subDemands: [...known.subDemands, { negotiation_id, text }].slice(0, MAX_ENTRIES) };
    }
    case "plan.ready": {
      const { plan_text, plan_json } = event.data;
      const { tasks = [], topology } = plan_json ?? {};
      const textHash = plan_text === null ? undefined : rememberedSha256(plan_text);
      return { ...known, plan: { textHash, tasks: inOrder(tasks, topology?.edges ?? []) } };
    }
  }
}

/**
 * Sorts tasks so that each comes after those that it waits for, and otherwise as they were listed. Each task gets the ids of
 * the tasks that it waits for as its prerequisites. A task that waits for itself, or for a missing task, waits for nothing.
 */
function inOrder(tasks: readonly PlanTask[], edges: readonly { from: string; to: string }[]): PlanTask[] {
  const known = new Map(tasks.map((task) => [task.id, task]));
  const waitsFor = new Map<string, Set<string>>();
  for (const task of known.values()) waitsFor.set(task.id, new Set(task.prerequisites));
  for (const { from, to } of edges) waitsFor.get(to)?.add(from);
  for (const [id, before] of waitsFor) {
    before.delete(id);
    for (const other of before) if (!known.has(other)) before.delete(other);
  }
  const done = new Set<string>();
  const ordered: PlanTask[] = [];
  let left = [...known.values()];
  while (left.length > 0) {
    // If the rest is a cycle, its first task comes next. No order would be right, and no task may be lost.
    const ready = left.filter(({ id }) => [...(waitsFor.get(id) ?? [])].every((other) => done.has(other)));
    const next = ready.length > 0 ? ready : left.slice(0, 1);
    for (const task of next) {
      done.add(task.id);
      ordered.push({ ...task, prerequisites: [...(waitsFor.get(task.id) ?? [])] });
    }
    left = left.filter(({ id }) => !done.has(id));
  }
  return ordered;
}

/**
 * Returns the part of the feed that agrees with the backend's own answer. The feed needs no token, so what adds to REST is
 * taken, but another demand, another plan, a participant who was left out and a sub-negotiation that REST does not name are
 * dropped.
 */
export function consistentWith(n: Negotiation, evidence: FeedEvidence): FeedEvidence {
  const { formulation, plan, compared, filtered, filteredCount, centerCalls, subDemands } = evidence;
  const participants = new Set(n.participants.map(({ agent_id }) => agent_id));
  const isOurs = formulation?.rawHash === rememberedSha256(n.demand_raw);
  const isDegradable = formulation?.degraded !== true || formulation.formulatedHash === formulation.rawHash;
  const subs = new Set(n.sub_session_ids);
  const left = filtered.filter(({ agent_id }) => !participants.has(agent_id));
  return {
    ...(formulation && isOurs && isDegradable && { formulation }),
    ...(compared && { compared }),
    filtered: left,
    filteredCount: Math.max(left.length, filteredCount - (filtered.length - left.length)),
    centerCalls: n.center_rounds > 0 ? centerCalls : [],
    subDemands: subDemands.filter(({ negotiation_id }) => subs.has(negotiation_id)),
    ...(plan?.textHash !== undefined &&
      n.plan_output !== null &&
      plan.textHash === rememberedSha256(n.plan_output) && { plan }),
  };
}
