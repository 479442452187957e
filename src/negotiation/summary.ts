import type { Negotiation } from "../backend/contract.ts";
import type { Texts } from "../text/index.ts";
import type { Decision, Ending } from "./history.ts";
import { countOffers, phaseOf } from "./states.ts";

export interface Standing {
  decision?: Decision | undefined;
  ended?: Ending | undefined;
}

/** One sentence on where a negotiation stands (seed 004 §2.3), with what only this machine knows of it. */
export function summarise(n: Negotiation, { decision, ended }: Standing, texts: Texts): string {
  const { state } = texts;
  const { received, total } = countOffers(n);
  if (n.state === "completed") {
    if (n.plan_output !== null) return total === 0 ? state.noResonance : state.completed(n.center_rounds, total);
    if (ended === "withdrawn" || decision?.kind === "withdraw") return state.withdrawn;
    if (ended === "rejected" || decision?.kind === "reject") return state.rejected;
    if (ended === "cancelled" || decision?.kind === "cancel") return state.cancelled;
    return state.failed;
  }
  if (n.state === "formulated" && ended === "confirmed") return state.confirmed;
  switch (n.state) {
    case "created":
      return state.created;
    case "formulating":
      return state.formulating;
    case "formulated":
      return state.formulated;
    case "encoding":
      return state.encoding;
    case "offering":
      return state.offering(received, total);
    case "barrier_waiting":
      return state.barrier(received, total);
    case "synthesizing":
      return state.synthesizing;
    default:
      return state.unknown(n.state.replace(/[^\w-]+/g, "").slice(0, 40)); // the backend's own word
  }
}

/** What a progress notification says about a change (seed 004 §4.2). */
export function progressText(n: Negotiation, standing: Standing, texts: Texts): string {
  const { received, total } = countOffers(n);
  if (n.state === "offering" && received === 0 && total > 0) return texts.state.resonance(total);
  return summarise(n, standing, texts);
}

/** Stable warnings that follow from the negotiation itself. */
export function warningsOf(n: Negotiation, { decision, ended }: Standing, hash: (text: string) => string): string[] {
  const phase = phaseOf(n.state);
  const warnings: string[] = [];
  if (phase === "unknown") warnings.push("unknown_state");
  const confirmed = decision?.kind === "accept" || decision?.kind === "edit";
  if ((phase === "moving" || phase === "over") && confirmed) {
    if (n.demand_formulated !== null && hash(n.demand_formulated) !== decision.text_hash)
      warnings.push("confirmed_text_mismatch");
    if (decision.by === "argument") warnings.push("confirmed_by_argument");
  }
  if (ended === "auto_confirmed") warnings.push("auto_confirmed");
  if (phase !== "over") return warnings;
  const ownWord = decision !== undefined && !confirmed;
  if (n.plan_output === null && !ownWord) warnings.push("plan_missing");
  if (n.plan_output !== null && n.participants.length === 0) warnings.push("no_resonance");
  return warnings;
}
