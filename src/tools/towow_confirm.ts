import * as z from "zod";
import { waitUntil } from "../ask/context.ts";
import { type DecisionArguments, hasSurface, refusalOf } from "../ask/decision-path.ts";
import { answerPause, decideByArgument, openPause, refuseTwoTexts } from "../ask/pause.ts";
import { notWaitingResult, pauseOutput } from "../ask/pause-result.ts";
import type { Negotiation } from "../backend/contract.ts";
import { formulatedText, phaseOf } from "../negotiation/backend-states.ts";
import { isBlank } from "../safety/invisible.ts";
import { defineTool, type ToolContext } from "./define.ts";
import { confirmedTextField, idField, negotiationIdField } from "./fields.ts";

const NAME = "towow_confirm";

/** Asks the person about the network's text and confirms it, with the same checks as every decision (contract §1, §6). */
export const towowConfirm = defineTool({
  name: NAME,
  description:
    "Decide on the network's text of a negotiation. Let the person see that text whole first: without confirmation_id this call only shows it (a form, or a result with resume_with). Then call with confirmation_id and decision: accept, edit (with confirmed_text) or reject. Confirming broadcasts the text and cannot be undone. A late or second decision has no effect; the result says so.",
  modes: ["developer"],
  kind: "write",
  idempotent: false,
  destructive: true, // A rejection ends the negotiation.
  open_world: true,
  sensitive_sink: true,
  asks: "pause",
  promptsPerson: true,
  input: () =>
    z.strictObject({
      negotiation_id: negotiationIdField("The negotiation"),
      confirmed_text: confirmedTextField("The text to send instead of the network's"),
      confirmation_id: idField("From resume_with; works once").optional(),
      decision: z.enum(["accept", "edit", "reject"]).describe("The person's decision").optional(),
    }),
  output: pauseOutput,
  async handler(args, ctx) {
    if (ctx.client.isCommandLine && args.decision !== "reject") throw refusalOf("command_line", args.negotiation_id);
    const decision = args.decision ?? (args.confirmed_text === undefined ? undefined : "edit");
    if (ctx.decision !== undefined) return answerPause(ctx.decision, NAME, ctx);
    // The id of a question alone decides nothing. The call must also carry the decision.
    if (decision === "reject" || (decision !== undefined && args.confirmation_id !== undefined))
      return decideWithKept({ ...args, decision }, ctx);
    const negotiation = await waitUntil(args.negotiation_id, (n) => phaseOf(n.state) !== "before", ctx);
    const { name } = await ctx.negotiations.stage(args.negotiation_id, negotiation);
    if (name !== "asking") return notWaitingResult(negotiation, NAME, ctx);
    if (decision === "edit") return askAboutEdit(negotiation, args.confirmed_text, ctx);
    if (decision === "accept") await refuseTwoTexts({ ...args, decision }, NAME, ctx);
    return openPause(negotiation, NAME, ctx);
  },
});

/**
 * Handles an edit about which the person has not been asked. If the client can ask, the person is asked now.
 * Otherwise the result first shows the original text.
 */
async function askAboutEdit(negotiation: Negotiation, confirmed_text: string | undefined, ctx: ToolContext) {
  const { negotiation_id } = negotiation;
  if (hasSurface(ctx)) return decideByArgument({ negotiation_id, confirmed_text, decision: "edit" }, NAME, ctx);
  const hasText = confirmed_text !== undefined && !isBlank(confirmed_text);
  if (hasText) {
    const question = await ctx.negotiations.claimQuestion(negotiation, formulatedText(negotiation));
    ctx.session.texts.put(ctx.origin, question.id, confirmed_text);
    await ctx.negotiations.neverLeave(negotiation_id);
  }
  return openPause(negotiation, NAME, ctx, { warnings: hasText ? ["confirmed_text_kept"] : [] });
}

/** Decides as the arguments say. An edit without a text uses the text that an earlier call gave for the same question. */
async function decideWithKept(args: DecisionArguments, ctx: ToolContext) {
  const { confirmation_id = "", decision } = args;
  const { origin, session } = ctx;
  const kept = decision === "edit" ? session.texts.get(origin, confirmation_id) : undefined;
  const outcome = await decideByArgument({ ...args, confirmed_text: args.confirmed_text ?? kept }, NAME, ctx);
  session.texts.delete(origin, confirmation_id);
  return outcome;
}
