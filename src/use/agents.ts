import type { AgentSummary, Negotiation } from "../backend/contract.ts";
import { TowowError } from "../errors.ts";
import type { Warning } from "../text/warnings.ts";
import type { Services } from "./services.ts";

/**
 * A submitter who is no agent of the scene always gets a degraded formulation (contract §1). Said only when it is
 * known: the text is the raw one and the backend can list the scene's agents.
 */
export async function registrationWarnings(n: Negotiation, sceneId: string, services: Services): Promise<Warning[]> {
  if (n.demand_formulated !== n.demand_raw) return [];
  return (await isRegistered(sceneId, services)) === false ? ["submitter_not_registered"] : [];
}

/** Whether somebody, by default this person, is an agent of a scene; undefined where that cannot be known. */
export async function isRegistered(
  sceneId: string,
  services: Services,
  userId?: string | undefined,
): Promise<boolean | undefined> {
  const [agents, own] = await Promise.all([agentsIn(sceneId, services), userId ?? services.userId()]);
  return agents?.some((agent) => agent.agent_id === own);
}

/** In which a hint must be there: a call does not wait longer for it. */
const HINT_MS = 5_000;

/** The agents of a scene; undefined where the backend does not tell. */
export async function agentsIn(sceneId: string, services: Services): Promise<AgentSummary[] | undefined> {
  try {
    const { agents } = await (await services.backend()).listAgents(sceneId, {
      signal: services.signal,
      timeoutMs: HINT_MS,
    });
    return agents;
  } catch (error) {
    if (error instanceof TowowError) return undefined; // the call matters more than this hint
    throw error;
  }
}
