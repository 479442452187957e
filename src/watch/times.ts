import type { Negotiation } from "../backend/contract.ts";
import { agentState } from "../negotiation/backend-states.ts";
import { type Course, courseOf } from "../view/course.ts";
import type { Times, View } from "./view.ts";

const stateSeen = (state: string): string => `state ${state}`;
export const offerSeen = (agentId: string): string => `offer ${agentId}`;

/**
 * Adds the current time for each state and offer that this answer shows for the first time. `before` is undefined at the first
 * answer, whose states and offers get no time because they may be older. Pure.
 */
export function timesAfter(before: Times | undefined, { state, participants }: Negotiation, now: number): Times {
  const offers = participants.filter((agent) => agentState(agent, false) !== "waiting");
  const seen = [stateSeen(state), ...offers.map(({ agent_id }) => offerSeen(agent_id))];
  const fresh = seen.filter((name) => before?.has(name) !== true);
  if (before !== undefined && fresh.length === 0) return before;
  return new Map([...(before ?? []), ...fresh.map((name) => [name, before && now] as const)]);
}

/**
 * Returns the negotiation's course at `now` (milliseconds since the epoch), worked out from the recorded facts and from the
 * times that this program has seen.
 */
export const courseAt = ({ said, local, times }: View, now: number): Course =>
  courseOf({ said, facts: local.facts, seen: (state) => times.get(stateSeen(state)), now });
