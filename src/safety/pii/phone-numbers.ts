import { createRequire } from "node:module";
import type { parsePhoneNumberFromString } from "libphonenumber-js/min";
import { type Pii, type Span, spans } from "./spans.ts";

/** All that looks like one, before the library says whether it is: its tables cost 20 ms, so they are loaded at need. */
let parse: typeof parsePhoneNumberFromString | undefined;
function isRealNumber(text: string, country?: "US"): boolean {
  parse ??= (createRequire(import.meta.url)("libphonenumber-js/min") as { parsePhoneNumberFromString: typeof parse })
    .parsePhoneNumberFromString;
  return parse?.(text, country)?.isValid() ?? false;
}

const BEFORE = String.raw`(?<![\w.]|\d[-/:])`;
const AFTER = String.raw`(?!\w|\.\d|[-/:]\d)`;
/** Money, counts and sizes are not telephones. */
const NOT_COUNTED = String.raw`(?! {0,2}(?:[韩日港美欧台]?元|块|万|亿|円|人民币|次|个|条|人|字节|公里|tokens?\b|bytes?\b|users?\b|USD\b|RMB\b|CNY\b|ms\b|[KMG]i?B\b))`;
const CHINA = String.raw`(?:(?:\(?(?:\+|00)86\)?|86)[ -]{0,2})?`;
const GROUPS = String.raw`1[3-9]\d(?:(?<s>[ .-]?)\d{4}\k<s>\d{4}|[ -]\d{3}[ -]\d{5}|[ -]\d{8})|1[3-9]\d{2}[ -]\d{3}[ -]\d{4}|1[3-9]\d{4}[ -]\d{5}`;
/** Two in a row ("…/…"), and the habit of writing "…wx同号" right behind. */
const NEXT_TO_MOBILE = String.raw`(?<![\w.]|(?<!1[3-9]\d{8})\d[-/:])`;
const AFTER_MOBILE = String.raw`(?!(?!wx|vx|v信|qq)\w|\.\d|[-/:](?!1[3-9]\d{9})\d)`;
const MOBILE = new RegExp(`${NEXT_TO_MOBILE}(?<![$¥€£] ?)${CHINA}(?:${GROUPS})${AFTER_MOBILE}${NOT_COUNTED}`, "gi");

const AREA = "0(?:10|2\\d|[3-9]\\d{2})";
const EXTENSION = String.raw`(?: {0,2}(?:转|ext\.?|x|#) {0,2}\d{1,5})?`;
const LANDLINE = new RegExp(
  String.raw`${BEFORE}(?:\(?(?:\+|00)?86\)?[ -]{0,2})?(?:\(${AREA}\) ?|${AREA}[ -]{0,2})[2-9]\d{2,3}[ -]?\d{4}${EXTENSION}${AFTER}`,
  "g",
);
const SERVICE = new RegExp(String.raw`${BEFORE}[48]00-\d{3}-?\d{4}${AFTER}|${BEFORE}[48]00-\d{4}-\d{3}${AFTER}`, "g");
const AMERICAN = new RegExp(String.raw`${BEFORE}(?:\([2-9]\d{2}\) ?|[2-9]\d{2}-)[2-9]\d{2}-\d{4}${AFTER}`, "g");

const LABEL =
  "(?:电话|電話|手机|手機|座机|固话|传真|联系方式|联系号码|热线|(?<![a-z])(?:whats ?app|telephone|tel|phone|mobile|cell(?:phone)?|fax|call me(?: at| on)?))";
const LABELLED = new RegExp(
  String.raw`${LABEL}(?: ?(?:号码?|號碼?|number|no\.?|num))?[ :=是为為]{0,4}(?<value>\+?\(?\d[\d ().-]{5,18}\d)(?!\w)`,
  "gi",
);
const INTERNATIONAL = /(?<![\w+.])(?:\+|00)[1-9][\d ().-]{5,24}(?<=\d)/g;

/** Phone numbers in folded text: Chinese ones by their own plan, others with a + or 00, American ones as written there. */
export function findPhones(text: string): Pii[] {
  const written = [MOBILE, LANDLINE, SERVICE].flatMap((pattern) => spans(text, pattern));
  const labelled = spans(text, LABELLED).filter((span) => !looksLikeDate(text.slice(span.start, span.end)));
  const american = spans(text, AMERICAN).filter((span) => isRealNumber(text.slice(span.start, span.end), "US"));
  const international = spans(text, INTERNATIONAL).flatMap((span) => realNumber(text, span));
  return [...written, ...labelled, ...american, ...international].map((span) => ({ kind: "phone", ...span }));
}

const looksLikeDate = (text: string): boolean => /^\d{4}[-. ]\d{1,2}[-. ]\d{1,2}\b/.test(text);

/** The longest beginning that is a number somewhere in the world: more digits may follow that belong to something else. */
function realNumber(text: string, { start, end }: Span): Span[] {
  for (let stop = end; stop - start > 7; stop--) {
    if (!/\d/.test(text.charAt(stop - 1)) || /\w/.test(text.charAt(stop))) continue;
    if (isRealNumber(text.slice(start, stop).replace(/^00/, "+"))) return [{ start, end: stop }];
  }
  return [];
}
