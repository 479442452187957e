import type { Negotiation } from "../backend/contract.ts";
import { sanitizeLine } from "../safety/sanitize/foreign.ts";
import type { SanitizeOptions } from "../safety/sanitize/options.ts";
import type { Texts } from "../text/index.ts";
import { joinSentences } from "../text/join.ts";
import { countOffers, formulatedText, hasPlan, hasScore, isOut, phaseOf, shownState } from "./backend-states.ts";
import { confirms, type Stage, showsOtherText } from "./stage.ts";

/**
 * What a person and a model read about a negotiation. Pure, and the only place that does it: no tool, page or
 * command computes an ending, a count of offers or a warning of its own. Nothing is claimed that was not seen.
 */

/** One to two sentences on where it stands (seed 004 §2.3). */
export function summarise(n: Negotiation, stage: Stage, texts: Texts): string {
  const { state } = texts;
  if (stage.name === "over" || phaseOf(n.state) === "over") return endingSentence(n, stage, texts);
  if (stage.name === "confirming") return state.confirming;
  if (stage.name === "cancelling") return state.cancelling;
  const { received, exited, total } = countOffers(n);
  switch (n.state) {
    case "created":
      return state.created;
    case "formulating":
      return state.formulating;
    case "formulated":
      return stage.name === "moving" ? state.confirmed : state.formulated;
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
      return state.unknown(shownState(n)); // the backend's own word
  }
}

/**
 * What a progress notification says about a change (seed 004 §4.2). `naming`: how names by others are made fit to be
 * shown; without it nobody is named.
 */
export function progressText(n: Negotiation, stage: Stage, texts: Texts, naming?: SanitizeOptions): string {
  const { received, total } = countOffers(n);
  if (n.state !== "offering" || received > 0 || total === 0) return summarise(n, stage, texts);
  if (isResonanceDegraded(n)) return texts.state.resonanceDegraded(total);
  return texts.state.resonance(total, naming === undefined ? [] : namesIn(n, naming));
}

/** Of those who resonate, the first by the backend's own order. */
const NAMED = 3;
const NAME_COLUMNS = 24;
const ORDER = "suspicious_instructions";

function namesIn({ participants }: Negotiation, { limits, redactPii }: SanitizeOptions): string[] {
  const short = { limits: { ...limits, nameChars: NAME_COLUMNS }, redactPii };
  const names = participants.slice(0, NAMED).map(({ display_name }) => sanitizeLine(display_name, short));
  // Progress and a task's status have no mark that tells a name from a sentence: one that is an order stays out.
  const isPlain = names.every(({ value, warnings }) => value.trim() !== "" && !warnings.includes(ORDER));
  return isPlain ? names.map(({ value }) => value.trim()) : [];
}

function endingSentence(n: Negotiation, stage: Stage, texts: Texts): string {
  const { state } = texts;
  const { received, exited, total } = countOffers(n);
  if (hasPlan(n)) {
    if (total === 0) return state.noResonance;
    if (received > 0) return state.completed(n.center_rounds, received, total);
    return exited === total ? state.allLeft(total) : state.noOffers(total);
  }
  return takenBack(stage, total, texts) ?? (n.plan_output === null ? state.failed : state.emptyPlan);
}

/** How it was ended from here, where only what is written tells: the backend cannot show it. */
export const writtenEnding = (stage: Stage, texts: Texts): string | undefined =>
  stage.name === "over" && stage.outcome?.kind === "cancelled"
    ? takenBack(stage, stage.outcome.participants ?? 0, texts)
    : undefined;

/** Who took it back, and who had been reached by then; undefined where nobody here did. */
function takenBack({ decision, reach, agreed }: Stage, asked: number, { state }: Texts): string | undefined {
  switch (decision?.kind) {
    case "reject":
      return joinSentences([state.rejected, state.reach[reach](asked)]);
    case "withdraw":
      return joinSentences([
        agreed === "given"
          ? state.withdrawnUnconfirmed
          : decision.by === "shutdown"
            ? state.withdrawnAtEnd
            : state.withdrawn,
        state.reach[reach](asked),
        state.submitAgain,
      ]);
    case "cancel":
      return joinSentences([state.cancelled, state.reach[reach](asked)]);
    default:
      return undefined;
  }
}

/**
 * Stable codes for what a person must know besides. `hash`: by which texts are compared. `isLate`: the result is about
 * a decision that found the negotiation gone on.
 */
