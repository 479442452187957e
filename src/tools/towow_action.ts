import * as z from "zod";
import { cancelPermission } from "../ask/permission.ts";
import { stageOf } from "../ask/wait-in-call.ts";
import { shownState } from "../negotiation/backend-states.ts";
import { summarise } from "../negotiation/describe.ts";
import { defineTool, type ToolContext } from "./define.ts";
import { idField } from "./fields.ts";

/** Contract §1. Only `cancel` exists; another action is the backend's to refuse. */
export const towowAction = defineTool({
  name: "towow_action",
  description:
    "Act on a negotiation. Only action cancel exists: it ends the negotiation without a plan and cannot be undone.",
  modes: ["developer"],
  read_only: false,
  idempotent: true,
  destructive: true,
  open_world: true,
  sensitive_sink: false,
  promptsPerson: true,
  asks: async ({ negotiation_id, action }, ctx) =>
    action === "cancel" ? cancelPermission(negotiation_id, ctx) : undefined,
  input: z.strictObject({
    negotiation_id: idField("The negotiation"),
    action: z.string().min(1).max(50),
    payload: z.record(z.string(), z.unknown()).optional(),
  }),
  output: z.object({ negotiation_id: z.string(), state: z.string() }),
  async handler({ negotiation_id, action, payload }, ctx) {
    const negotiation =
      action === "cancel"
        ? await cancel(negotiation_id, payload, ctx)
        : await (await ctx.backend()).action(negotiation_id, { action, ...(payload && { payload }) });
    return {
      summary: summarise(negotiation, await stageOf(negotiation_id, ctx, negotiation), ctx.texts),
      data: { negotiation_id, state: shownState(negotiation) },
    };
  },
});

/** What was not submitted here comes this far only with a yes on the page. */
async function cancel(id: string, payload: Record<string, unknown> | undefined, ctx: ToolContext) {
  const { isOwn } = await stageOf(id, ctx);
  return ctx.negotiations.cancel(id, isOwn ? "argument" : "page", payload);
}
