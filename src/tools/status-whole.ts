import * as z from "zod";
import { type DecisionPath, decisionPathOf } from "../ask/decision-path.ts";
import type { Negotiation } from "../backend/contract.ts";
import { toIsoSeconds } from "../home/iso-time.ts";
import { formulatedText } from "../negotiation/backend-states.ts";
import { isDegraded, WARNING_CODES } from "../negotiation/says.ts";
import { isUndecided, type Stage } from "../negotiation/stage.ts";
import { callField } from "../result/tool-result.ts";
import { assess, together } from "./assessment.ts";
import type { ToolContext } from "./define.ts";
import { shownNegotiation } from "./shown-negotiation.ts";

export const openField = z.object({
  negotiation_id: z.string(),
  decide_by: z.string().nullable(),
  resume_with: callField(),
  unchecked: z.literal(true).optional().describe("The backend did not answer now: it may have moved on"),
});

export type WholeStatus = Awaited<ReturnType<typeof wholeStatus>>;

/**
 * Everything that a status holds, whatever of it the session has had before. What is owed to the person is taken
 * here. `isStopped`: what opened it is over. `codesToSay`: warnings that a sentence explains; `path`: how the person decides, where they must now.
 */
export async function wholeStatus(negotiation: Negotiation, stage: Stage, isStopped: boolean, ctx: ToolContext) {
  const { texts, negotiations } = ctx;
  const id = negotiation.negotiation_id;
  const said = negotiations.says(stage, negotiation);
  const codes = said.warnings;
  const open = await openPauses(ctx);
  const isUnwatched = isUndecided(stage) && stage.deadlineAt !== undefined && !(await negotiations.isWatched(stage));
  const { value, warnings: found, meta, masked, ...foreign } = await shownNegotiation(negotiation, stage, ctx);
  const assessment = await assess(said, masked, ctx);
  const path = stage.name === "asking" ? await decisionPathOf(id, stage, ctx) : undefined;
  const pause = path ? await pauseFields(negotiation, path, ctx) : { deadline: null, resume_with: null };
  // Last: what is taken here is given by this result or by none.
  const owed = await negotiations.takeOwed(id).catch(() => []);
  const notes = owed.filter((code) => code in texts.note && !WARNING_CODES.some((one) => one === code));
  const now = [...(isUnwatched ? ["pause_unwatched"] : []), ...(isStopped ? ["stopped_with_parent"] : [])];
  const codesToSay = [...codes, ...notes, ...now, ...assessment.warnings];
  const next =
    isStopped || said.ending !== undefined
      ? null
      : { tool: "towow_status", params: { negotiation_id: id, wait: "done" } };
  const result = {
    data: {
      ...value,
      ...assessment.data,
      ...pause,
      ...(isUnwatched && path && { deadline: isoTime(stage.deadlineAt) }),
      resume_with: pause.resume_with ?? next,
      open,
    },
    warnings: [...new Set([...codesToSay, ...found])],
    meta: { ...meta, ...assessment.meta },
    ...together(foreign, assessment),
    ...(isDegraded(codesToSay) && { status: "degraded" as const }),
  };
  return { result, said, codesToSay, path, isUnwatched };
}

/** This result shows the text whole, so the question may be written down and answered next. */
async function pauseFields(negotiation: Negotiation, path: DecisionPath, ctx: ToolContext) {
  const { id, decideBy } = await ctx.negotiations.claimQuestion(negotiation, formulatedText(negotiation));
  const [tool] = ctx.client.decidingTools;
  const byArgument = path === "argument";
  const params = { negotiation_id: negotiation.negotiation_id, ...(byArgument && { confirmation_id: id }) };
  return {
    deadline: isoTime(decideBy),
    resume_with: tool === undefined ? null : { tool, params, ...(byArgument && { needs: ["decision"] }) },
  };
}

async function openPauses(ctx: ToolContext) {
  const open = await ctx.negotiations.openQuestions();
  return open.map(({ negotiationId: negotiation_id, decideBy, unchecked }) => ({
    negotiation_id,
    decide_by: isoTime(decideBy),
    resume_with: { tool: ctx.client.decidingTools[0] ?? "towow_status", params: { negotiation_id } },
    ...(unchecked && { unchecked }),
  }));
}

const isoTime = (atMs: number | undefined) => (atMs === undefined ? null : toIsoSeconds(atMs));
