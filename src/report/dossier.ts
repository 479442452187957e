import type { Negotiation, Participant } from "../backend/contract.ts";
import { agentStatus, countOffers, type OfferCount, phaseOf } from "../negotiation/backend-states.ts";
import type { Risk } from "../negotiation/risks/describe-risks.ts";
import { ALONE, type Ending } from "../negotiation/says.ts";
import type { Reach } from "../negotiation/stage.ts";
import type { Newer } from "../newer.ts";
import type { DecidedBy } from "../question/who.ts";
import { offerUri } from "../safety/resource-uris.ts";
import { sanitizeJson } from "../safety/sanitize/json.ts";
import {
  addFindings,
  type Findings,
  noFindings,
  type Sanitized,
  type SanitizeOptions,
  sanitized,
} from "../safety/sanitize/options.ts";
import { sanitizeId, sanitizeName, sanitizeText } from "../safety/sanitize/text.ts";
import type { ReportTexts } from "../text/report.ts";
import { inTurns, type Steps } from "../turn.ts";
import { type Outline, outlineOf, type PlanTask } from "./outline.ts";

/** What the report knows of one agent of a negotiation; every text is cleaned. */
export interface Agent {
  id: string;
  name: string;
  score: number;
  /** `none`: all is over, and it neither made an offer nor left. */
  state: "offered" | "waiting" | "left" | "none";
  capabilities: readonly string[];
  /** The beginning of the offer, or all of it; null without one. */
  offer: string | null;
  isOfferCut: boolean;
  /** Where the whole offer can be read. */
  uri?: string;
}

/** The strongest first. */
export const byResonance = (agents: readonly Agent[]): Agent[] => agents.toSorted((a, b) => b.score - a.score);

/** One thing that happened, in ms since the epoch. */
export interface Moment {
  at: number;
  what: "submitted" | "asked" | "accept" | "edit" | "reject" | "cancel" | "withdraw" | Newer | "moved" | "ended";
  by?: DecidedBy | Newer;
  /** Decided when the backend had gone on already. */
  isLate?: true;
}

/** One negotiation, cleaned once, as everything here works with it: comparison, graph, brief and report. */
export interface Dossier {
  id: string;
  state: string;
  /** Where it stands, in a sentence or two. */
  summary: string;
  /** How it ended; null while it goes on. */
  ending: Ending | null;
  reach: Reach;
  sceneId?: string;
  /** `by`: whose words the formulated text is. */
  demand: { raw: string; formulated: string | null; by: "network" | "person" | "others" };
  /** In the backend's order. */
  agents: readonly Agent[];
  counts: OfferCount;
  plan: string | null;
  isPlanCut: boolean;
  outline: Outline;
  rounds: number;
  parentId: string | null;
  subIds: readonly string[];
  moments: readonly Moment[];
  warnings: readonly string[];
  risks: readonly Risk[];
  /** When the backend showed it, in ms since the epoch. */
  observedAt: number;
}

export interface DossierInput {
  negotiation: Negotiation;
  summary: string;
  ending: Ending | undefined;
  reach: Reach;
  textBy: Dossier["demand"]["by"];
  sceneId?: string | undefined;
  moments: readonly Moment[];
  warnings: readonly string[];
  risks: readonly Risk[];
  /** Of the plan's own data, where the feed had them. */
  tasks: readonly PlanTask[];
  ownId?: string | undefined;
  observedAt: number;
}

const MAX_CAPABILITIES = 20;
/** The longest that a backend may show. */
const MAX_DEMAND = 50_000;

/** What of a negotiation is the same for every reader. */
interface Cleaned extends Pick<Dossier, "id" | "state" | "agents" | "plan" | "isPlanCut" | "parentId" | "subIds"> {
  demand: Omit<Dossier["demand"], "by">;
  found: Findings;
}

/** By negotiation, which nobody changes, what comes of it under which options: to compare it again costs nothing. */
const known = new WeakMap<Negotiation, { under: string; cleaned: Promise<Cleaned> }>();

/** The dossier of a negotiation, cleaned once for all who ask; others have their turn between the steps of it. */
export async function sharedDossierOf(input: DossierInput, options: SanitizeOptions): Promise<Sanitized<Dossier>> {
  const { negotiation } = input;
  const under = JSON.stringify(options);
  const last = known.get(negotiation);
  const cleaned = last?.under === under ? last.cleaned : inTurns(cleaning(negotiation, options));
  known.set(negotiation, { under, cleaned });
  return inTurns(assembling(input, await cleaned, options));
}

/** Cleans what others wrote (agent layer §4), in small steps. */
export function* dossierOf(input: DossierInput, options: SanitizeOptions): Steps<Sanitized<Dossier>> {
  return yield* assembling(input, yield* cleaning(input.negotiation, options), options);
}

