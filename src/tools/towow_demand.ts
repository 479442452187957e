import * as z from "zod";
import { waitUntil } from "../ask/context.ts";
import { callersAuthor, hasSurface } from "../ask/decision-path.ts";
import { answerPause, decideByArgument, openPause } from "../ask/pause.ts";
import { notWaitingResult, pauseOutput } from "../ask/pause-result.ts";
import { Failure, ignoreTowowError } from "../errors.ts";
import { phaseOf } from "../negotiation/backend-states.ts";
import type { Warning } from "../text/warnings.ts";
import { registrationWarnings } from "../use/agents.ts";
import { stopByArgument } from "../use/cancel.ts";
import { submitDemand } from "../use/demand.ts";
import { defineTool, type ToolContext } from "./define.ts";
import { confirmedTextField, idField, intentField, negotiationIdField } from "./fields.ts";
import { InvalidArguments } from "./validate.ts";

const NAME = "towow_demand";

/**
 * Submits a demand, waits for the network's text, asks the person about the text and confirms it. With the id of a
 * negotiation, decides on its text or cancels it (contract §2).
 */
export const towowDemand = defineTool({
  name: NAME,
  description:
    "Ask the Towow network for something. With intent: submits it, waits for the network's text and asks the person about it. Nothing is broadcast before they decide. If the result holds formulated_text and resume_with, show the text whole, ask, and call again with resume_with plus decision (accept, edit with confirmed_text, reject). decision cancel withdraws an own demand at any time. Never decide for the person. Fails without a scene.",
  modes: ["normal", "developer"],
  kind: "write",
  idempotent: false,
  destructive: true, // A rejection and a cancel end a negotiation.
  open_world: true,
  sensitive_sink: true,
  asks: "pause",
  startsNegotiation: true,
  input: () =>
    z.strictObject({
      intent: intentField().optional(),
      scene_id: idField("Default: the scene joined last").optional(),
      negotiation_id: negotiationIdField("An own negotiation that waits for a decision").optional(),
      confirmation_id: idField("From resume_with; works once").optional(),
      decision: z.enum(["accept", "edit", "reject", "cancel"]).describe("The person's decision").optional(),
      confirmed_text: confirmedTextField("For edit: the person's text, sent instead"),
      allow_duplicate: z.boolean().describe("Submit again although an identical demand may exist").optional(),
    }),
  output: pauseOutput,
  async handler(args, ctx) {
    // The same call runs a second time, with the person's answer to the question.
    if (ctx.decision !== undefined) return answerPause(ctx.decision, NAME, ctx);
    const { negotiation_id } = args;
    if (negotiation_id !== undefined) {
      if (args.decision === "cancel") return cancel(negotiation_id, ctx);
      if (args.decision !== undefined)
        return decideByArgument({ ...args, negotiation_id, decision: args.decision }, NAME, ctx);
      return resume(negotiation_id, ctx, []);
    }
    if (args.intent === undefined || args.decision !== undefined)
      throw new InvalidArguments("tool.input.invalid.demand_incomplete", {});
    const scene_id = args.scene_id ?? ctx.settings.last_scene_id;
    if (scene_id === undefined) throw new Failure("tool.scene.not_found.none_joined");
    const { id, duplicate } = await submitDemand(
      { scene_id, user_id: await ctx.userId(), intent: args.intent },
      {
        allowDuplicate: args.allow_duplicate ?? false,
        writtenBy: callersAuthor(ctx),
        tainted: !hasSurface(ctx) && (await ctx.session.taint.isTainted()),
      },
      ctx,
    );
    ctx.concerns(id);
    return resume(id, ctx, duplicate ? ["duplicate_suppressed"] : [], scene_id);
  },
});

/**
 * Waits for the text and asks the person about it. If the text no longer waits for a decision, the result says where
 * the negotiation stands.
 */
async function resume(id: string, ctx: ToolContext, warnings: Warning[], sceneId?: string) {
  // A task in the background may be unable to ask. The call then stays in the foreground, so that its result gives
  // the text and the page.
  const asksInBackground = sceneId !== undefined || hasSurface(ctx);
  if (ctx.client.mayRunInBackground && asksInBackground && (await canBeTask(id, ctx))) return { task: id };
  const negotiation = await waitUntil(id, (n) => phaseOf(n.state) !== "before", ctx);
  const { name } = await ctx.negotiations.stage(id, negotiation);
  if (name !== "asking") {
    // Another call may have moved the negotiation on since the wait last read it, so the backend is read once more.
    const isOld = phaseOf(negotiation.state) === "asking";
    const now = isOld ? await ctx.negotiations.get(id).catch(ignoreTowowError) : undefined;
    return notWaitingResult(now ?? negotiation, NAME, ctx, { more: warnings });
  }
  const found = [...warnings, ...(sceneId ? await registrationWarnings(negotiation, sceneId, ctx) : [])];
  return openPause(negotiation, NAME, ctx, { warnings: found });
}

/**
 * Returns whether the negotiation can become a background task. A task is restored from the facts of its negotiation,
 * so these must hold the submit.
 */
async function canBeTask(id: string, ctx: ToolContext): Promise<boolean> {
  const facts = await ctx.negotiations.facts(id);
  return facts.submitted !== undefined && !facts.isUnfollowed;
}

async function cancel(negotiation_id: string, ctx: ToolContext) {
  const answer = await stopByArgument(NAME, { negotiation_id }, ctx);
  return "stopped" in answer ? notWaitingResult(answer.stopped, NAME, ctx) : answer;
}
