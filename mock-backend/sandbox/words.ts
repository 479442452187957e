/** What a text says to somebody who only knows words: their stems in English, their characters in Chinese. */

/** Of a longer text only this much is read. */
const MAX_CHARS = 2_000;
const STREET = "Street|St|Road|Rd|Lane|Ln|Avenue|Ave|Square|Drive|Way|Court|Close|Terrace|Boulevard|Place|Hill|Row";
/** Where somebody lives and how they are reached: a Baker Street bakes nothing. */
const ADDRESSES = [
  /\S+@\S+|https?:\/\/\S+|www\.\S+/g,
  new RegExp(String.raw`(?:\b\d+[a-z]?,?\s+)?(?:\b\p{Lu}[\p{L}'’]+\s+){1,3}(?:${STREET})\b\.?(?:\s+\d+[a-z]?)?`, "gu"),
  /\p{Lu}\p{L}+(?:straße|strasse|gasse|weg|platz)\s+\d+[a-z]?/gu,
  /\p{Script=Han}{1,5}(?:路|街|大道|巷|弄|胡同)\s*[\d一二三四五六七八九十百]+\s*(?:号|弄|巷)/gu,
  /(?<=住在?|位于|地址[是：:]?)\p{Script=Han}{1,6}?(?:路|街|大道|巷|胡同|小区|花园|苑)/gu,
  /\d+\s*(?:号楼?|栋|单元|室|楼|层)/gu,
];

/** The text without addresses. */
function withoutAddresses(text: string): string {
  return ADDRESSES.reduce((rest, address) => rest.replace(address, " "), text.slice(0, MAX_CHARS));
}

