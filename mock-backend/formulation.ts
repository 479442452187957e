import type { Profile } from "./data.ts";
import { type Markers, withoutMarkers } from "./markers.ts";
import { pick } from "./random.ts";

/** What the formulation stage gave: a text (or, from a confused model, any JSON), and whether it is degraded. */
export interface Formulation {
  text: unknown;
  degraded: boolean;
  reason: string;
}

/** The widest formulated text that the mock writes by itself: four rows of a client's form, whatever its words. */
export const FORM_COLUMNS = 180;

const TAILS = {
  zh: ["可远程协作，希望两个月内启动。", "先做四周试点，再谈长期合作。", "每周可投入约十小时，预算可以商量。"],
  en: [
    "Remote is fine; start within two months.",
    "A four-week trial first, then we decide.",
    "About ten hours a week; budget is negotiable.",
  ],
} as const;

export type Language = "zh" | "en";

/** The language of most of a text: a Chinese character says about as much as an English word. */
export function languageOf(text: string): Language {
  const characters = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  const words = text.match(/[a-z]+(?:['’-][a-z]+)*/gi)?.length ?? 0;
  return characters > 0 && characters >= words ? "zh" : "en";
}

/** Columns in a terminal: Han, kana, Hangul and full-width forms count two. */
export function columns(text: string): number {
  let width = 0;
  for (const char of text)
    width +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{20000}-\u{3fffd}]/u.test(char)
        ? 2
        : 1;
  return width;
}

/** The strings of a field that ought to be a list of strings. */
export function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string" && item.trim() !== "") : [];
}

/** The demand without the sentence on what the submitter brings: that is offered, not looked for. */
export function wanted(demand: string): string {
  return demand.replace(/我自己懂[^。]{0,300}。|I bring [^.]{0,300}\./, " ");
}

/** The intent as whole sentences, with more of them behind it. */
export function extended(intent: string, ...more: string[]): string {
  const isZh = languageOf(intent) === "zh";
  const text = intent.trimEnd();
  const head = /[.!?。！？；;\]]$/.test(text) ? text : `${text}${isZh ? "。" : "."}`;
  return [head, ...more].join(isZh ? "" : " ");
}

/** The intent with a short enrichment from the submitter's profile; the intent itself is never shortened. */
export function enrich(intent: string, profile: Profile, seed: number): string {
  const language = languageOf(intent);
  const skills = strings(profile.skills).slice(0, 2);
  const tail = pick(TAILS[language], intent, seed);
  const own = language === "zh" ? `我自己懂${skills.join("、")}。` : `I bring ${skills.join(" and ")}.`;
  const candidates = [
    ...(skills.length > 0 ? [extended(intent, own, tail)] : []),
    extended(intent, tail),
    extended(intent, language === "zh" ? "可远程。" : "Remote is fine."),
  ];
  return candidates.find((text) => columns(text) <= FORM_COLUMNS) ?? candidates.at(-1)!;
}

/** The formulation of one demand. `profile` is undefined when the submitter is no agent: then it is degraded. */
export function formulate(
  intent: string,
  profile: Profile | undefined,
  markers: Markers,
  enriched: (profile: Profile) => string,
): Formulation {
  const ready = (text: unknown): Formulation => ({ text, degraded: false, reason: "" });
  const degraded = (reason: string): Formulation => ({ text: intent, degraded: true, reason });
  if (markers.formulated !== undefined) return ready(markers.formulated);
  if (profile === undefined) return degraded("adapter_error");
  if (withoutMarkers(intent) === "") return degraded("formulation_error");
  switch (markers.formulation) {
    case "fail":
    case "empty":
    case "junk":
      return degraded("formulation_error");
    case "hang":
      return degraded("formulation_timeout");
    case "adapter":
      return degraded("adapter_error");
    case "token":
      return degraded("token_expired");
    case "list":
      return ready([intent, "remote is fine"]);
    case "dict":
      return ready({ text: intent });
    default:
      return ready(enriched(profile));
  }
}
