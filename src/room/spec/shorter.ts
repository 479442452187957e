import { findPii } from "../../safety/pii/pii.ts";
import type { Texts } from "../../text/index.ts";

/** Shorter than this a demand says one thing already. */
const SHORT = 60;
const SENTENCE = /[^.!?。！？\n]+[.!?。！？]*/gu;

/**
 * One thing out of a demand: its first sentence without personal data, up to the second of the things that it lists. Every
 * word is the person's own, in their order. Undefined where nothing can be left out.
 */
export function shorter(demand: string, texts: Texts): { text: string; leftOut: string[] } | undefined {
  const sentences = (demand.match(SENTENCE) ?? []).map((sentence) => sentence.trim()).filter((s) => s !== "");
  const isPersonal = (sentence: string) => findPii(sentence).length > 0;
  const first = sentences.find((sentence) => !isPersonal(sentence));
  if (first === undefined || first.length < (texts.lang === "zh" ? SHORT / 3 : SHORT)) return undefined;
  const cut = firstThing(first);
  const others = sentences.filter((sentence) => sentence !== first);
  const leftOut = [
    ...(cut === first
      ? []
      : [first.slice(cut.length).replace(/^(?:[\s,，、;；和与及]|(?:and|or)\s)+|[\s.。!！?？]+$/g, "")]),
    ...others.map((sentence) => {
      const kind = findPii(sentence)[0]?.kind;
      return kind === undefined ? sentence.replace(/[.。!！?？]+$/, "") : texts.pii.kinds[kind];
    }),
  ].filter((part) => part !== "");
  if (leftOut.length === 0) return undefined;
  const stop = /[。！？]/.test(first) || texts.lang === "zh" ? "。" : ".";
  return { text: /[.!?。！？]$/.test(cut) ? cut : `${cut}${stop}`, leftOut };
}

/** Up to the second thing of a list, where the sentence has one in its second half. */
function firstThing(sentence: string): string {
  const half = sentence.length / 2;
  const cut = [...sentence.matchAll(/\s+(?:and|or)\s+|\s*[,，;；]\s*|[和、与及]/gu)].find(({ index }) => index >= half);
  return cut === undefined ? sentence : sentence.slice(0, cut.index);
}
