import type { Negotiation, Participant } from "../backend/contract.ts";
import { countOffers, formulatedText, type OfferCount } from "../negotiation/backend-states.ts";
import type { Risk } from "../negotiation/describe.ts";
import { ALONE, type Ending, type Writer } from "../negotiation/says.ts";
import type { Reach } from "../negotiation/stage.ts";
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
import { inTurns, type Steps, stepping } from "../turn.ts";
import { agentOf, structured, type Agent as ViewedAgent } from "../view/agents.ts";
import { copied, missingIn, type Passage, runOf } from "../view/authorship.ts";
import type { HistoryEvent } from "../view/course.ts";
import { type Outline, outlineOf, type PlanTask } from "../view/plan.ts";
import { networksText } from "../view/text.ts";

/** An agent in a negotiation, with every text cleaned. */
export interface Agent extends ViewedAgent {
  /** True if the offer was too long, so that only its beginning is here. */
  isOfferCut: boolean;
  /** The `towow://` address of the whole offer. Absent if the agent's id cannot be part of an address. */
  uri?: string;
}

/** One negotiation with cleaned texts. Comparison, graph, brief and report are all made from it. */
export interface Dossier {
  id: string;
  state: string;
  /** Where the negotiation stands, in a sentence or two. */
  summary: string;
  /** True if the formulated text waits for the person's decision. */
  isWaiting: boolean;
  /** How the negotiation ended. Null while it goes on. */
  ending: Ending | null;
  reach: Reach;
  sceneId?: string;
  demand: Demand;
  /** The agents in the backend's order. */
  agents: readonly Agent[];
  counts: OfferCount;
  plan: string | null;
  isPlanCut: boolean;
  outline: Outline;
  rounds: number;
  parentId: string | null;
  subIds: readonly string[];
  moments: readonly HistoryEvent[];
  warnings: readonly string[];
  risks: readonly Risk[];
  /** When the backend showed the negotiation, in ms since the epoch. */
  observedAt: number;
}

/** The demand in the submitted words and as it was formulated. */
interface Demand {
  raw: string;
  formulated: string | null;
  /** The author of the formulated text. Null if this program does not know. */
  by: NonNullable<Writer> | null;
  /** The percentage of words in the formulated text that the submitted text lacks, counted before anything was masked. */
  share: number;
  /**
   * The formulated text in passages, each with its author. Null if there is no formulated text, or if the texts are
   * too long to compare.
   */
  parts: readonly Passage[] | null;
  /** The runs of words that the submitted text has and the formulated text lacks. */
  leftOut: readonly string[];
}

export interface DossierInput {
  negotiation: Negotiation;
  summary: string;
  isWaiting: boolean;
  ending: Ending | undefined;
  reach: Reach;
  writer: Writer;
  sceneId?: string | undefined;
  moments: readonly HistoryEvent[];
  warnings: readonly string[];
  risks: readonly Risk[];
  /** The tasks of the plan from the backend's live events. Empty if no event carried them. */
  tasks: readonly PlanTask[];
  /** The id of the person's own agent. Undefined if it is not known. */
  ownId: string | undefined;
  observedAt: number;
}

const MAX_CAPABILITIES = 20;
/** The maximum length of a demand, in graphemes. The backend client refuses a longer one, so nothing is cut here. */
const MAX_DEMAND = 50_000;

/**
 * The part of a dossier that follows from the backend's answer and the cleaning options alone, so that it can be
 * cached.
 */
interface Cleaned extends Pick<Dossier, "id" | "state" | "plan" | "isPlanCut" | "parentId" | "subIds"> {
  demand: Omit<Demand, "by">;
  participants: readonly (Pick<Agent, "isOfferCut" | "uri"> & { participant: Participant })[];
  found: Findings;
}

/**
 * Caches the cleaned part of each negotiation with the options that it was cleaned with, so that a second comparison
 * costs nothing. Negotiation objects never change, so an entry stays valid.
 */
const known = new WeakMap<Negotiation, { under: string; cleaned: Promise<Cleaned> }>();

/**
 * Builds the dossier of a negotiation, and cleans the negotiation only once for all callers. Other work can run
 * between the steps.
 */
export async function sharedDossierOf(input: DossierInput, options: SanitizeOptions): Promise<Sanitized<Dossier>> {
  const { negotiation } = input;
  const under = JSON.stringify(options);
  const last = known.get(negotiation);
  const cleaned = last?.under === under ? last.cleaned : inTurns(cleaning(negotiation, options));
  known.set(negotiation, { under, cleaned });
  return inTurns(assembling(input, await cleaned, options));
}

