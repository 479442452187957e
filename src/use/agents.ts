import type { AgentSummary, Negotiation } from "../backend/contract.ts";
import { TowowError } from "../errors.ts";
import type { Warning } from "../text/warnings.ts";
import type { Services } from "./services.ts";

/**
 * Warns if the submitter is no agent of the scene, because the backend then only repeats the submitted text (contract
 * §1). The warning is given only if this is known: the formulated text is the submitted one, and the backend can list
 * the scene's agents.
 */
export async function registrationWarnings(n: Negotiation, sceneId: string, services: Services): Promise<Warning[]> {
  if (n.demand_formulated !== n.demand_raw) return [];
  return (await isRegistered(sceneId, services)) === false ? ["submitter_not_registered"] : [];
}

/**
 * Returns whether a user, by default this person, is an agent of a scene. Undefined if the backend cannot list its
 * agents.
 */
export async function isRegistered(
  sceneId: string,
  services: Services,
  userId?: string | undefined,
): Promise<boolean | undefined> {
  const [agents, own] = await Promise.all([agentsIn(sceneId, services), userId ?? services.userId()]);
  return agents?.some((agent) => agent.agent_id === own);
}

/** The maximum time that a call waits for a hint, in milliseconds. */
const HINT_MS = 5_000;

/** Returns the agents of a scene, or undefined if the backend cannot list them. */
export async function agentsIn(sceneId: string, services: Services): Promise<AgentSummary[] | undefined> {
  try {
    const { agents } = await (await services.backend()).listAgents(sceneId, {
      signal: services.signal,
      timeoutMs: HINT_MS,
    });
    return agents;
  } catch (error) {
    if (error instanceof TowowError) return undefined; // The call matters more than this hint.
    throw error;
  }
}
