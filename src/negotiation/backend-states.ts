import type { Negotiation, Participant } from "../backend/contract.ts";
import { isEmpty } from "../json.ts";
import { isOrder } from "../safety/sanitize/instructions.ts";

/**
 * The one table of negotiation states (contract §4). A poller does not see every state, so nothing may wait for a
 * particular intermediate one: code asks for a phase.
 *
 * - `before`: the text is not there yet; nothing has left the backend.
 * - `asking`: the person decides; the backend confirms by itself after its deadline.
 * - `moving`: the text is broadcast.
 * - `over`: nothing changes any more.
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

/** The phase of a wire state; a state that this version does not know is `unknown`, never an error. */
export const phaseOf = (state: string): Phase => PHASES.get(state) ?? "unknown";

/** Whether the backend no longer waits for the person, because the text is broadcast or everything is over. */
export const hasMovedOn = (state: string): boolean => ["moving", "over"].includes(phaseOf(state));

/** The state as a result shows it. A word that a model could read as an order is left out. */
export const shownState = ({ state }: Pick<Negotiation, "state">): string =>
  PHASES.has(state) || !isOrder(state.replaceAll(/[_-]/g, " ")) ? state : "unknown";

/** The formulated text as the backend holds it; a value that is not a text is shown as its JSON. */
export function formulatedText(negotiation: Negotiation): string {
  const text = negotiation.demand_formulated;
  if (text === null || text === undefined) return "";
  return typeof text === "string" ? text : JSON.stringify(text);
}

/** Whether an answer shows that the text went out: a state after it, an agent, a round of the Center, a plan. */
const showsBroadcast = (n: Negotiation): boolean => phaseOf(n.state) === "moving" || hasTraces(n);

const hasTraces = (n: Negotiation): boolean =>
  n.participants.length > 0 || n.center_rounds > 0 || n.plan_output !== null;

/** Whether agents were asked, or looked for and not found: more than that the text had left the pause. */
export const showsMatching = (n: Negotiation): boolean =>
  showsBroadcast(n) && !(n.state === "encoding" && !hasTraces(n));

/**
 * Whether the text went out, judged only once nobody is asked any more, so that a text that still waits is never said
 * to be out.
 */
export const isOut = (n: Negotiation): boolean => hasMovedOn(n.state) && showsBroadcast(n);

/** Whether there is a plan that says something: the engine completes with an empty one as well. */
export const hasPlan = ({ plan_output }: Negotiation): boolean => plan_output !== null && plan_output.trim() !== "";

/** Whether the negotiation is over and has a plan although nobody took part. */
export const isAlone = (n: Negotiation): boolean =>
  phaseOf(n.state) === "over" && n.participants.length === 0 && hasPlan(n);

/** The engine puts this heading on a plan that it assembles itself when the Center runs out of time. */
const FALLBACK = /^\s*#{1,6}\s*协商方案（Center 超时/;
export const isFallback = ({ plan_output }: Negotiation): boolean => plan_output !== null && FALLBACK.test(plan_output);

/** Whether the backend gave this agent a score. A score that it left out is read as 0, so 0 says nothing. */
export const hasScore = (participant: Participant): boolean => !("hasNoScore" in participant);

/** `none` means that the agent neither made an offer nor left, and that nothing will come from it any more. */
export const AGENT_STATES = ["waiting", "offered", "left", "none"] as const;
export type AgentState = (typeof AGENT_STATES)[number];

/**
 * Where an agent stands. One that left no longer has an offer, whatever it said before; one that replied has made an
 * offer, even if it has no words.
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

/** Each agent counts once. */
export function countOffers({ participants }: Negotiation): OfferCount {
  const count = (wanted: AgentState) => participants.filter((one) => agentState(one, false) === wanted).length;
  return { received: count("offered"), exited: count("left"), total: participants.length };
}