/** The stem of an English word in small letters: bakes, baked and baking are one, and so are tap and taps. */
function stem(word: string): string {
  let rest = word.replace(/['’]s?$/, "");
  if (!/(?:ss|us|is)$/.test(rest))
    rest = rest.replace(/ies$|(?<=x|ch|sh|ss)es$|s$/, (end) => (end === "ies" ? "y" : ""));
  const base = /^(.{3,})(?:ing|ed)$/.exec(rest)?.[1];
  if (base !== undefined && /[aeiouy]/.test(base) && !/^(?:wedd|even|morn|somth|dur)$|e$/.test(base)) {
    const isDoubled = /([^aeioulsz])\1$/.test(base);
    const wantsE = /^[^aeiou]*[aeiou][^aeiouwxy]$/.test(base);
    rest = isDoubled ? base.slice(0, -1) : wantsE ? `${base}e` : base;
  }
  return rest.length >= 5 ? rest.replace(/e$/, "") : rest;
}

const isHan = (text: string): boolean => /\p{Script=Han}/u.test(text);
const wordsIn = (text: string): string[] => text.toLowerCase().match(/[a-z0-9]+(?:['’][a-z]+)?|[.,;:!?()\n]/g) ?? [];
const compact = (text: string): string => text.toLowerCase().replace(/\s+/g, "");

/** How much a word counts: what is asked for, what stands beside it, and what the person says of themselves. */
const ASKED = 1.4;
const BESIDE = 0.55;
const OF_ONESELF = 0.3;
/** Whoever asks for something in so many words describes themselves in the rest: what they run, whom they live with. */
const CIRCUMSTANCE = 0.4;

const CUES = new Set(
  "need seek search look find want hire anyon anybody someon somebody who help recommend borrow learn".split(" "),
);
const ENDS = new Set("because sinc so while when as but after befor until that which".split(" "));
/** Behind these stands what it is done to, once it is said what is wanted. */
const OWNED = new Set("my our his her their".split(" "));
const SIDES = new Set("for in near at from of with by on".split(" "));

interface Weighed {
  weight: number;
  /** Which of the things asked for it belongs to, counted from 1; 0 where it is not asked for. */
  request: number;
}

/** The words of an English text, with what each counts. */
function weighedWords(text: string): (Weighed & { stem: string })[] {
  let request = 0;
  let isRequest = false;
  let asked = 0;
  let beside = 0;
  let isSelf = false;
  let left = 0;
  const read: (Weighed & { stem: string })[] = [];
  const tokens = wordsIn(text);
  for (const [i, token] of tokens.entries()) {
    const one = stem(token);
    const before = tokens[i - 1] ?? "";
    asked -= 1;
    beside -= 1;
    left -= 1;
    if (/^\W$/.test(token)) {
      asked = beside = left = 0;
      isSelf = false;
      isRequest &&= token === ",";
    } else if (
      (CUES.has(one) && (one !== "who" || isRequest || /^[.;:!?\n]?$/.test(before))) ||
      (/^(?:and|plus|,)$/.test(before) && isRequest && /^(?:an?|some)$/.test(token))
    ) {
      if (asked < 6 || token === "a" || token === "an") request += 1; // not the second word of "need somebody"
      isRequest = true;
      asked = 8;
      isSelf = false;
    } else if (ENDS.has(one)) asked = 0;
    else if ((SIDES.has(token) && !CUES.has(stem(before))) || (OWNED.has(token) && asked > 0)) [asked, beside] = [0, 5];
    else if (/^an?$/.test(token) && /^(?:am|i['’]m|is|as)$/.test(before) && tokens[i - 2] !== "there") isSelf = true;
    else if (/^(?:instead|except|rather)$/.test(token)) left = 4;
    read.push({
      stem: one,
      weight: isSelf || left > 0 ? OF_ONESELF : asked > 0 ? ASKED : beside > 0 ? BESIDE : 1,
      request: asked > 0 ? request : 0,
    });
  }
  return withinCircumstances(read);
}

/** The same, where what is asked for stands in it: what does not belong to it counts little. */
const withinCircumstances = <T extends Weighed>(read: T[]): T[] =>
  read.some(({ request }) => request > 0)
    ? read.map((one) => (one.request > 0 ? one : { ...one, weight: Math.min(one.weight, CIRCUMSTANCE) }))
    : read;

const ZH_ASKED =
  /(?:找|请|求|需要|想要|想学|招|有没有|谁会|谁能|帮|想|(?:和|以及|还有|、|再)(?=一[位个名]))(?:(?!(?:和|以及|还有|、|再)一[位个名])[^，。；！？,.;!?\n])*/g;
const ZH_ONE_OF_SEVERAL = /(?:(?!和|以及|还有|、).)+(?:和|以及|还有|、)?/g;
const ZH_OF_ONESELF = /(?:我是|本人是?|我们是|不要|不是|除了)[^，。；！？,.;!?\n]{0,12}/g;

/** What each character of a Chinese text counts. */
function weighedCharacters(text: string): Weighed[] {
  const read = Array.from({ length: text.length }, (): Weighed => ({ weight: 1, request: 0 }));
  let request = 0;
  for (const { 0: part, index } of text.matchAll(ZH_ASKED))
    for (const { 0: one, index: at } of part.matchAll(ZH_ONE_OF_SEVERAL)) {
      request += 1;
      read.fill({ weight: ASKED, request }, index + at, index + at + one.length);
    }
  for (const { 0: part, index } of text.matchAll(ZH_OF_ONESELF))
    read.fill({ weight: OF_ONESELF, request: 0 }, index, index + part.length);
  return withinCircumstances(read);
}

export interface Found<T> extends Weighed {
  form: string;
  /** Who or what goes by it. */
  of: readonly T[];
}

/** Words, and what goes by each of them. */
export class Glossary<T> {
  readonly #forms = new Map<string, T[]>();
  #longest = { words: 1, characters: 1 };

  /** Words or phrases, parted by commas. */
  add(list: string, of: T): void {
    for (const said of list.split(",").filter((one) => one.trim() !== "")) {
      const form = formOf(said);
      if (isHan(said)) this.#longest.characters = Math.max(this.#longest.characters, form.length);
      else this.#longest.words = Math.max(this.#longest.words, form.split(" ").length);
      const known = this.#forms.get(form) ?? [];
      if (!known.includes(of)) known.push(of);
      this.#forms.set(form, known);
    }
  }

  /** Every known word of the text, but for those that stand within a longer one: a washing machine is no washing. */
  foundIn(text: string): Found<T>[] {
    const said = withoutAddresses(text);
    const words = weighedWords(said);
    const characters = compact(said);
    const weighed = weighedCharacters(characters);
    const inWords = this.#spans(words.length, this.#longest.words, (from, to) =>
      words
        .slice(from, to)
        .map((word) => word.stem)
        .join(" "),
    );
    const inCharacters = this.#spans(characters.length, this.#longest.characters, (from, to) => {
      const part = characters.slice(from, to);
      return isHan(part) ? part : "";
    });
    const best = new Map<string, Found<T>>();
    const keep = (form: string, parts: readonly Weighed[], length: number) => {
      const part = parts.reduce((most, one) => (one.weight > most.weight ? one : most));
      const weight = part.weight * length;
      if ((best.get(form)?.weight ?? 0) >= weight) return;
      best.set(form, { form, weight, request: part.request, of: this.#forms.get(form) ?? [] });
    };
    for (const { form, from, to } of inWords) keep(form, words.slice(from, to), 1 + 0.5 * (to - from - 1));
    for (const { form, from, to } of inCharacters)
      keep(form, weighed.slice(from, to), Math.min(1.3, 0.7 + 0.15 * (to - from)));
    return [...best.values()];
  }

  #spans(length: number, longest: number, formAt: (from: number, to: number) => string) {
    const found: { form: string; from: number; to: number }[] = [];
    let covered = 0;
    for (let from = 0; from < length; from++)
      for (let to = Math.min(length, from + longest); to > from; to--) {
        if (to <= covered) break; // within a longer one that began before
        const form = formAt(from, to);
        if (!this.#forms.has(form)) continue;
        found.push({ form, from, to });
        covered = to;
        break;
      }
    return found;
  }
}

/** A word as it is kept: by its stems, or by its characters where it holds Chinese ones. */
const formOf = (said: string): string => (isHan(said) ? compact(said) : wordsIn(said).map(stem).join(" "));
