import type { Negotiation } from "../backend/contract.ts";
import { type FeedEvidence, NO_EVIDENCE } from "../feed/evidence.ts";
import { formulatedText } from "../negotiation/backend-states.ts";
import type { Facts } from "../negotiation/facts.ts";
import type { Guard } from "../negotiation/plan.ts";
import { type Found, findRisks, type ReviewCode, reviewable } from "../negotiation/risks.ts";
import { type Says, says } from "../negotiation/says.ts";
import { isOtherText, reduce, type Stage } from "../negotiation/stage.ts";
import { showInvisible } from "../safety/invisible.ts";
import { sanitizeNegotiation } from "../safety/sanitize/foreign.ts";
import { SANITIZE_DEFAULTS } from "../safety/sanitize/options.ts";
import { type Agent, agentsOf, byResonance, offerText } from "../view/agents.ts";
import { type Fate, fateOf } from "../view/fate.ts";

/** What this machine knows of the negotiation besides the backend's answer. */
export interface LocalState {
  /** What this person's programs wrote down about the negotiation. */
  facts: Facts;
  /** Says whether a running program sees to the deadline, and what happens if nobody decides. */
  guard: Guard;
  /** The codes that the person has already looked at a second time. */
  reviewed: ReadonlySet<ReviewCode>;
}

export interface Outage {
  /** The time at which the outage began, in milliseconds since the epoch. */
  since: number;
  /** True if the backend answers at all, though with nothing that can be used. */
  answers: boolean;
}

/**
 * When this program first saw a state or an offer, in milliseconds since the epoch, or undefined if it was there from the
 * start.
 */
export type Times = ReadonlyMap<string, number | undefined>;

/** Everything that a frame shows, free of anything that could control a terminal. */
export interface View {
  id: string;
  host: string;
  /** Undefined until the backend has answered for the first time. */
  negotiation: Negotiation | undefined;
  /** The agents of the negotiation, strongest resonance first. */
  agents: readonly Agent[];
  stage: Stage;
  /** What the program says of the negotiation, such as its ending, its offers and its warnings. */
  said: Says;
  local: LocalState;
  /** What becomes of the negotiation at the backend's deadline if its person does nothing more. */
  fate: Fate | undefined;
  /** What the person should still look at a second time. */
  unreviewed: readonly Found[];
  outage: Outage | undefined;
  /** True if the demand waits for the person's decision. */
  asking: boolean;
  /** True if the backend still shows a text that a decision has replaced. */
  isReplaced: boolean;
  /** The person's own text, which only this program has, if they decided on it here. */
  ownText: string | undefined;
  times: Times;
}

export interface ViewInput {
  id: string;
  host: string;
  snapshot: Negotiation | undefined;
  /** True if the backend says that it does not know the negotiation. */
  isGone?: boolean;
  local: LocalState;
  outage: Outage | undefined;
  /** What the backend's live feed has shown of the negotiation. */
  evidence?: FeedEvidence;
  lowScore: number;
  limits: { offerChars: number; planChars: number };
  times?: Times;
  ownText?: string | undefined;
}

/**
 * Builds the view. The words of others are made harmless as everywhere (agent layer §4), but telephone numbers and
 * addresses stay whole, because this is the person's own screen.
 */
export function viewOf(input: ViewInput): View {
  const {
    id,
    host,
    snapshot,
    isGone = false,
    local,
    outage,
    evidence = NO_EVIDENCE,
    lowScore,
    limits,
    times = new Map(),
    ownText,
  } = input;
  const stage = reduce(local.facts, snapshot);
  const found = snapshot && findRisks({ said: says({ negotiation: snapshot, stage, evidence }), evidence, lowScore });
  const negotiation = snapshot && clean(snapshot, limits);
  const said = { ...says({ negotiation: snapshot, stage, isGone, evidence }), negotiation };
  const due = found === undefined ? [] : reviewable(found, said.ending !== undefined);
  return {
    id: onOneLine(id),
    host: onOneLine(host),
    negotiation,
    agents: negotiation === undefined ? [] : byResonance(agentsOf(negotiation, said.ending !== undefined)),
    stage,
    said,
    local,
    fate: fateOf(said, local.guard),
    unreviewed: (found ?? []).filter(({ code }) => due.includes(code) && !local.reviewed.has(code)),
    outage,
    asking: snapshot !== undefined && !isGone && stage.name === "asking",
    isReplaced: snapshot !== undefined && stage.decision !== undefined && isOtherText(stage.decision, snapshot),
    ownText: ownText && visible(ownText),
    times,
  };
}

function clean(snapshot: Negotiation, limits: ViewInput["limits"]): Negotiation {
  const options = { limits: { ...SANITIZE_DEFAULTS.limits, ...limits }, redactPii: false };
  const { value } = sanitizeNegotiation(snapshot, options);
  return {
    ...value,
    demand_raw: visible(snapshot.demand_raw),
    demand_formulated: snapshot.demand_formulated === null ? null : visible(formulatedText(snapshot)),
    plan_output: value.plan_output && visible(value.plan_output),
  };
}

/** Makes invisible characters visible and changes nothing else, except that tabs become spaces. */
const visible = (text: string): string => showInvisible(text.toWellFormed()).replaceAll("\t", "    ");

const onOneLine = (text: string): string => visible(text).replace(/\s+/g, " ").trim();

/** Counts the agents that the backend shows beyond those that are listed. */
export const hiddenIn = ({ said, agents }: View): number => said.offers.total - agents.length;

/** Returns what an agent offers, as text, which is empty as long as there is no offer. */
export const shownOffer = ({ offer }: Agent): string => (offer === null ? "" : visible(offerText(offer)).trim());
