import type { Negotiation } from "../backend/contract.ts";
import { sanitizeLine } from "../safety/sanitize/foreign.ts";
import type { SanitizeOptions } from "../safety/sanitize/options.ts";
import type { Texts } from "../text/index.ts";
import { joinSentences } from "../text/join.ts";
import { riskTexts } from "../text/risks.ts";
import { shownState } from "./backend-states.ts";
import {
  type Found,
  findRisks,
  type Metric,
  type ReviewCode,
  type RiskCode,
  type RiskInput,
  type Severity,
} from "./risks.ts";
import { decisionWord, type Ending, isResonanceDegraded, type Says } from "./says.ts";

/** This file puts what {@link Says} holds into sentences, and decides nothing itself. */

/** Says in one or two sentences where the negotiation stands (seed 004 §2.3). */
export function summarise(said: Says, texts: Texts): string {
  const { state } = texts;
  const { negotiation: n, stage, ending } = said;
  if (ending !== undefined) return endingSentence(said, ending, texts);
  if (said.isBeingWithdrawn) return state.withdrawing;
  if (stage.name === "confirming") return state.confirming;
  if (stage.name === "cancelling") return state.cancelling;
  if (n === undefined) return stage.name === "moving" ? movingSentence(said, texts) : state.formulating;
  const { received, exited, total } = said.offers;
  switch (n.state) {
    case "created":
      return state.created;
    case "formulating":
      return state.formulating;
    case "formulated":
      return stage.name === "moving"
        ? movingSentence(said, texts)
        : stage.isOwn
          ? state.formulated
          : state.formulatedElsewhere;
    case "encoding":
      return state.encoding;
    case "offering":
      return state.offering(received, total, exited);
    case "barrier_waiting":
      return state.barrier(received, total);
    case "synthesizing":
      if (total === 0) return state.synthesizingAlone;
      if (exited === total && received === 0) return state.synthesizingWithout(total);
      return received === total ? state.synthesizing : state.synthesizingSome(received, total, exited);
    default:
      return state.unknown(shownState(n)); // The state is the backend's own word.
  }
}

/**
 * Returns the sentence for a text that is out. Without a decision that stands, it says that the backend went on by
 * itself.
 */
const movingSentence = ({ decision }: Says, { state }: Texts): string =>
  decision === undefined ? state.moving : state.confirmed;

/**
 * Returns what a progress notification says about a change (seed 004 §4.2). `naming` says how the agents' names are
 * sanitized. Without that option no agent is named.
 */
export function progressText(said: Says, texts: Texts, naming?: SanitizeOptions): string {
  const { negotiation: n } = said;
  if (n === undefined || said.stage.name === "cancelling") return summarise(said, texts);
  const { received, total } = said.offers;
  if (n.state !== "offering" || received > 0 || total === 0) return summarise(said, texts);
  if (isResonanceDegraded(n)) return texts.state.resonanceDegraded(total);
  return texts.state.resonance(total, naming === undefined ? [] : namesIn(n, naming));
}

/** The number of resonating agents that are named, in the backend's own order. */
const NAMED = 3;
const NAME_COLUMNS = 24;
const ORDER = "suspicious_instructions";

function namesIn({ participants }: Negotiation, { limits, redactPii }: SanitizeOptions): string[] {
  const short = { limits: { ...limits, nameChars: NAME_COLUMNS }, redactPii };
  const names = participants.slice(0, NAMED).map(({ display_name }) => sanitizeLine(display_name, short));
  // Progress and a task's status cannot mark a name as a name, so a name that reads as an order is left out.
  const isPlain = names.every(({ value, warnings }) => value.trim() !== "" && !warnings.includes(ORDER));
  return isPlain ? names.map(({ value }) => value.trim()) : [];
}

/** Says whether a negotiation that the backend no longer shows had gone on. */
export const writtenText = ({ stage, told }: Says, { state }: Texts): string | undefined =>
  stage.name === "moving" ? state.goneAfter[told.as] : undefined;

function endingSentence(
  { negotiation: n, stage, told, reach, offers }: Says,
  ending: Ending,
  { state }: Texts,
): string {
  const { received } = offers;
  const total = n === undefined ? askedOf(stage) : offers.total;
  const reached = state.reach[reach](total);
  switch (ending) {
    case "plan":
      return state.completed(n?.center_rounds ?? 0, received, total);
    case "no_resonance":
      return state.noResonance;
    case "not_compared":
      return state.notCompared;
    case "empty_scene":
      return state.emptyScene;
    case "no_participants":
      return state.noParticipants;
    case "all_left":
      return state.allLeft(total);
    case "no_offers":
      return state.noOffers(total);
    case "empty_plan":
      return state.emptyPlan;
    case "rejected":
      return joinSentences([state.rejected, reached]);
    case "cancelled":
      return joinSentences([state.cancelled, reached]);
    case "cancelled_by_client":
      return joinSentences([state.cancelledByClient, reached]);
    case "withdrawn":
      return joinSentences([
        stage.lostTexts.length > 0 ? state.withdrawnEditLost : state.withdrawn,
        reached,
        state.submitAgain,
      ]);
    case "withdrawn_at_end":
      return joinSentences([state.withdrawnAtEnd, reached, state.submitAgain]);
    case "withdrawn_unconfirmed":
      return joinSentences([state.withdrawnUnconfirmed, reached, state.submitAgain]);
    case "ended_after_no":
      return joinSentences([state.endedAfterNo, reached]);
    case "ended_unseen":
      return state.endedUnseen[stage.decision === undefined ? "withdraw" : decisionWord(stage.decision)];
    case "failed":
      return state.failed;
    case "ended":
      return state.over;
    case "not_found":
      return joinSentences([state.gone, state.goneAfter[told.as]]);
  }
}