/** Builds the dossier of a negotiation in small steps, and cleans what others wrote (agent layer §4). */
export function* dossierOf(input: DossierInput, options: SanitizeOptions): Steps<Sanitized<Dossier>> {
  return yield* assembling(input, yield* cleaning(input.negotiation, options), options);
}

function* assembling(
  input: DossierInput,
  { found: inNegotiation, participants, ...cleaned }: Cleaned,
  options: SanitizeOptions,
): Steps<Sanitized<Dossier>> {
  const { negotiation: n, tasks, summary, isWaiting, ending = null, reach, writer } = input;
  const { sceneId, ownId, moments, warnings, risks, observedAt } = input;
  const found = noFindings();
  addFindings(found, inNegotiation);
  const clean = yield* cleanTasks(tasks, options, found);
  const agents: Agent[] = [];
  yield* stepping(participants, ({ participant, ...more }) =>
    agents.push({ ...agentOf(participant, ending !== null), ...more }),
  );
  const dossier: Dossier = {
    ...cleaned,
    agents,
    demand: { ...cleaned.demand, by: writer ?? null },
    summary,
    isWaiting,
    ending,
    reach,
    ...(sceneId !== undefined && { sceneId: sanitizeId(sceneId, options.limits.nameChars, found) }),
    counts: countOffers(n),
    outline: outlineOf({
      plan: cleaned.plan,
      tasks: clean,
      agents,
      ownId: ownId && sanitizeId(ownId, options.limits.nameChars, noFindings()),
    }),
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
  const participants: Cleaned["participants"][number][] = [];
  for (const participant of n.participants) {
    participants.push(yield* cleanParticipant(n, participant, options, found));
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
    demand: yield* demandOf(n, demandText),
    participants,
    plan,
    isPlanCut: planFound.truncated,
    parentId: n.parent_negotiation_id && id(n.parent_negotiation_id),
    subIds: n.sub_session_ids.map(id),
    found,
  };
}

/**
 * Compares the submitted and the formulated text before anything is masked or cut, so that the counts are right. The
 * passages are then taken from the cleaned copies, because a passage of the originals could show part of a number
 * that is masked as a whole.
 */
function* demandOf(n: Negotiation, clean: (text: string) => Steps<string>): Steps<Omit<Demand, "by">> {
  const raw = yield* clean(n.demand_raw);
  if (n.demand_formulated === null) return { raw, formulated: null, share: 0, parts: null, leftOut: [] };
  const formulated = yield* clean(formulatedText(n));
  yield;
  const { share, parts, isCompared } = networksText(n.demand_raw, formulatedText(n));
  yield;
  const shown = isCompared ? (copied(parts, formulated) ?? null) : null;
  yield;
  const missing = isCompared ? missingIn(n.demand_raw, formulatedText(n), "network") : undefined;
  yield;
  const leftOut = (missing && copied(missing, raw))?.flatMap((passage) => runOf(passage, "network")) ?? [];
  return { raw, formulated, share, parts: shown, leftOut };
}

function* cleanParticipant(
  n: Negotiation,
  p: Participant,
  options: SanitizeOptions,
  found: Findings,
): Steps<Cleaned["participants"][number]> {
  const { limits, redactPii } = options;
  const id = sanitizeId(p.agent_id, limits.nameChars, found);
  const name = (text: string) => sanitizeName(text, limits.nameChars, { redactPii }, found);
  const own = noFindings();
  const offer_content = (yield* sanitizeJson(structured(p.offer_content), limits.offerChars, options, own)) ?? null;
  addFindings(found, own);
  const offer_capabilities: string[] = [];
  for (const text of (p.offer_capabilities ?? []).slice(0, MAX_CAPABILITIES)) {
    offer_capabilities.push(name(text));
    yield;
  }
  const uri = id === p.agent_id ? offerUri(n.negotiation_id, p.agent_id) : undefined;
  return {
    participant: { ...p, agent_id: id, display_name: name(p.display_name), offer_content, offer_capabilities },
    isOfferCut: own.truncated,
    ...(uri !== undefined && { uri }),
  };
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

/**
 * Returns the sentence that explains why a negotiation has no participants. The sentence says that nobody resonated
 * only if agents were asked.
 */
export function nobodyIn({ state, ending, plan, reach, warnings }: Dossier, texts: ReportTexts): string {
  if (ending === "not_found" || (ending === null && state !== "synthesizing")) return texts.notYet;
  return plan === null && reach !== "broadcast" ? texts.notAsked : texts.alone[aloneOf(warnings)];
}

const aloneOf = (warnings: readonly string[]) => ALONE.find((code) => warnings.includes(code)) ?? "no_participants";
