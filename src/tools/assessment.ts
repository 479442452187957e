import * as z from "zod";
import type { Foreign } from "../ask/context.ts";
import type { Negotiation } from "../backend/contract.ts";
import { type Risk, riskOf } from "../negotiation/describe.ts";
import { findRisks } from "../negotiation/risks.ts";
import type { Says } from "../negotiation/says.ts";
import type { SanitizedMeta } from "../safety/sanitize/options.ts";
import type { Warning } from "../text/warnings.ts";
import type { ToolContext } from "./define.ts";
import { type EvidenceInResult, evidenceInResult, holdsTexts } from "./evidence-in-result.ts";
import { sanitizing } from "./fields.ts";

/** Declares the fields of a result that say how far the result can be relied on (agent layer §8). */
export const assessmentFields = () => ({
  risks: z
    .array(
      z.object({
        code: z.string(),
        severity: z.enum(["high", "medium", "low"]),
        reason: z.string(),
        evidence_path: z.string(),
        metric: z
          .object({ name: z.string(), value: z.number(), of: z.number().optional(), threshold: z.number().optional() })
          .optional(),
        follow_up: z.string().optional(),
      }),
    )
    .optional(),
  /**
   * An {@link EvidenceInResult}, which is not declared here, because its schema in two tools' lists would cost every client
   * a kilobyte.
   */
  evidence: z.record(z.string(), z.unknown()).optional(),
});

interface Assessment extends Foreign {
  data: { risks?: Risk[]; evidence?: EvidenceInResult };
  warnings: Warning[];
  meta: SanitizedMeta;
}

/**
 * Finds the risks of a result, and puts those that the person should review into the queue. `masked` counts the
 * pieces of personal data that were masked in what others wrote.
 */
export async function assess(
  said: Says<Negotiation>,
  masked: number | undefined,
  ctx: ToolContext,
): Promise<Assessment> {
  const { negotiations, texts, settings } = ctx;
  const evidence = negotiations.evidence(said.negotiation);
  const lowScore = settings.low_resonance;
  const input = { said, evidence, lowScore, ...(masked !== undefined && { masked }) };
  const found = findRisks(input);
  const risks = found.map((one) => riskOf(one, said, texts));
  const pending = await negotiations.reviews.note(input, found);
  const shown = await evidenceInResult(evidence, sanitizing(ctx));
  return {
    data: { ...(risks.length > 0 && { risks }), ...(shown && { evidence: shown.value }) },
    warnings: [...(pending.length > 0 ? (["review_pending"] as const) : []), ...(shown?.warnings ?? [])],
    meta: shown?.meta ?? {},
    ...(shown && { foreign: ["/evidence"], ...(!holdsTexts(shown.value) && { taints: false as const }) }),
  };
}

/** Combines the marks for what others wrote from two parts of one result. */
export function together(a: Foreign, b: Foreign): Foreign {
  const foreign = [...(a.foreign ?? []), ...(b.foreign ?? [])];
  const taints = [a, b].some((one) => one.foreign !== undefined && one.taints !== false);
  return foreign.length === 0 ? {} : { foreign, ...(!taints && { taints: false as const }) };
}
