import * as z from "zod";
import { deadlineIn } from "../ask/ask-person.ts";
import { callersAuthor, endsWithCommand } from "../ask/decision-path.ts";
import { whatKeeps } from "../ask/pause-result.ts";
import { shownState } from "../negotiation/backend-states.ts";
import { summarise } from "../negotiation/describe.ts";
import { isUndecided, type Stage } from "../negotiation/stage.ts";
import { resumeField } from "../result/tool-result.ts";
import { joinSentences } from "../text/join.ts";
import { isRegistered } from "../use/agents.ts";
import { submitDemand } from "../use/demand.ts";
import { defineTool, type ToolContext } from "./define.ts";
import { idField, intentField } from "./fields.ts";

/**
 * Submits a demand without waiting (contract §1). From then on the program watches the deadline, so that silence
 * never broadcasts the demand (§6).
 */
export const towowSubmitDemand = defineTool({
  name: "towow_submit_demand",
  description:
    "Submit a demand to a scene and return at once. Only agents in the scene now can answer. Call towow_confirm when the state is formulated: nothing is broadcast before the person decides, and an undecided demand is withdrawn in time. After a timeout never submit again: look with towow_status.",
  modes: ["developer"],
  kind: "write",
  idempotent: false,
  destructive: false,
  open_world: true,
  sensitive_sink: true,
  asks: "pause",
  startsNegotiation: true,
  input: () =>
    z.strictObject({
      scene_id: idField("The scene"),
      user_id: idField("Default: the own user id").optional(),
      intent: intentField(),
      k_star: z.int().min(1).max(1000).describe("At most this many agents").optional(),
      min_score: z.number().min(0).max(1).describe("Least resonance, 0 to 1").optional(),
      allow_duplicate: z.boolean().describe("Submit again although an identical demand may exist").optional(),
    }),
  output: () =>
    z.object({
      negotiation_id: z.string(),
      state: z.string(),
      resume_with: resumeField(),
    }),
  async handler({ allow_duplicate, k_star, min_score, ...args }, ctx) {
    // This call asks the person nothing. If the model has read other agents' text, those agents may have led the
    // model to submit, and silence must not count as a yes.
    const tainted = await ctx.session.taint.isTainted();
    const user_id = args.user_id ?? (await ctx.userId());
    const demand = {
      scene_id: args.scene_id,
      intent: args.intent,
      user_id,
      ...(k_star !== undefined && { k_star }),
      ...(min_score !== undefined && { min_score }),
    };
    const options = { allowDuplicate: allow_duplicate ?? false, tainted, writtenBy: callersAuthor(ctx) };
    // The look-up runs beside the submit. Cancelling the call ends the look-up, but never the submit.
    const registered = isRegistered(args.scene_id, ctx, user_id);
    registered.catch(() => {});
    const { id: negotiation_id, negotiation, duplicate } = await submitDemand(demand, options, ctx);
    ctx.concerns(negotiation_id);
    const isAgent = await registered;
    const seen = negotiation ?? (await ctx.negotiations.get(negotiation_id));
    const stage = await ctx.negotiations.stage(negotiation_id, seen);
    const isWaiting = isUndecided(stage);
    const { note, submitted } = ctx.texts;
    return {
      summary: joinSentences([
        ...(duplicate
          ? [note.duplicate_suppressed, summarise(ctx.negotiations.says(stage, seen), ctx.texts)]
          : [submitted(negotiation_id)]),
        isWaiting ? await whatFollows(negotiation_id, stage, ctx) : undefined,
      ]),
      data: {
        negotiation_id,
        state: shownState(seen),
        resume_with: { tool: isWaiting ? decidingTool(ctx) : "towow_status", params: { negotiation_id } },
      },
      warnings: [
        ...(duplicate ? (["duplicate_suppressed"] as const) : []),
        ...(isAgent === false ? (["submitter_not_registered"] as const) : []),
      ],
    };
  },
});

/** Returns the sentence about what happens to the demand if nobody decides. */
async function whatFollows(id: string, stage: Stage, ctx: ToolContext): Promise<string | undefined> {
  const { negotiations, texts } = ctx;
  if (endsWithCommand(id, stage, ctx)) return texts.pause.commandEnds;
  if (!negotiations.isLeftToBackend(stage))
    return joinSentences([texts.nothingBefore, (await whatKeeps(id, stage, ctx))?.sentence]);
  return deadlineIn((await negotiations.guard(id, stage)).silence, ctx);
}

/**
 * Returns the tool to call for the decision. A command line cannot decide in a call, so it gets the tool that shows
 * the text.
 */
function decidingTool({ client: { isCommandLine, decidingTools } }: ToolContext): string {
  const wanted = isCommandLine ? "towow_demand" : "towow_confirm";
  return decidingTools.includes(wanted) ? wanted : (decidingTools[0] ?? "towow_status");
}
