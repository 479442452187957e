import type { Negotiation } from "../backend/contract.ts";
import { agentStatus } from "../negotiation/backend-states.ts";
import { confirms } from "../negotiation/stage.ts";
import type { Times, View } from "./view.ts";

const stateSeen = (state: string): string => `state ${state}`;
export const offerSeen = (agentId: string): string => `offer ${agentId}`;

/** The times with what this answer shows first. Pure. `before` is undefined at the first look. */
export function timesAfter(before: Times | undefined, { state, participants }: Negotiation, now: number): Times {
  const offers = participants.filter((agent) => agentStatus(agent) !== "waiting");
  const seen = [stateSeen(state), ...offers.map(({ agent_id }) => offerSeen(agent_id))];
  const fresh = seen.filter((name) => before?.has(name) !== true);
  if (before !== undefined && fresh.length === 0) return before;
  return new Map([...(before ?? []), ...fresh.map((name) => [name, before && now] as const)]);
}

/**
 * How long each of the six steps took, and the `current` one takes until now, in ms; undefined where its beginning or
 * its end is not known here.
 */
export function stepTimes(
  { stage, local, times, negotiation }: View,
  current: number,
  now: number,
): (number | undefined)[] {
  const { submitted, formulated } = local.facts;
  const { decision } = stage;
  const begins = [
    submitted?.at,
    submitted?.at,
    formulated?.at ?? times.get(stateSeen("formulated")),
    decision !== undefined && confirms(decision) ? decision.at : times.get(stateSeen("encoding")),
    times.get(stateSeen("offering")),
    times.get(stateSeen("synthesizing")),
    negotiation?.state === "completed" ? endOf({ stage, times, negotiation }) : undefined,
  ];
  return begins.slice(0, -1).map((begin, i) => {
    const end = i === current ? now : begins[i + 1];
    return begin === undefined || end === undefined || i === 0 ? undefined : Math.max(0, end - begin);
  });
}

/** How long it has taken since it was submitted, in ms; undefined where that is not known here. */
export function elapsed(view: View, now: number): number | undefined {
  const begin = view.local.facts.submitted?.at;
  const end = view.negotiation?.state === "completed" ? endOf(view) : now;
  return begin === undefined || end === undefined ? undefined : Math.max(0, end - begin);
}

const endOf = ({ stage, times, negotiation }: Pick<View, "stage" | "times" | "negotiation">): number | undefined => {
  const seen = negotiation === undefined ? undefined : times.get(stateSeen("completed"));
  return seen ?? ("outcome" in stage && stage.outcome?.kind !== "confirmed" ? stage.outcome?.at : undefined);
};
