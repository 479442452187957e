import * as z from "zod";
import { stageOf } from "../ask/wait-in-call.ts";
import { summarise } from "../negotiation/describe.ts";
import { defineTool } from "./define.ts";
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
  asks: ({ negotiation_id, action }, { page }) =>
    action === "cancel" ? { title: page.cancelTitle, text: page.cancelText(negotiation_id) } : undefined,
  input: z.strictObject({
    negotiation_id: idField("The negotiation"),
    action: z.string().min(1).max(50),
    payload: z.record(z.string(), z.unknown()).optional(),
  }),
  output: z.object({ negotiation_id: z.string(), state: z.string() }),
  async handler({ negotiation_id, action, payload }, ctx) {
    const negotiation =
      action === "cancel"
        ? await ctx.negotiations.cancel(negotiation_id, "argument", payload)
        : await (await ctx.backend()).action(negotiation_id, { action, ...(payload && { payload }) });
    return {
      summary: summarise(negotiation, await stageOf(negotiation_id, ctx, negotiation), ctx.texts),
      data: { negotiation_id, state: negotiation.state },
    };
  },
});