function* assembling(
  input: DossierInput,
  { found: inNegotiation, ...cleaned }: Cleaned,
  options: SanitizeOptions,
): Steps<Sanitized<Dossier>> {
  const { negotiation: n, tasks, summary, ending = null, reach, textBy } = input;
  const { sceneId, ownId, moments, warnings, risks, observedAt } = input;
  const found = noFindings();
  addFindings(found, inNegotiation);
  const clean = yield* cleanTasks(tasks, options, found);
  const dossier: Dossier = {
    ...cleaned,
    demand: { ...cleaned.demand, by: textBy },
    summary,
    ending,
    reach,
    ...(sceneId !== undefined && { sceneId: sanitizeId(sceneId, options.limits.nameChars, found) }),
    counts: countOffers(n),
    outline: outlineOf({ plan: cleaned.plan, tasks: clean, agents: cleaned.agents, ownId }),
    rounds: n.center_rounds,
    moments,
    warnings,
    risks,
    observedAt,
  };
  return sanitized(dossier, found);
}

function* cleaning(n: Negotiation, options: SanitizeOptions): Steps<Cleaned> {
  const found = noFindings();
  const { limits, redactPii } = options;
  const id = (text: string) => sanitizeId(text, limits.nameChars, found);
  const demandText = function* (text: string): Steps<string> {
    return (yield* sanitizeText(text, MAX_DEMAND, { redactPii }, found)).text;
  };
  const agents: Agent[] = [];
  for (const participant of n.participants) {
    agents.push(yield* agentOf(n, participant, options, found));
    yield;
  }
  const planFound = noFindings();
  const plan =
    n.plan_output === null
      ? null
      : (yield* sanitizeText(n.plan_output, limits.planChars, { redactPii }, planFound)).text;
  addFindings(found, planFound);
  return {
    id: id(n.negotiation_id),
    state: sanitizeName(n.state, limits.nameChars, { redactPii }, found),
    demand: {
      raw: yield* demandText(n.demand_raw),
      formulated: n.demand_formulated === null ? null : yield* demandText(n.demand_formulated),
    },
    agents,
    plan,
    isPlanCut: planFound.truncated,
    parentId: n.parent_negotiation_id && id(n.parent_negotiation_id),
    subIds: n.sub_session_ids.map(id),
    found,
  };
}

function* agentOf(n: Negotiation, p: Participant, options: SanitizeOptions, found: Findings): Steps<Agent> {
  const { limits, redactPii } = options;
  const id = sanitizeId(p.agent_id, limits.nameChars, found);
  const name = (text: string) => sanitizeName(text, limits.nameChars, { redactPii }, found);
  const own = noFindings();
  const content =
    p.offer_content === null ? null : yield* sanitizeJson(p.offer_content, limits.offerChars, options, own);
  addFindings(found, own);
  const capabilities: string[] = [];
  for (const text of (p.offer_capabilities ?? []).slice(0, MAX_CAPABILITIES)) {
    capabilities.push(name(text));
    yield;
  }
  const uri = id === p.agent_id ? offerUri(n.negotiation_id, p.agent_id) : undefined;
  return {
    id,
    name: name(p.display_name) || id,
    score: p.resonance_score,
    state: stateOf(p, n),
    capabilities: capabilities.filter((text) => text !== ""),
    offer: content === null ? null : typeof content === "string" ? content : JSON.stringify(content),
    isOfferCut: own.truncated,
    ...(uri !== undefined && { uri }),
  };
}

function stateOf(participant: Participant, n: Negotiation): Agent["state"] {
  const status = agentStatus(participant);
  if (status === "exited") return "left";
  if (status === "replied") return "offered";
  return phaseOf(n.state) === "over" ? "none" : "waiting";
}

function* cleanTasks(
  tasks: readonly PlanTask[],
  { limits, redactPii }: SanitizeOptions,
  found: Findings,
): Steps<PlanTask[]> {
  const clean: PlanTask[] = [];
  for (const task of tasks) {
    clean.push({
      id: sanitizeId(task.id, limits.nameChars, found),
      title: sanitizeName(task.title, limits.nameChars, { redactPii }, found),
      description: (yield* sanitizeText(task.description, limits.offerChars, { redactPii }, found)).text,
      assignee_id: sanitizeId(task.assignee_id, limits.nameChars, found),
      prerequisites: task.prerequisites.map((other) => sanitizeId(other, limits.nameChars, found)),
    });
    yield;
  }
  return clean;
}

/** Nobody may be said not to resonate before anybody was asked, or where it was stopped before that. */
export function nobodyIn({ state, ending, plan, reach, warnings }: Dossier, texts: ReportTexts): string {
  if (ending === "not_found" || (ending === null && state !== "synthesizing")) return texts.notYet;
  return plan === null && reach !== "broadcast" ? texts.notAsked : texts.alone[aloneOf(warnings)];
}

const aloneOf = (warnings: readonly string[]) => ALONE.find((code) => warnings.includes(code)) ?? "no_participants";
