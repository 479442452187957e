import * as z from "zod";
import { askPermission } from "../ask/permission.ts";
import { payloadText, stopByArgument } from "../ask/stop.ts";
import { shownState } from "../negotiation/backend-states.ts";
import { summarise } from "../negotiation/describe.ts";
import { defineTool, type ToolContext } from "./define.ts";
import { idField } from "./fields.ts";

/** A person reads all of it before it goes out. UTF-16 units. */
const MAX_PAYLOAD_LENGTH = 20_000;

/** Contract §1. Only `cancel` exists; another action is the backend's to refuse. */
export const towowAction = defineTool({
  name: "towow_action",
  description:
    "Act on a negotiation. Only action cancel exists: it ends the negotiation without a plan and cannot be undone. Fails once it is completed.",
  modes: ["developer"],
  kind: "write",
  idempotent: true,
  destructive: true,
  open_world: true,
  sensitive_sink: false,
  promptsPerson: true,
  asks: "handler",
  input: () =>
    z.strictObject({
      negotiation_id: idField("The negotiation"),
      action: z.string().min(1).max(50),
      payload: z.record(z.string(), z.unknown()).refine(isReadable, "tool.input.invalid.text_too_long").optional(),
    }),
  output: () => z.object({ negotiation_id: z.string(), state: z.string() }),
  async handler({ negotiation_id, action, payload }, ctx) {
    const answer =
      action === "cancel"
        ? await stopByArgument("towow_action", { negotiation_id, payload }, ctx)
        : await other(negotiation_id, { action, payload }, ctx);
    if (!("stopped" in answer)) return answer;
    const { stopped } = answer;
    return {
      summary: summarise(stopped, await ctx.negotiations.stage(negotiation_id, stopped), ctx.texts),
      data: { negotiation_id, state: shownState(stopped) },
    };
  },
});

/** What a newer backend may make of it nobody knows, so it needs what a cancel of a broadcast needs. */
async function other(
  id: string,
  { action, payload }: { action: string; payload: Record<string, unknown> | undefined },
  ctx: ToolContext,
) {
  const { page } = ctx.texts;
  const { isOwn } = await ctx.negotiations.stage(id);
  const text = page.actionText(id, action, payloadText(payload));
  const wanted = { title: page.actionTitle, text, ...(!isOwn && { foreignId: id }) };
  const answer = await askPermission("towow_action", { id, action, payload }, wanted, ctx);
  if (!("by" in answer)) return answer;
  return { stopped: await (await ctx.backend()).action(id, { action, ...(payload && { payload }) }) };
}

/** Whether a person can read all of it. What is nested too deep to be written out is no different. */
function isReadable(payload: Record<string, unknown>): boolean {
  try {
    return payloadText(payload).length <= MAX_PAYLOAD_LENGTH;
  } catch {
    return false;
  }
}
