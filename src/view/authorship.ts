import { MASKS } from "../safety/pii/masks.ts";
import { aligned } from "./aligned.ts";

/** A piece of a text with the author of its words. */
export interface Passage {
  by: "person" | "network" | "agent" | "edit";
  text: string;
}

/**
 * Splits a text into tokens: words, single Chinese characters, emoji, runs of spaces, and every other sign. The
 * tokens joined together are the text again.
 */
export const tokens = (text: string): string[] => text.match(TOKEN) ?? [];

const TOKEN =
  /\p{Script=Han}|[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}'’_-]*[\p{L}\p{N}\p{M}])?|\p{Regional_Indicator}{2}|\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]*(?:\u200D\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]*)*|[ \p{Zs}\t\r\n]+|./gsu;

/**
 * Returns whether the text says something, that is, holds more than spaces and plain punctuation. An emoji, a currency
 * sign or a minus changes what a text says as much as a word does.
 */
export const isWord = (text: string): boolean =>
  /[^\p{Zs}\t\r\n.,;:!?¿¡،؛؟۔।…·'"’‘“”()[\]、。，；：！？「」『』《》〈〉（）【】—]/u.test(text);

/**
 * Says who wrote each word of the formulated text. Words that the submitted text has in the same order are the person's,
 * and the rest are the network's. Returns undefined for texts that are too long to be compared.
 */
export function attribute(submitted: string, formulated: string): Passage[] | undefined {
  const base = tokens(submitted).map((text): Passage => ({ by: "person", text }));
  return compared(base, tokens(formulated), "network");
}

/**
 * Says who wrote each word of a text that somebody changed. Words that the earlier text lacked belong to `by`: `edit` is
 * the person, `agent` an AI or an outside agent that proposed them, and `network` the network that reworked the text.
 * Returns undefined for texts that are too long to be compared.
 */
export function attributeEdit(
  shown: readonly Passage[],
  edited: string,
  by: "edit" | "agent" | "network" = "edit",
): Passage[] | undefined {
  // Passages of one author are merged first, because a telephone number that is its own part may cut a word in two.
  const base = merged(shown).flatMap(({ by, text }) => tokens(text).map((token): Passage => ({ by, text: token })));
  return compared(base, tokens(edited), by);
}

function compared(base: readonly Passage[], words: readonly string[], added: Passage["by"]): Passage[] | undefined {
  const kept = keptWords(base, words);
  return kept && merged(settled(matched(kept, words, added)));
}

/** A word that the base also has, with its position there. Undefined for a new word. */
type Kept = (Passage & { from: number }) | undefined;

/**
 * Says who wrote each word of a copy that was cleaned or masked. A replacement belongs to the author of the first word
 * that it replaces, and an insertion to the author of the word before it. Returns undefined for texts that are too long
 * to be compared.
 */
export function copied(passages: readonly Passage[], copy: string): Passage[] | undefined {
  const words = copy.split(aMask()).flatMap((part, index) => (index % 2 === 1 ? [part] : tokens(part)));
  const base = merged(passages).flatMap(({ by, text }) => tokens(text).map((word): Passage => ({ by, text: word })));
  const kept = keptWords(base, words);
  if (kept === undefined) return undefined;
  const nexts = kept.map((word) => word?.from);
  for (let at = nexts.length - 1; at >= 0; at--) nexts[at] ??= nexts[at + 1] ?? base.length;
  let last = -1;
  const found = words.map((text, index): Passage => {
    const word = kept[index];
    if (word !== undefined) last = word.from;
    const isReplacing = word === undefined && nexts[index]! > last + 1;
    return { by: base[isReplacing ? last + 1 : Math.max(last, 0)]?.by ?? "network", text };
  });
  return merged(found);
}

/**
 * Returns a pattern that matches the masks for personal data. A mask counts as one word, because it stands for
 * everything that it hides.
 */
const aMask = () => new RegExp(`(${Object.values(MASKS).join("|").replaceAll(/[[\]]/g, "\\$&")})`);

/** Finds for each word the word of the base that it repeats. Returns undefined if too much differs. */
function keptWords(base: readonly Passage[], words: readonly string[]): Kept[] | undefined {
  const texts = base.map(({ text }) => text);
  return aligned(texts, words)?.map((from) => {
    const passage = from === undefined ? undefined : base[from];
    return passage === undefined || from === undefined ? undefined : { ...passage, from };
  });
}

/** Assigns each word to an author. A kept word that is not part of a real match counts as new, like the words around it. */
function matched(kept: readonly Kept[], words: readonly string[], added: Passage["by"]): Passage[] {
  const passages = words.map((text, index): Passage => ({ by: kept[index]?.by ?? added, text }));
  for (const match of matchesIn(kept))
    if (!isMatch(match, words, added)) for (const index of match) passages[index]!.by = added;
  return passages;
}

/**
 * Groups the positions of kept words into matches. A match goes on across words that were put in or taken out, but
 * ends at words that were replaced. A Chinese character that stands alone among new ones joins no match, because it
 * is probably a coincidence.
 */
function matchesIn(kept: readonly Kept[]): number[][] {
  const pieces: number[][] = [];
  for (const [at, word] of kept.entries())
    if (word !== undefined && kept[at - 1] !== undefined) pieces.at(-1)?.push(at);
    else if (word !== undefined) pieces.push([at]);
  const isAlone = (piece: readonly number[]): boolean =>
    weightOf(
      piece.map((at) => kept[at]?.text ?? ""),
      2,
    ) === 1;
  const matches: number[][] = [];
  for (const piece of pieces) {
    const last = matches.at(-1);
    const isNext = last !== undefined && kept[last.at(-1) ?? 0]?.from === (kept[piece[0] ?? 0]?.from ?? 0) - 1;
    if (isNext && !isAlone(piece) && !isAlone(last)) last.push(...piece);
    else matches.push(piece);
  }
  return matches;
}

/** Weighs how much words say: 1 for each Chinese character, and `other` for any other word. */
const weightOf = (words: readonly string[], other: number): number =>
  words.filter(isWord).reduce((sum, text) => sum + (HAN.test(text) ? 1 : other), 0);

/** So many kept words in a row are no coincidence. In Chinese text, characters are counted. */
const FEW_WORDS = 4;
const HAN = /\p{Script=Han}/u;
const CLAUSE_SIGN = /[.,;:!?\n、。，；：！？…—]/u;

/**
 * Decides whether words that both texts have are really the same words and not a coincidence. A whole clause or four
 * Chinese characters always suffice. In the network's text, any other word suffices too. In a text that somebody
 * changed, two words suffice at the beginning or the end, and four between two changes, because a rewritten sentence
 * shares some words by chance.
 */
function isMatch(match: readonly number[], words: readonly string[], added: Passage["by"]): boolean {
  const own = match.map((index) => words[index] ?? "");
  if (!own.some(isWord) || holdsClause(match, words)) return true;
  const isBetween = match[0] !== 0 && match.at(-1) !== words.length - 1;
  if (added !== "network" && isBetween) return own.filter(isWord).length >= FEW_WORDS;
  return weightOf(own, added === "network" ? FEW_WORDS : FEW_WORDS / 2) >= FEW_WORDS;
}

function holdsClause(match: readonly number[], words: readonly string[]): boolean {
  const isEnd = (index: number): boolean => index < 0 || index >= words.length || CLAUSE_SIGN.test(words[index] ?? "");
  let isWhole = false;
  let says = false;
  let before: number | undefined;
  for (const index of match) {
    if (index - 1 !== before) [isWhole, says] = [isEnd(index - 1), false];
    if (isEnd(index)) {
      if (isWhole && says) return true;
      [isWhole, says] = [true, false];
    } else says ||= isWord(words[index] ?? "");
    if (isWhole && says && isEnd(index + 1)) return true;
    before = index;
  }
  return false;
}

/** Gives spaces and punctuation to the author of the words around them, so that a comma does not split a passage. */
function settled(passages: readonly Passage[]): Passage[] {
  let before: Passage["by"] | undefined;
  const behind = nextWords(passages);
  return passages.map((passage, index) => {
    if (isWord(passage.text)) {
      before = passage.by;
      return passage;
    }
    const after = behind[index];
    if (after === undefined || before === undefined || before === after)
      return { by: before ?? after ?? passage.by, text: passage.text };
    return { by: /^\s+$/.test(passage.text) ? "person" : passage.by, text: passage.text };
  });
}

/**
 * Returns for each passage the author of the next word after it. One pass finds all of them, because a hostile text
 * may have thousands of signs in a row.
 */
function nextWords(passages: readonly Passage[]): (Passage["by"] | undefined)[] {
  const behind: (Passage["by"] | undefined)[] = [];
  let next: Passage["by"] | undefined;
  for (let index = passages.length - 1; index >= 0; index--) {
    behind[index] = next;
    const passage = passages[index];
    if (passage !== undefined && isWord(passage.text)) next = passage.by;
  }
  return behind;
}

/** Joins neighbouring passages that have the same author. */
export function merged(passages: readonly Passage[]): Passage[] {
  const runs: Passage[] = [];
  for (const { by, text } of passages) {
    const last = runs.at(-1);
    if (last?.by === by) last.text += text;
    else runs.push({ by, text });
  }
  return runs;
}

/**
 * Returns the words of a text that another text lacks, as runs in their order. The list is empty if no word is
 * missing. `by` is the author who made the other text out of this one. Returns undefined for texts that are too long
 * to be compared.
 */
export const missingWords = (text: string, other: string, by: "network" | "edit"): string[] | undefined =>
  missingIn(text, other, by)?.flatMap((passage) => runOf(passage, by));

/** Returns the whole text as passages. Words that the other text lacks belong to `by`, and all others to the person. */
export const missingIn = (text: string, other: string, by: "network" | "edit"): Passage[] | undefined =>
  attributeEdit([{ by: "person", text: other }], text, by);

/** Returns the passage's text in a list of one if `wanted` wrote it and it says something. Otherwise the list is empty. */
export const runOf = ({ by, text }: Passage, wanted: Passage["by"]): string[] =>
  by === wanted && isWord(text) ? [text.trim()] : [];

const MAX_SHOWN = 400;

/** Joins runs of words into one line of bounded length, for use beside the whole text. */
export function inOneLine(runs: readonly string[]): string {
  const text = runs.join(" … ");
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/** A place in a text that holds personal data, in UTF-16 units. */
export interface PersonalSpan {
  start: number;
  end: number;
  kind: string;
}

/** The smallest part of a text that can be taken out. */
export interface Segment extends Passage {
  /** The number of the network's addition that the segment belongs to, from 1. */
  addition?: number;
  /** The number of the piece of personal data that the segment belongs to, from 1, and its kind. */
  personal?: { number: number; kind: string };
}

/** Splits a text into segments, and numbers the network's additions and the pieces of personal data. */
export function segmentsOf(passages: readonly Passage[], spans: readonly PersonalSpan[]): Segment[] {
  const segments: Segment[] = [];
  let at = 0;
  let additions = 0;
  let index = 0;
  for (const { by, text } of passages.flatMap(sentencesOf)) {
    const addition = by === "network" && isWord(text) ? ++additions : undefined;
    const end = at + text.length;
    for (let from = at; from < end; ) {
      while ((spans[index]?.end ?? Number.POSITIVE_INFINITY) <= from) index++;
      const span = spans[index];
      const isInside = span !== undefined && span.start <= from;
      const to = Math.min(end, span === undefined ? end : isInside ? span.end : span.start);
      segments.push({
        by,
        text: text.slice(from - at, to - at),
        ...(addition !== undefined && { addition }),
        ...(isInside && { personal: { number: index + 1, kind: span.kind } }),
      });
      from = to;
    }
    at = end;
  }
  return segments;
}

const SENTENCE_END = /(?<=[。！？]|[.!?](?=\s))/u;

/** Splits the network's passages into sentences, so that each one can be taken out alone. */
const sentencesOf = (passage: Passage): Passage[] =>
  passage.by === "network" ? passage.text.split(SENTENCE_END).map((text) => ({ by: passage.by, text })) : [passage];

/**
 * Returns whether a segment is taken out. In `takenOut`, `1` names the first addition and `p1` the first piece of
 * personal data.
 */
export const isTakenOut = ({ addition, personal }: Segment, takenOut: readonly string[]): boolean =>
  (addition !== undefined && takenOut.includes(String(addition))) ||
  (personal !== undefined && takenOut.includes(`p${personal.number}`));

/**
 * Returns the segments that stay, and closes the gaps that the others leave. The remaining text does not change
 * otherwise.
 */
export function withoutTakenOut(segments: readonly Segment[], takenOut: readonly string[]): Segment[] {
  const kept: Segment[] = [];
  let isGap = false;
  for (const segment of segments) {
    const before = kept.at(-1);
    let { text } = segment;
    if (isTakenOut(segment, takenOut)) {
      isGap = true;
      continue;
    }
    if (isGap && before === undefined) text = text.trimStart();
    if (isGap && before?.text.endsWith(" ")) text = text.replace(/^ +/, "");
    if (isGap && before !== undefined && /^ *[,.;:!?]/.test(text)) {
      text = text.replace(/^ +/, "");
      before.text = before.text.replace(/ +$/, "");
    }
    if (text === "") continue;
    kept.push({ ...segment, text });
    isGap = false;
  }
  const last = kept.at(-1);
  if (isGap && last !== undefined) last.text = last.text.trimEnd();
  return kept.filter(({ text }) => text !== "");
}

/**
 * Returns the percentage of a text's words that the network wrote, which is at least 1 if it wrote any. The words are
 * counted after passages of one author were merged, because a telephone number or the end of a sentence may cut a
 * word in two.
 */
export function shareOf(passages: readonly Passage[]): number {
  const runs = merged(passages);
  const count = (from: readonly Passage[]) => from.flatMap(({ text }) => tokens(text)).filter(isWord).length;
  const networks = count(runs.filter(({ by }) => by === "network"));
  return networks === 0 ? 0 : Math.max(1, Math.round((networks / count(runs)) * 100));
}
