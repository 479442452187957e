import type { Negotiation } from "../../backend/contract.ts";
import type { Texts } from "../../text/index.ts";
import { joinSentences } from "../../text/join.ts";
import { riskTexts } from "../../text/risks.ts";
import { summarise } from "../describe.ts";
import type { ReviewCode } from "../reviews.ts";
import type { Says } from "../says.ts";
import { type Found, findRisks, type Metric, type RiskCode, type RiskInput, type Severity } from "./find-risks.ts";

/** A risk as results show it (agent layer §8). Others wrote no word of it. */
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

/** Describes one risk with its reason. */
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
 * Says in a sentence why each code waits for a second look, or, where the risk no longer shows, what to do about it.
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

/** Says what can still be done. A backend refuses to cancel a negotiation that is over. */
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
