export interface Span {
  start: number;
  end: number;
}

export type PiiKind = "email" | "phone" | "resident_id" | "passport" | "bank_card" | "wechat" | "qq" | "address";

/** A piece of personal data in a text, as UTF-16 offsets into that text. */
export interface Pii extends Span {
  kind: PiiKind;
}

/**
 * Returns the text with full-width forms and other kinds of digits, dashes and spaces as ASCII. The length stays the
 * same, so that offsets remain valid.
 */
export const foldAscii = (text: string): string =>
  text.replace(
    /[\p{Zs}\u00AD\u0660-\u0669\u06F0-\u06F9\u2010-\u2015\u2018\u2019\u2212\u2800\u3010\u3011\uFE63\uFF01-\uFF5E]/gu,
    (c) => {
      const code = c.charCodeAt(0);
      if (code >= 0xff01) return String.fromCharCode(code - 0xfee0);
      if (code >= 0x0660 && code <= 0x06f9) return String(code & 0xf);
      if (code === 0x2018 || code === 0x2019) return "'";
      if (code === 0x3010) return "[";
      if (code === 0x3011) return "]";
      return /[\p{Zs}\u2800]/u.test(c) ? " " : "-";
    },
  );

/**
 * Matches only the empty text. In a longer pattern, V8 then compiles what follows once, and not again for each
 * alternative before it. Without this, one pattern took 40 ms when it was first tried on Chinese text, and blocked
 * everything else.
 */
const ONCE = String.raw`[^\s\S]*`;

/** Matches what may stand between a label and its value: "号码：", "number is", `": "`, " | ", "（", "(微信同号)：", "就是". */
export const SEPARATOR = [
  "",
  String.raw`(?:,? ?(?:号码?|號碼?|字號|number|num|no\.?|id))?["'*]{0,2}`,
  String.raw`(?: ?\((?!\d)[^()\n\d]{1,16}\)(?= ?[:=]))?`,
  "(?:给你|发你|留[一个下]{0,3}|如下|信息|备用|常用)?",
  "(?:,? (?:mine|ours|it|his|hers)(?= is|'s))?",
  String.raw`(?: {0,2}(?:[:=#|→]|[就也]?是|叫|为|為|(?:is|was|'s)(?= )|-(?= ))){0,2} {0,2}["'*(\[「“]{0,2}`,
  "",
].join(ONCE);

/** Requires that no unit or currency follows a number, because such a number counts or costs something. */
export const NOT_COUNTED = String.raw`(?! {0,2}(?:[韩日港美欧台]?元|块|万|亿|円|人民币|次|个|個|条|人|位|名(?!下)|级|首|张|部|台|件|只(?![收接能用限发回])|份|版|像素|粉丝|用户|多|以内|以上|左右|字节|公里|英寸|毫安|mAh\b|px\b|tokens?\b|bytes?\b|users?\b|events?\b|requests?\b|records?\b|rows?\b|views?\b|visits?\b|items?\b|orders?\b|pcs\b|pixels?\b|copies\b|times\b|per\b|USD\b|EUR\b|RMB\b|CNY\b|HKD\b|yuan\b|ms\b|[KMG]i?B\b|%))`;

/**
 * Returns the span of every match. If the pattern has a group `value`, only the group counts, because a label is not
 * personal.
 */
export const spans = (text: string, pattern: RegExp): Span[] =>
  [...text.matchAll(pattern)].map((match) => {
    const value = match.groups?.value ?? match[0];
    // A value stands at the end of its match, after the label.
    const start = match.index + match[0].lastIndexOf(value);
    return { start, end: start + value.length };
  });

/**
 * Returns whether a text holds at least `count` digits. Callers check this first, because patterns cost milliseconds
 * before their first match.
 */
export function holdsDigits(text: string, count: number): boolean {
  let found = 0;
  for (let at = 0; at < text.length && found < count; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39) found++;
  }
  return found === count;
}

/** Returns spans as findings of one kind. */
export const as = (kind: PiiKind, found: Span[]): Pii[] => found.map((span) => ({ kind, ...span }));