export function warningsOf(
  n: Negotiation,
  stage: Stage,
  hash: (text: string) => string,
  { isLate = stage.lateDecision !== undefined } = {},
): string[] {
  const phase = phaseOf(n.state);
  const { decision, reach } = stage;
  const { received, exited, total } = countOffers(n);
  const isOver = phase === "over";
  const out = isOut(n);
  const isYes = decision !== undefined && confirms(decision);
  const { isOwn } = stage;
  const text = n.demand_formulated === null ? undefined : hash(formulatedText(n));
  const wasShown = stage.questions.some((question) => question.formulated_hash === text);
  // An edit whose program died counts as lost, and its request may still have been on its way.
  const isTheirs = text !== undefined && stage.lostEdits.includes(text);
  const isAuto = isOwn && decision === undefined && !isTheirs;
  const isNo = decision !== undefined && !isYes;
  const taken = stage.name === "over" && stage.outcome?.kind === "cancelled" ? stage.outcome : undefined;
  const wasCancelledAfterBroadcast = isOwn && taken !== undefined && reach === "broadcast" && stage.agreed === "never";
  const given: Record<string, boolean> = {
    unknown_state: phase === "unknown",
    decision_pending: stage.name === "confirming" || stage.name === "cancelling",
    confirmed_text_mismatch: isMismatch(n, stage, hash),
    confirmed_by_argument: (out || isOver) && isYes && decision.by === "argument",
    decision_too_late: isLate && decision === undefined && !isTheirs && reach === "broadcast",
    auto_confirmed: (isAuto && out) || wasCancelledAfterBroadcast,
    withdrawn_late: taken?.late === true && stage.agreed !== "confirmed" && !wasCancelledAfterBroadcast,
    other_text_broadcast: isAuto && out && stage.questions.length > 0 && !wasShown,
    degraded_resonance: (out || isOver) && isResonanceDegraded(n),
    sub_negotiation_open: n.sub_session_ids.length > 0,
    // The person's own words in the place of the network's are no failure of the network's.
    degraded_formulation:
      phase !== "before" && n.demand_formulated === n.demand_raw && decision?.kind !== "edit" && !isNo,
    plan_missing: isOver && !hasPlan(n) && !isNo,
    no_resonance: isOver && n.plan_output !== null && total === 0,
    agents_exited: isOver && n.plan_output !== null && total > 0 && exited === total,
    offer_missing: isOver && n.plan_output !== null && exited < total && received === 0,
  };
  return Object.keys(given).filter((code) => given[code]);
}

/** Whether another text is out than the one that was confirmed, as the backend shows it now or has shown it once. */
export const isMismatch = (n: Negotiation, stage: Stage, hash: (text: string) => string): boolean =>
  stage.otherText !== undefined || showsOtherText(stage, n, hash);

/** What became of a decision that was made outside of any call, in one paragraph. `hash`: as for the warnings. */
export const tellDecision = (n: Negotiation, stage: Stage, texts: Texts, hash: (text: string) => string): string =>
  paragraph(n, stage, texts, warningsOf(n, stage, hash, { isLate: true }));

/** The same for somebody who had decided nothing: where it stands by now. */
export const tellProgress = (n: Negotiation, stage: Stage, texts: Texts, hash: (text: string) => string): string =>
  paragraph(n, stage, texts, warningsOf(n, stage, hash));

const paragraph = (n: Negotiation, stage: Stage, texts: Texts, warnings: readonly string[]): string =>
  joinSentences([summarise(n, stage, texts), ...sentencesOf(warnings, texts)]);

/** The sentences for these codes, for a result's summary. */
export const sentencesOf = (codes: readonly string[], { note }: Texts): string[] =>
  codes.flatMap((code) => (note as Readonly<Record<string, string | undefined>>)[code] ?? []);

const DEGRADED = [
  "auto_confirmed",
  "decision_too_late",
  "other_text_broadcast",
  "confirmed_text_mismatch",
  "degraded_resonance",
  "degraded_formulation",
  "plan_missing",
  "no_resonance",
  "agents_exited",
  "offer_missing",
];

/** Whether the result stands on less than it should. */
export const isDegraded = (warnings: readonly string[]): boolean => warnings.some((code) => DEGRADED.includes(code));

/**
 * The engine gives every agent the score 0 when it cannot compare texts: nobody was chosen, everybody was asked. Scores
 * that it does not give say nothing.
 */
const isResonanceDegraded = ({ participants }: Negotiation): boolean =>
  participants.length > 0 && participants.every((one) => one.resonance_score === 0 && hasScore(one));
