import type { Rendering } from "../negotiation/display.ts";
import { questionOf } from "../negotiation/stage.ts";
import type { AskContext } from "./context.ts";

/** What a question showed, as it was written down before it was shown; an unknown question showed nothing. */
export async function renderingOf(
  negotiationId: string,
  confirmationId: string | undefined,
  surface: "form" | "argument",
  ctx: AskContext,
): Promise<Rendering> {
  const question = questionOf(await ctx.negotiations.stage(negotiationId), confirmationId);
  return { surface, rendered_hash: question?.shown_hash ?? "" };
}
