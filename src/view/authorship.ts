import { MASKS } from "../safety/pii/masks.ts";
import { aligned } from "./aligned.ts";

/** Whose words a passage is made of. */
export interface Passage {
  by: "person" | "network" | "agent" | "edit";
  text: string;
}

/** Words, Chinese by its characters, and a picture as one; every space and sign is a token of its own. */
export const tokens = (text: string): string[] => text.match(TOKEN) ?? [];

const TOKEN =
  /\p{Script=Han}|[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}'’_-]*[\p{L}\p{N}\p{M}])?|\p{Regional_Indicator}{2}|\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]*(?:\u200D\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]*)*|[ \p{Zs}\t\r\n]+|./gsu;

/**
 * What says something of its own: all but spaces and plain punctuation. An emoji, a currency or a minus changes what a
 * text says as much as a word does.
 */
export const isWord = (text: string): boolean =>
  /[^\p{Zs}\t\r\n.,;:!?¿¡،؛؟۔।…·'"’‘“”()[\]、。，；：！？「」『』《》〈〉（）【】—]/u.test(text);

/**
 * Who wrote each word of the formulated text: what stands in the submitted one, in that order, is the person's, and the
 * rest the network's. Undefined for texts that are too long to be compared.
 */
export function attribute(submitted: string, formulated: string): Passage[] | undefined {
  const base = tokens(submitted).map((text): Passage => ({ by: "person", text }));
  return compared(base, tokens(formulated), "network");
}

/**
 * Who wrote each word of a text that somebody changed: what was not in the one before is theirs. `edit` is the person's,
 * `agent` what an AI or an outside agent proposed, `network` what the network made of it.
 */
export function attributeEdit(
  shown: readonly Passage[],
  edited: string,
  by: "edit" | "agent" | "network" = "edit",
): Passage[] | undefined {
  // A telephone number that is a part of its own cuts no word in two.
  const base = merged(shown).flatMap(({ by, text }) => tokens(text).map((token): Passage => ({ by, text: token })));
  return compared(base, tokens(edited), by);
}

function compared(base: readonly Passage[], words: readonly string[], added: Passage["by"]): Passage[] | undefined {
  const kept = keptWords(base, words);
  return kept && merged(settled(matched(kept, words, added)));
}

/** A word of the base that stands again, by its place there. */
type Kept = (Passage & { from: number }) | undefined;

/**
 * The words of a copy that was cleaned or masked, by whose they are: what stands in the place of some is theirs who wrote
 * the first of them, and what stands between two is theirs who wrote the one before. Undefined where it is too long to be
 * compared.
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

/** A mask is one word: it stands for all that it hides. */
const aMask = () => new RegExp(`(${Object.values(MASKS).join("|").replaceAll(/[[\]]/g, "\\$&")})`);

/** Each of these words with the one of the base that it is. */
function keptWords(base: readonly Passage[], words: readonly string[]): Kept[] | undefined {
  const texts = base.map(({ text }) => text);
  return aligned(texts, words)?.map((from) => {
    const passage = from === undefined ? undefined : base[from];
    return passage === undefined || from === undefined ? undefined : { ...passage, from };
  });
}

/** The words with whose they are: what was kept and is no match is as new as what stands around it. */
function matched(kept: readonly Kept[], words: readonly string[], added: Passage["by"]): Passage[] {
  const passages = words.map((text, index): Passage => ({ by: kept[index]?.by ?? added, text }));
  for (const match of matchesIn(kept))
    if (!isMatch(match, words, added)) for (const index of match) passages[index]!.by = added;
  return passages;
}

/**
 * Where kept words stand that belong together, by their places: between two of them something was put in, or taken out,
 * but not both. A Chinese character that stands alone among new ones is no word of the old text.
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

/** How much words say: each Chinese character, and any other word for so many of them. */
const weightOf = (words: readonly string[], other: number): number =>
  words.filter(isWord).reduce((sum, text) => sum + (HAN.test(text) ? 1 : other), 0);

/** So many words in a row are more than chance. Of a Chinese text these are characters. */
const FEW_WORDS = 4;
const HAN = /\p{Script=Han}/u;
const CLAUSE_SIGN = /[.,;:!?\n、。，；：！？…—]/u;

/**
 * Whether words that both texts have are the same words, and not only alike: a clause, or four Chinese characters. In what
 * the network made of a text any other word is as well; in what somebody wrote instead it takes two, and four between two
 * changes, which is how a sentence that was written anew looks.
 */
function isMatch(match: readonly number[], words: readonly string[], added: Passage["by"]): boolean {
  const own = match.map((index) => words[index] ?? "");
  if (!own.some(isWord) || holdsClause(match, words)) return true;
  const isBetween = match[0] !== 0 && match.at(-1) !== words.length - 1;
  if (added !== "network" && isBetween) return own.filter(isWord).length >= FEW_WORDS;
  return weightOf(own, added === "network" ? FEW_WORDS : FEW_WORDS / 2) >= FEW_WORDS;
}

/** Whether one of the clauses of a text lies within these words, whole. */
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

/** Space and punctuation follow their neighbours, so that no passage is torn by a comma. */
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

/** Whose the next word is behind each passage; one walk, since a hostile text has thousands of signs in a row. */
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

/** Runs of one hand. */
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
 * What of a text another one lacks, in runs of words and in their order; nothing where every word still stands. `by`: who
 * made that other one of it. Undefined for texts that are too long to be compared.
 */
export const missingWords = (text: string, other: string, by: "network" | "edit"): string[] | undefined =>
  missingIn(text, other, by)?.flatMap((passage) => runOf(passage, by));

/** The same as passages of the whole text: what is missing is `by`, the rest the person's. */
export const missingIn = (text: string, other: string, by: "network" | "edit"): Passage[] | undefined =>
  attributeEdit([{ by: "person", text: other }], text, by);

/** The words of a passage, if it is by them and says something. */
export const runOf = ({ by, text }: Passage, wanted: Passage["by"]): string[] =>
  by === wanted && isWord(text) ? [text.trim()] : [];

const MAX_SHOWN = 400;

/** Runs of words as one line, where the whole text stands beside them. */
export function inOneLine(runs: readonly string[]): string {
  const text = runs.join(" … ");
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/** Personal data in a text, in UTF-16 units. */
export interface PersonalSpan {
  start: number;
  end: number;
  kind: string;
}

/** A part of a text that can be taken out or not. */
export interface Segment extends Passage {
  /** Of the network's addition that it belongs to, from 1. */
  addition?: number;
  /** Which of the pieces of personal data it is, from 1, and its kind. */
  personal?: { number: number; kind: string };
}

/** A text in parts: each addition that says something has a number, and each piece of personal data too. */
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

/** Each sentence of the network's can be taken out alone. */
const sentencesOf = (passage: Passage): Passage[] =>
  passage.by === "network" ? passage.text.split(SENTENCE_END).map((text) => ({ by: passage.by, text })) : [passage];

/** Names of what is taken out: `1` is the first addition, `p1` the first piece of personal data. */
export const isTakenOut = ({ addition, personal }: Segment, takenOut: readonly string[]): boolean =>
  (addition !== undefined && takenOut.includes(String(addition))) ||
  (personal !== undefined && takenOut.includes(`p${personal.number}`));

/** The parts that stay where others are taken out; the gaps that this leaves close, and nothing else of it changes. */
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
 * How much of a text is the network's: its words among all words, in per cent; some is never none. Counted on runs of one
 * hand, so that neither a telephone number nor the end of a sentence cuts a word in two.
 */
export function shareOf(passages: readonly Passage[]): number {
  const runs = merged(passages);
  const count = (from: readonly Passage[]) => from.flatMap(({ text }) => tokens(text)).filter(isWord).length;
  const networks = count(runs.filter(({ by }) => by === "network"));
  return networks === 0 ? 0 : Math.max(1, Math.round((networks / count(runs)) * 100));
}