/** Returns how many agents had been asked, according to the facts. */
const askedOf = (stage: Says["stage"]): number => ("outcome" in stage && stage.outcome?.participants) || 0;

/** Says in one paragraph where the negotiation stands and what else the person must know. */
export const tell = (said: Says, texts: Texts): string =>
  joinSentences([summarise(said, texts), ...sentencesOf(said.warnings, texts)]);

/** Returns the sentences for these codes, as a result's summary shows them. Codes without a sentence are left out. */
export const sentencesOf = (codes: readonly string[], { note }: Texts): string[] =>
  codes.flatMap((code) => (note as Readonly<Record<string, string | undefined>>)[code] ?? []);

/** A risk as results show it (agent layer §8). None of its words were written by others. */
export interface Risk {
  code: RiskCode;
  severity: Severity;
  reason: string;
  evidence_path: string;
  metric?: Metric;
  follow_up?: string;
}

/** Returns the risks of a negotiation with their reasons, in the person's language. */
export const risksOf = (input: RiskInput, texts: Texts): Risk[] =>
  findRisks(input).map((found) => riskOf(found, input.said, texts));

/** Returns one risk with its reason and what can be done about it. */
export function riskOf(found: Found, said: Says<Negotiation>, texts: Texts): Risk {
  const { code, severity, evidence_path, metric } = found;
  const followUp = followUpOf(code, said, texts);
  return {
    code,
    severity,
    reason: reasonOf(found, said, texts),
    evidence_path,
    ...(metric && { metric: rounded(metric) }),
    ...(followUp !== undefined && { follow_up: followUp }),
  };
}

/**
 * Says in a sentence for each code why it waits for a second look or, if the risk no longer shows, what to do about it.
 */
export function reviewReasons(
  codes: readonly ReviewCode[],
  found: readonly Found[],
  said: Says<Negotiation>,
  texts: Texts,
): string[] {
  return codes.map((code) => {
    if (code === "backend_away") return riskTexts(texts.lang).backendAway;
    const seen = found.find((one) => one.code === code);
    if (seen === undefined) return followUpOf(code, said, texts) ?? code;
    const { reason, follow_up } = riskOf(seen, said, texts);
    return joinSentences([reason, follow_up]);
  });
}

/**
 * Returns what {@link reviewReasons} returns, for a negotiation that the backend does not show. Only `backend_away` has
 * a sentence then, because what to do about a risk depends on where the negotiation stands. Every other code stands for
 * itself.
 */
export const unreadReasons = (codes: readonly ReviewCode[], { lang }: Texts): string[] =>
  codes.map((code) => (code === "backend_away" ? riskTexts(lang).backendAway : code));

/**
 * Says what can still be done about a risk. That changes at the end, because a backend refuses to cancel a negotiation
 * that is over.
 */
function followUpOf(code: RiskCode, { ending }: Says, { lang }: Texts): string | undefined {
  const { followUp, followUpAtEnd } = riskTexts(lang);
  return (ending === undefined ? undefined : followUpAtEnd[code]) ?? followUp[code];
}

function reasonOf(found: Found, said: Says<Negotiation>, texts: Texts): string {
  const { negotiation } = said;
  const { reason, causes } = riskTexts(texts.lang);
  const { metric: { value = 0, of = 0, threshold = 0 } = {}, cause, closest } = found;
  switch (found.code) {
    case "cancelled":
    case "confirmation_failed":
      return summarise(said, texts);
    case "plan_missing":
      return negotiation.plan_output === null ? reason.plan_missing : reason.plan_empty;
    case "no_resonance":
      return reason.no_resonance(of, closest === undefined ? undefined : decimals(closest));
    case "not_compared":
    case "empty_scene":
    case "no_participants":
      return reason[found.code];
    case "low_resonance":
      return reason.low_resonance(decimals(value), String(threshold));
    case "agents_exited":
      return reason.agents_exited(value, of);
    case "offer_missing":
      return reason.offer_missing(value, of);
    case "single_offer":
      return reason.single_offer(of);
    case "much_personal_data":
      return reason.much_personal_data(value);
    case "degraded_formulation":
      return reason.degraded_formulation(
        cause !== undefined && Object.hasOwn(causes, cause) ? causes[cause as keyof typeof causes] : undefined,
      );
    default:
      return texts.note[found.code];
  }
}

const decimals = (score: number): string => score.toFixed(2);
const rounded = (metric: Metric): Metric => ({ ...metric, value: Math.round(metric.value * 10_000) / 10_000 });
