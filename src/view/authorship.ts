/** Whose words a passage is made of. */
export interface Passage {
  by: "person" | "network" | "agent" | "edit";
  text: string;
}

/** Of what differs in both texts, in words: beyond this nobody would wait for the comparison. */
const MAX_WORDS = 4_000;

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
  const base = shown.flatMap(({ by, text }) => tokens(text).map((token): Passage => ({ by, text: token })));
  return compared(base, tokens(edited), by);
}

function compared(base: readonly Passage[], words: readonly string[], added: Passage["by"]): Passage[] | undefined {
  // A network mostly adds to the end: however long a text is, what both begin and end with is soon found.
  const from = sameWords(base, words);
  const left = [base.slice(from), words.slice(from)] as const;
  const isLong = left[0].length + left[1].length > MAX_WORDS;
  const back = isLong ? sameWords(left[0].toReversed(), left[1].toReversed()) : 0;
  const [old, fresh] = [left[0].slice(0, left[0].length - back), left[1].slice(0, left[1].length - back)];
  if (old.length + fresh.length > MAX_WORDS) return undefined;
  const passages = settled([...base.slice(0, from), ...aligned(old, fresh, added), ...base.slice(base.length - back)]);
  return merged(added === "edit" ? rewritten(passages) : passages);
}

/** How many words both begin with. */
function sameWords(base: readonly Passage[], words: readonly string[]): number {
  const at = base.findIndex(({ text }, index) => text !== words[index]);
  return at < 0 ? base.length : at;
}

/** Fewer words of one's own than this between two changes are part of the change: all of it is the same person's. */
const FEW_WORDS = 4;

/** A sentence that was written anew reads as one change, though a few of its old words stand in it again. */
function rewritten(passages: readonly Passage[]): Passage[] {
  const found = [...passages];
  let from: number | undefined;
  for (const [index, { by }] of passages.entries()) {
    if (by === "person") continue;
    if (by === "edit" && from !== undefined) {
      const between = passages.slice(from + 1, index);
      if (between.filter(({ text }) => isWord(text)).length < FEW_WORDS)
        for (const [at, { text }] of between.entries()) found[from + 1 + at] = { by: "edit", text };
    }
    from = by === "edit" ? index : undefined;
  }
  return found;
}

/** Longest common subsequence of words; numbers compare faster than words do. */
function aligned(base: readonly Passage[], words: readonly string[], added: Passage["by"]): Passage[] {
  const numbers = new Map<string, number>();
  const numberOf = (word: string): number => {
    const known = numbers.get(word) ?? numbers.size;
    numbers.set(word, known);
    return known;
  };
  const old = Uint16Array.from(base, ({ text }) => numberOf(text));
  const fresh = Uint16Array.from(words, numberOf);
  const width = words.length + 1;
  const lengths = new Uint16Array((base.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  // Millions of these: each is made of the one before and of two below, which are in the field by construction.
  for (let i = base.length - 1; i >= 0; i--) {
    const word = old[i];
    let right = 0;
    for (let j = words.length - 1, here = i * width + j; j >= 0; j--, here--) {
      const below = lengths[here + width] as number;
      right = word === fresh[j] ? (lengths[here + width + 1] as number) + 1 : below > right ? below : right;
      lengths[here] = right;
    }
  }
  const passages: Passage[] = [];
  let i = 0;
  for (let j = 0; j < words.length; ) {
    const [before, word] = [base[i], words[j] ?? ""];
    if (before?.text === word) {
      passages.push(before);
      i++;
      j++;
    } else if (before !== undefined && at(i + 1, j) >= at(i, j + 1)) i++;
    else {
      passages.push({ by: added, text: word });
      j++;
    }
  }
  return passages;
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

function merged(passages: readonly Passage[]): Passage[] {
  const runs: Passage[] = [];
  for (const { by, text } of passages) {
    const last = runs.at(-1);
    if (last?.by === by) last.text += text;
    else runs.push({ by, text });
  }
  return runs;
}

const MAX_SHOWN = 160;

/**
 * What the network left out of the submitted text, in its order; "" where every word still stands. Undefined for texts
 * that are too long to be compared.
 */
export function leftOutWords(submitted: string, formulated: readonly Passage[]): string | undefined {
  const kept = formulated.filter(({ by }) => by === "person").map(({ text }) => text);
  const found = attribute(kept.join(""), submitted);
  return (
    found &&
    listed(
      found.filter(({ by }) => by === "network"),
      MAX_LEFT_OUT,
    )
  );
}

/** The whole submitted text stands beside it. */
const MAX_LEFT_OUT = 400;

/** What of a text is not in the edited one any more, in its order. */
export function removedWords(before: readonly Passage[], edited: readonly Passage[]): string {
  const whose = new Set(before.map(({ by }) => by));
  const kept = edited.filter(({ by }) => whose.has(by)).map(({ text }) => text);
  const all = before.map(({ text }) => text).join("");
  const lost = attributeEdit([{ by: "person", text: kept.join("") }], all) ?? [];
  return listed(
    lost.filter(({ by }) => by === "edit"),
    MAX_SHOWN,
  );
}

function listed(passages: readonly Passage[], max: number): string {
  const words = passages.filter(({ text }) => isWord(text)).map(({ text }) => text.trim());
  const text = words.join(" … ");
  return text.length > max ? `${text.slice(0, max)}…` : text;
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

/** The text without what was taken out; the gaps that this leaves close. */
export function withoutTakenOut(segments: readonly Segment[], takenOut: readonly string[]): string {
  const kept = segments.filter((segment) => !isTakenOut(segment, takenOut));
  const text = kept.map((segment) => segment.text).join("");
  if (kept.length === segments.length) return text;
  return text
    .replace(/ +([,.;:!?])/g, "$1")
    .replace(/ {2,}/g, " ")
    .trim();
}

/** How much of a text is not the person's: words of the network among all words, in per cent; some is never none. */
export function shareOf(passages: readonly Passage[]): number {
  const count = (from: readonly Passage[]) => from.flatMap(({ text }) => tokens(text)).filter(isWord).length;
  const all = count(passages);
  const networks = count(passages.filter(({ by }) => by === "network"));
  return networks === 0 ? 0 : Math.max(1, Math.round((networks / all) * 100));
}
