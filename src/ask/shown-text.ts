import type { Negotiation } from "../backend/contract.ts";
import { formulatedText } from "../negotiation/backend-states.ts";
import type { Says } from "../negotiation/says.ts";
import { hasSeen, isUndecided, type Stage } from "../negotiation/stage.ts";
import { showInvisible } from "../safety/invisible.ts";
import { sanitizePlan } from "../safety/sanitize/foreign.ts";
import { looksLikeInstructions } from "../safety/sanitize/instructions.ts";
import { sanitizeOptions } from "../safety/sanitize/options.ts";
import { rememberedSha256 } from "../sha256.ts";
import type { Texts } from "../text/index.ts";
import type { Warning } from "../text/warnings.ts";
import { editRuns } from "../view/aligned.ts";
import { networksText } from "../view/text.ts";
import type { AskContext, Foreign } from "./context.ts";
import { wholeInResult } from "./whole.ts";

/** Returns whether the person decides on this text here. Only then is it shown whole and unaltered (contract §6). */
export const isOwnPause = (stage: Pick<Stage, "isOwn" | "name">): boolean => stage.isOwn && isUndecided(stage);

/**
 * Marks the session as tainted if a text looks like orders to a model, because the text is shown unaltered. From then
 * on, a model's word alone neither sends nor decides.
 */
export async function flagOrders(
  texts: readonly (string | null)[],
  { session }: { session: Pick<AskContext["session"], "taint"> },
): Promise<Warning[]> {
  if (!texts.some((text) => text !== null && looksLikeInstructions(text))) return [];
  await session.taint.mark();
  return ["suspicious_instructions"];
}

/** The warning that the text does not fit into the result. */
export const TEXT_NOT_SHOWN = "text_not_shown" as const satisfies Warning;

export interface ShownText extends Foreign {
  text: string | null;
  warnings: Warning[];
}

/**
 * Returns the value of `formulated_text`. If the person decides on the text here, the value is the whole text.
 * Otherwise it is cleaned like all words of others.
 */
export async function shownText(negotiation: Negotiation, stage: Stage, ctx: AskContext): Promise<ShownText> {
  if (negotiation.demand_formulated === null) return { text: null, warnings: [] };
  const text = formulatedText(negotiation);
  if (isOwnPause(stage)) {
    const whole = wholeInResult(text);
    const warnings: Warning[] = [
      ...(showInvisible(text) === text ? [] : (["invisible_characters"] as const)),
      ...(whole === undefined ? [TEXT_NOT_SHOWN] : []),
      ...(await flagOrders([text], ctx)),
    ];
    return { text: whole ?? null, warnings };
  }
  const { value, warnings } = await sanitizePlan(text, sanitizeOptions(ctx.settings));
  const isTheirs = stage.isOwn && hasSeen(stage, rememberedSha256(text));
  return { text: value, warnings, foreign: ["/formulated_text"], ...(isTheirs && { taints: false as const }) };
}

type Said = Pick<Says, "negotiation" | "writers">;

/**
 * Returns the network's share of the text, in per cent. It is undefined if the network added nothing or wrote
 * everything.
 */
function shareIn({ negotiation, writers }: Said): number | undefined {
  if (writers.text !== "network" || negotiation === undefined) return undefined;
  const { share, isCompared } = networksText(negotiation.demand_raw, formulatedText(negotiation));
  return isCompared && share < 100 ? share : undefined;
}

/** Says in one sentence, without its full stop, who wrote the text and how much of it the network added. */
export function whoWrote(said: Said, { author }: Texts): string {
  const { submitted, text } = said.writers;
  const share = shareIn(said);
  if (share === undefined) return author[text ?? "unknown"];
  return author.added(share, submitted && author[submitted]);
}

/** Says who wrote the text for a dialog's row, which has no room for a whole sentence. */
export function whoWroteInRow(said: Said, { author, pageQuestion }: Texts): string {
  const share = shareIn(said);
  return share === undefined ? author[said.writers.text ?? "unknown"] : pageQuestion.added(share);
}

/** The number of different words beyond which the marks would show another text rather than an edit. */
const MAX_CHANGES = 600;

/**
 * Marks an edit in plain text, word by word, as `git diff --word-diff` does. The platform's segmenter cuts Chinese into
 * words. Returns undefined for texts that are too long or too different to compare.
 */
export function markedDifference(original: string, edited: string, lang: string): string | undefined {
  const segmenter = new Intl.Segmenter(lang, { granularity: "word" });
  const wordsOf = (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment);
  const runs = editRuns(wordsOf(original), wordsOf(edited));
  const changes = runs?.filter(({ change }) => change !== "same").flatMap(({ text }) => wordsOf(text)) ?? [];
  if (changes.length > MAX_CHANGES) return undefined;
  const marks = { same: ["", ""], removed: ["[-", "-]"], added: ["{+", "+}"] } as const;
  return runs?.map(({ text, change }) => marks[change].join(text)).join("");
}
