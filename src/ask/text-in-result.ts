import type { Negotiation } from "../backend/contract.ts";
import { formulatedText } from "../negotiation/backend-states.ts";
import { hasSeen, isUndecided, type Stage } from "../negotiation/stage.ts";
import { estimatedTokens, MAX_PART_TOKENS } from "../result/tokens.ts";
import { showInvisible } from "../safety/invisible.ts";
import { sanitizePlan } from "../safety/sanitize/foreign.ts";
import { looksLikeInstructions } from "../safety/sanitize/instructions.ts";
import { sanitizeOptions } from "../safety/sanitize/options.ts";
import type { Warning } from "../text/warnings.ts";
import type { AskContext, Foreign } from "./context.ts";

/**
 * A text that is decided on is never cut. A longer one stands in no result, and is read on the page or in a terminal.
 */
const tokensOf = (text: string): number => estimatedTokens(JSON.stringify(text));
export const fitsInResult = (text: string): boolean => tokensOf(text) <= MAX_PART_TOKENS;
/** Returns whether the text fits both in words and as data. */
export const fitsTwice = (text: string): boolean => 2 * tokensOf(text) <= MAX_PART_TOKENS;

/** Returns whether the person decides on this text here. Only then is it shown whole and unaltered (contract §6). */
export const isOwnPause = (stage: Pick<Stage, "isOwn" | "name">): boolean => stage.isOwn && isUndecided(stage);

/** Notes text that is shown as it is but speaks to models: from here on no model's word is enough. */
export async function watchOrders(
  texts: readonly (string | null)[],
  { session }: { session: Pick<AskContext["session"], "taint"> },
): Promise<Warning[]> {
  if (!texts.some((text) => text !== null && looksLikeInstructions(text))) return [];
  await session.taint.mark();
  return ["suspicious_instructions"];
}

/** This warning says that the text does not fit into the result. */
export const TEXT_NOT_SHOWN = "text_not_shown" as const satisfies Warning;

export interface ShownText extends Foreign {
  text: string | null;
  warnings: Warning[];
}

/**
 * Returns the formulated text as `formulated_text` holds it: whole in the person's own pause, and as data otherwise.
 */
export async function shownText(negotiation: Negotiation, stage: Stage, ctx: AskContext): Promise<ShownText> {
  if (negotiation.demand_formulated === null) return { text: null, warnings: [] };
  const text = formulatedText(negotiation);
  if (isOwnPause(stage)) {
    const shown = showInvisible(text);
    const isHere = fitsInResult(shown);
    const warnings: Warning[] = [
      ...(shown === text ? [] : (["invisible_characters"] as const)),
      ...(isHere ? [] : [TEXT_NOT_SHOWN]),
      ...(await watchOrders([text], ctx)),
    ];
    return { text: isHere ? shown : null, warnings };
  }
  const { value, warnings } = await sanitizePlan(text, sanitizeOptions(ctx.settings));
  const isTheirs = stage.isOwn && hasSeen(stage, ctx.negotiations.hash(text));
  return { text: value, warnings, foreign: ["/formulated_text"], ...(isTheirs && { taints: false as const }) };
}
