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

/** Where it stands, in sentences: one on the state, one on the decision, and what the person must know besides. */
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
  // Of a decision that is on its way, the backend's "waits" is not true any more.
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

/** What calls for the person's second look and is not said yet, and where they say that they have looked. */
function secondLook({ id, negotiation, said, unreviewed }: View, stands: string, { texts, all }: Format): Sentence[] {
  if (negotiation === undefined || unreviewed.length === 0) return [];
  const unsaid = unreviewed.filter(({ code }) => !said.warnings.some((told) => told === code));
  const reasons = unsaid.map((found) => riskOf(found, { ...said, negotiation }, all).reason);
  return [...new Set(reasons.filter((reason) => reason !== stands)), texts.secondLook(id)].map((text) => ({
    text,
    style: "bold",
  }));
}

/** Who decided what, where and when; undefined while nobody has, and of what had no effect. */
export function decidedText({ said: { decision } }: View, { texts, timeOfDay }: Format): string | undefined {
  if (decision === undefined) return undefined;
  return texts.byAt(texts.decided[decision.kind], texts.by[decision.by], timeOfDay(decision.at));
}

/** What happens if nobody decides, with the time that is left; undefined where that is not the question. */
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

/** What the person can do when it is over; undefined while it is not. Every ending has one. */
export function nextStep({ id, said: { ending } }: View, { texts }: Pick<Format, "texts">): string | undefined {
  if (ending === undefined) return undefined;
  const next = texts.next[afterEnd(ending)];
  return typeof next === "string" ? next : next(id);
}

export function outageText({ outage }: View, { texts, timeOfDay }: Format): string | undefined {
  if (outage === undefined) return undefined;
  return (outage.answers ? texts.unreadable : texts.unreachable)(timeOfDay(outage.since));
}

/** A plan with offers in it is good news, an ending without one is not. */
function moodOf({ ending, hasSucceeded }: Says): Style {
  if (ending === undefined) return "bold";
  return ["bold", hasSucceeded ? COLOURS.act : COLOURS.warn];
}

/** From here on the time that is left is marked. */
export const LATE_MS = 60_000;

/** Whether the last minute to decide has begun. */
export const isLate = (fate: Fate | undefined, now: number): boolean =>
  fate?.of === "silence" && fate.at !== undefined && fate.at - now <= LATE_MS;
