import type { Negotiation, Participant } from "../backend/contract.ts";
import { isEmpty } from "../json.ts";
import { isOrder } from "../safety/sanitize/instructions.ts";

/**
 * The one table of negotiation states (contract §4), grouped into phases. A poller does not see every state, so nothing
 * may wait for a particular intermediate state. Code asks for a phase instead.
 *
 * - `before`: the backend has not written the text yet, and nothing has left the backend.
 * - `asking`: the text waits for the person's decision. The backend confirms by itself after its deadline.
 * - `moving`: the text is broadcast.
 * - `over`: nothing changes any more.
 * - `unknown`: this version does not know the state.
 */
export type Phase = "before" | "asking" | "moving" | "over" | "unknown";

const PHASES: ReadonlyMap<string, Phase> = new Map([
  ["created", "before"],
  ["formulating", "before"],
  ["formulated", "asking"],
  ["encoding", "moving"],
  ["offering", "moving"],
  ["barrier_waiting", "moving"],
  ["synthesizing", "moving"],
  ["completed", "over"],
]);

/** Returns the phase of a wire state. A state that this version does not know is `unknown`, never an error. */
export const phaseOf = (state: string): Phase => PHASES.get(state) ?? "unknown";

/** Returns whether the backend no longer waits for the person, because the text is broadcast or everything is over. */
export const hasMovedOn = (state: string): boolean => ["moving", "over"].includes(phaseOf(state));

/** Returns the state as a result shows it, or `unknown` for a word that a model could read as an order. */
export const shownState = ({ state }: Pick<Negotiation, "state">): string =>
  PHASES.has(state) || !isOrder(state.replaceAll(/[_-]/g, " ")) ? state : "unknown";

/** Returns the formulated text as the backend holds it. A value that is not a text is shown as its JSON. */
export function formulatedText(negotiation: Negotiation): string {
  const text = negotiation.demand_formulated;
  if (text === null || text === undefined) return "";
  return typeof text === "string" ? text : JSON.stringify(text);
}

/**
 * Returns whether an answer shows that the text went out, by a later state, an agent, a round of the Center, or a plan.
 */
const showsBroadcast = (n: Negotiation): boolean => phaseOf(n.state) === "moving" || hasTraces(n);

const hasTraces = (n: Negotiation): boolean =>
  n.participants.length > 0 || n.center_rounds > 0 || n.plan_output !== null;

/**
 * Returns whether the backend has asked agents, or has looked for agents and found none. A text that has only been
 * released for broadcast does not count.
 */
export const showsMatching = (n: Negotiation): boolean =>
  showsBroadcast(n) && !(n.state === "encoding" && !hasTraces(n));

/**
 * Returns whether the text went out. A state in which the person can still be asked always gives false, so that no
 * surface reports a waiting text as sent.
 */
export const isBroadcast = (n: Negotiation): boolean => hasMovedOn(n.state) && showsBroadcast(n);

/** Returns whether there is a plan with words in it. The engine also completes with an empty plan. */
export const hasPlan = ({ plan_output }: Negotiation): boolean => plan_output !== null && plan_output.trim() !== "";

/** Returns whether the negotiation is over and has a plan although nobody took part. */
export const isAlone = (n: Negotiation): boolean =>
  phaseOf(n.state) === "over" && n.participants.length === 0 && hasPlan(n);

/** The heading that the engine puts on a plan that it assembles itself after the Center ran out of time. */
const FALLBACK = /^\s*#{1,6}\s*协商方案（Center 超时/;
export const isFallback = ({ plan_output }: Negotiation): boolean => plan_output !== null && FALLBACK.test(plan_output);

/**
 * Returns whether the backend gave this agent a score. A score that the backend left out is read as 0, so 0 alone
 * proves nothing.
 */
export const hasScore = (participant: Participant): boolean => !("hasNoScore" in participant);

/**
 * Where an agent stands. `none` means that the agent neither made an offer nor left, and that nothing more will come
 * from it.
 */
export const AGENT_STATES = ["waiting", "offered", "left", "none"] as const;
export type AgentState = (typeof AGENT_STATES)[number];

/**
 * Returns where an agent stands. An agent that left no longer has an offer, whatever it said before. An agent that
 * replied has made an offer, even one without words.
 */
export function agentState({ state, offer_content }: Participant, isOver: boolean): AgentState {
  if (state === "exited") return "left";
  if (state === "replied" || saysAnything(offer_content)) return "offered";
  return isOver ? "none" : "waiting";
}

const saysAnything = (content: unknown): boolean =>
  content !== null && (typeof content === "string" ? content.trim() !== "" : !isEmpty(content));

export interface OfferCount {
  received: number;
  exited: number;
  total: number;
}

/** Counts the offers and the agents that left. Each agent counts once. */
export function countOffers({ participants }: Negotiation): OfferCount {
  const count = (wanted: AgentState) => participants.filter((one) => agentState(one, false) === wanted).length;
  return { received: count("offered"), exited: count("left"), total: participants.length };
}
