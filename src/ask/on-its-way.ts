import { shellWord } from "../terminal/shell-word.ts";
import { fateTexts } from "../text/fate.ts";
import { joinSentences } from "../text/join.ts";
import type { Fate } from "../view/fate.ts";

/** These sentences are about a decision that the backend is not known to have. */

interface Moment {
  /** ms since the epoch. */
  now: number;
  lang: "zh" | "en";
  timeOfDay: (atMs: number) => string;
}

/**
 * Says that a decision is on its way, whether a running program sends it, and what the backend does at its deadline.
 * Returns undefined where no decision is on its way.
 */
export function onItsWayText(
  fate: Fate | undefined,
  { id, now, lang, timeOfDay }: Moment & { id: string },
): string | undefined {
  if (fate === undefined || fate.of === "silence") return undefined;
  const texts = fateTexts(lang);
  const of = fate.of === "yes" ? texts.yes : fate.isPersons ? texts.no : texts.withdrawal;
  const unsent = typeof of.unsent === "string" ? of.unsent : of.unsent(shellWord(id));
  return joinSentences([fate.isSending ? of.sending : unsent, byThen(fate, { now, lang, timeOfDay })]);
}

/**
 * Says what the backend does if the decision has not arrived by its deadline. Returns undefined for a yes that is
 * being sent: the program may still withdraw it, so nothing certain can be said.
 */
export function byThen(fate: Fate | undefined, { now, lang, timeOfDay }: Moment): string | undefined {
  if (fate?.at === undefined || fate.of === "silence") return undefined;
  if (fate.of === "no" ? fate.isOut : fate.isSending) return undefined;
  const texts = fateTexts(lang);
  if (fate.at <= now) return texts.tooLate(timeOfDay(fate.at));
  return (fate.of === "no" ? texts.noByThen : texts.yesByThen)(timeOfDay(fate.at));
}
