import { onItsWayText } from "../ask/consequences.ts";
import { duration } from "../duration.ts";
import { progressText, riskOf, writtenText } from "../negotiation/describe.ts";
import type { Says } from "../negotiation/says.ts";
import { COLOURS, type Style } from "../terminal/paint.ts";
import { afterEnd } from "../view/course.ts";
import type { Fate } from "../view/fate.ts";
import type { Format } from "./format.ts";
import type { View } from "./view.ts";

export interface Sentence {
  text: string;
  style: Style;
}

/**
 * Says where the negotiation stands, with one sentence on its state, one on the decision, and what else the person must know.
 */
export function sentencesOf(view: View, now: number, format: Format): Sentence[] {
  const { texts, all, timeOfDay } = format;
  const { id, negotiation: n, said, fate } = view;
  const onItsWay = onItsWayText(fate, { id, now, lang: all.lang, timeOfDay });
  if (n === undefined && said.ending === undefined) {
    const written = onItsWay ?? writtenText(said, all);
    return [written === undefined ? { text: texts.looking, style: COLOURS.muted } : { text: written, style: "bold" }];
  }
  const note = all.note as Readonly<Record<string, string | undefined>>;
  const decided = decidedText(view, format);
  // Once a decision is on its way, the backend's state may still say that the text waits, which is no longer true.
  const stands: Sentence = { text: onItsWay ?? progressText(said, all), style: moodOf(said) };
  return [
    stands,
    ...(decided === undefined ? [] : [{ text: decided, style: COLOURS.muted } as const]),
    ...said.warnings.flatMap((code): Sentence[] =>
      note[code] === undefined || (code === "decision_pending" && fate?.of === "no")
        ? []
        : [{ text: note[code], style: "bold" }],
    ),
    ...secondLook(view, stands.text, format),
  ];
}

/**
 * Says what the person should look at a second time, unless a sentence says so already, and how they note that they have
 * looked.
 */
function secondLook({ id, negotiation, said, unreviewed }: View, stands: string, { texts, all }: Format): Sentence[] {
  if (negotiation === undefined || unreviewed.length === 0) return [];
  const unsaid = unreviewed.filter(({ code }) => !said.warnings.some((told) => told === code));
  const reasons = unsaid.map((found) => riskOf(found, { ...said, negotiation }, all).reason);
  return [...new Set(reasons.filter((reason) => reason !== stands)), texts.secondLook(id)].map((text) => ({
    text,
    style: "bold",
  }));
}

/** Says who decided what, where and when. Returns undefined if nobody has decided, or if the decision had no effect. */
export function decidedText({ said: { decision } }: View, { texts, timeOfDay }: Format): string | undefined {
  if (decision === undefined) return undefined;
  return texts.byAt(texts.decided[decision.kind], texts.by[decision.by], timeOfDay(decision.at));
}

/** Says what happens if nobody decides, and how much time is left. Returns undefined unless a decision is awaited. */
export function deadlineText(
  fate: Fate | undefined,
  now: number,
  { texts, timeOfDay }: Pick<Format, "texts" | "timeOfDay">,
): string | undefined {
  if (fate?.of !== "silence") return undefined;
  if (fate.at === undefined) return texts.noDeadline;
  const leftMs = fate.at - now;
  if (leftMs <= 0) return texts.passed;
  const say = { withdrawn: texts.withdrawnIn, broadcast: texts.broadcastIn, unguarded: texts.unguardedIn };
  return say[fate.as](duration(leftMs), timeOfDay(fate.at));
}

/**
 * Says what the person can do once the negotiation is over, because every ending has a next step. Returns undefined until then.
 */
export function nextStep({ id, said: { ending } }: View, { texts }: Pick<Format, "texts">): string | undefined {
  if (ending === undefined) return undefined;
  const next = texts.next[afterEnd(ending)];
  return typeof next === "string" ? next : next(id);
}

export function outageText({ outage }: View, { texts, timeOfDay }: Format): string | undefined {
  if (outage === undefined) return undefined;
  return (outage.answers ? texts.unreadable : texts.unreachable)(timeOfDay(outage.since));
}

/** Returns the style of the first sentence. A plan with offers in it is good news, and any other ending is not. */
function moodOf({ ending, hasSucceeded }: Says): Style {
  if (ending === undefined) return "bold";
  return ["bold", hasSucceeded ? COLOURS.act : COLOURS.warn];
}

/** The remaining time, in milliseconds, from which on it is shown as a warning. */
export const LATE_MS = 60_000;

/** Returns whether the last minute to decide has begun. */
export const isLate = (fate: Fate | undefined, now: number): boolean =>
  fate?.of === "silence" && fate.at !== undefined && fate.at - now <= LATE_MS;
