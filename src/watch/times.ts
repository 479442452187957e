import type { Negotiation } from "../backend/contract.ts";
import { agentState } from "../negotiation/backend-states.ts";
import { type Course, courseOf } from "../view/course.ts";
import type { Times, View } from "./view.ts";

const stateSeen = (state: string): string => `state ${state}`;
export const offerSeen = (agentId: string): string => `offer ${agentId}`;

/** Adds what this answer shows for the first time. Pure. `before` is undefined at the first answer, which dates nothing. */
export function timesAfter(before: Times | undefined, { state, participants }: Negotiation, now: number): Times {
  const offers = participants.filter((agent) => agentState(agent, false) !== "waiting");
  const seen = [stateSeen(state), ...offers.map(({ agent_id }) => offerSeen(agent_id))];
  const fresh = seen.filter((name) => before?.has(name) !== true);
  if (before !== undefined && fresh.length === 0) return before;
  return new Map([...(before ?? []), ...fresh.map((name) => [name, before && now] as const)]);
}

/**
 * Returns the negotiation's course at `now` (ms since the epoch), worked out from the recorded facts and from the times
 * this program has seen.
 */
export const courseAt = ({ said, local, times }: View, now: number): Course =>
  courseOf({ said, facts: local.facts, seen: (state) => times.get(stateSeen(state)), now });
