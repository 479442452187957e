import type { Negotiation } from "../backend/contract.ts";
import type { FeedEvidence } from "./evidence.ts";

/**
 * What of the feed agrees with the backend's own answer. The feed asks nobody for a token, so what it says beside REST
 * is taken, and what it says against REST is not: another demand, another plan, an agent that takes part and was left
 * out, a sub-negotiation that REST does not name.
 */
export function consistentWith(n: Negotiation, evidence: FeedEvidence, hash: (text: string) => string): FeedEvidence {
  const { formulation, plan, compared, filtered, filteredCount, centerCalls, subDemands } = evidence;
  const participants = new Set(n.participants.map(({ agent_id }) => agent_id));
  const isOurs = formulation?.rawHash === hash(n.demand_raw);
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
    ...(plan?.textHash !== undefined && n.plan_output !== null && plan.textHash === hash(n.plan_output) && { plan }),
  };
}
