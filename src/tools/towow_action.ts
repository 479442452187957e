import * as z from "zod";
import { payloadText, stageNow } from "../ask/stop.ts";
import { BackendFailure } from "../backend/errors.ts";
import { shownState } from "../negotiation/backend-states.ts";
import { summarise } from "../negotiation/describe.ts";
import { stopByArgument } from "../use/cancel.ts";
import { defineTool } from "./define.ts";
import { negotiationIdField } from "./fields.ts";

/** The longest payload, in UTF-16 units. A person reads all of it before it is sent. */
const MAX_PAYLOAD_LENGTH = 20_000;

/**
 * Acts on a negotiation (contract §1). Only `cancel` exists, because nobody could explain to the person what another
 * action would do at the backend.
 */
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
      negotiation_id: negotiationIdField("The negotiation"),
      action: z.string().min(1).max(50),
      payload: z.record(z.string(), z.unknown()).refine(isReadable, "tool.input.invalid.text_too_long").optional(),
    }),
  output: () => z.object({ negotiation_id: z.string(), state: z.string() }),
  async handler({ negotiation_id, action, payload }, ctx) {
    if (action !== "cancel") {
      await stageNow(negotiation_id, ctx.negotiations); // An unknown id is reported before the unknown action.
      throw new BackendFailure("tool.negotiation.invalid.unknown_action", {
        operation: "action",
        negotiation_id,
        action,
      });
    }
    const answer = await stopByArgument("towow_action", { negotiation_id, payload }, ctx);
    if (!("stopped" in answer)) return answer;
    const { stopped } = answer;
    const said = ctx.negotiations.says(await ctx.negotiations.stage(negotiation_id, stopped), stopped);
    return {
      summary: summarise(said, ctx.texts),
      data: { negotiation_id, state: shownState(stopped) },
    };
  },
});

/**
 * Returns whether the payload is short enough for a person to read. A payload that is nested too deeply to be written
 * out cannot be read either.
 */
function isReadable(payload: Record<string, unknown>): boolean {
  try {
    return payloadText(payload).length <= MAX_PAYLOAD_LENGTH;
  } catch {
    return false;
  }
}
