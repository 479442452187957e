import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import { as, holdsDigits, NOT_COUNTED, type Pii, SEPARATOR, type Span, spans } from "./spans.ts";

type Country = "US" | "GB" | "DE" | "FR" | "AU" | "JP" | "IN";
function isRealNumber(text: string, country?: Country): boolean {
  return (
    BRITISH_MOBILE.test(text.replace(/[ ().-]/g, "")) || (parsePhoneNumberFromString(text, country)?.isValid() ?? false)
  );
}
/**
 * Matches every British mobile number. The library's tables leave out the numbers that nobody has yet, which people
 * use in examples.
 */
const BRITISH_MOBILE = /^(?:(?:\+|00)44\(?0?\)?|0)7[1-9]\d{8}$/;

const BEFORE = String.raw`(?<![\w.]|\d[-/:])`;
const AFTER = String.raw`(?!\w|\.\d|[-/:]\d)`;
const CHINA = String.raw`(?:\(?(?:\+|00)?86\)?[ -]{0,2})?`;
const GROUPS = String.raw`1[3-9]\d(?:(?<s>[ .-]?)\d{4}\k<s>\d{4}|[ -]\d{3}[ -]\d{5}|[ -]\d{8})|1[3-9]\d{2}[ -]\d{3}[ -]\d{4}|1[3-9]\d{4}[ -]\d{5}`;
/**
 * Allows another mobile number directly before a mobile number, as in "…/…". `AFTER_MOBILE` also allows "…wx同号",
 * which people write directly after their number.
 */
const NEXT_TO_MOBILE = String.raw`(?<![\w.]|(?<!1[3-9]\d{8})\d[-/:])`;
const AFTER_MOBILE = String.raw`(?!(?!wx|vx|v信|qq|ext)\w|\.\d|[-/:](?!1[3-9]\d{9})\d)`;
const MOBILE = new RegExp(`${NEXT_TO_MOBILE}(?<![$¥€£] ?)${CHINA}(?:${GROUPS})${AFTER_MOBILE}${NOT_COUNTED}`, "gi");

/**
 * The Chinese numerals. `SPACED` and `SPELLED` match numbers that are hidden from robots, by a sign between any two
 * digits or by a numeral for at least one digit.
 */
const NUMERAL = "零〇一幺二两三四五六七八九壹贰叁肆伍陆柒捌玖";
const SPACED = /(?<![\w.]|\d[ .-])1(?<s>[ .-])[3-9](?:\k<s>\d){9}(?!\w|[ .-]\d)/g;
const SPELLED = new RegExp(
  String.raw`(?<![\d${NUMERAL}])(?=[\d -]{0,20}[${NUMERAL}])[1一幺壹][ -]?[3-9三四五六七八九叁肆伍陆柒捌玖](?:[ -]?[\d${NUMERAL}]){9}(?![ -]?[\d${NUMERAL}])`,
  "g",
);

const AREA = "0(?:10|2\\d|[3-9]\\d{2})";
const EXTENSION = String.raw`(?: {0,2}(?:转|ext\.?|x|#|-) {0,2}\d{1,5})?`;
const LANDLINE = new RegExp(
  String.raw`${BEFORE}(?:\(?(?:\+|00)?86\)?[ -]{0,2})?(?:\(${AREA}\) ?|${AREA}[ -]{0,2})[2-9]\d{2,3}[ -]?\d{4}${EXTENSION}${AFTER}`,
  "g",
);
const SERVICE = new RegExp(String.raw`${BEFORE}[48]00-\d{3}-?\d{4}${AFTER}|${BEFORE}[48]00-\d{4}-\d{3}${AFTER}`, "g");
const AMERICAN = new RegExp(
  String.raw`${BEFORE}(?:1[ .-]?)?(?:\([2-9]\d{2}\) ?\d{3}[.-]|[2-9]\d{2}(?<s>[.-])\d{3}\k<s>)\d{4}${AFTER}`,
  "g",
);

const LABEL =
  "(?:电话|電話|手机|手機|座机|固话|总机|传真|传呼|联系方式|联系号码|热线|致电|拨打|(?<![a-z])(?:whats ?app|telephone|tel\\.?|ph(?=[.:# ]{1,2}[(\\d])|phone|mobile|cell(?:phone)?|fax|telefone?|mobil|handy|(?:call|text|ring|dial|reach) (?:me|us)(?: at| on)?|(?:call|ring|dial|text)(?: at| on)?(?! ?[:=|#])|(?:call|ring|dial|text|phone|reach)(?: [a-z]{1,15}){1,3} (?:at|on)))";
const LABELLED = new RegExp(
  String.raw`${LABEL}${SEPARATOR}(?<value>\+?\(?\d[\d ().-]{5,18}\d)(?!\w)${NOT_COUNTED}`,
  "gi",
);
/** Matches British numbers in the groups that are usual there. */
const BRITISH = /(?<![\w.]|\d[ -])\(?0[127]\d{1,4}\)? \d{3,4} ?\d{3,4}(?![\w-]|[ .]\d)/g;
/** Matches mobile numbers of Japan, Australia, Germany and France in the groups that are usual there. */
const GROUPED =
  /(?<![\w.+]|\d[ -])(?:0[789]0-\d{4}-\d{4}|04\d{2} \d{3} \d{3}|01[567]\d[ /]\d{7,8}|0[67](?:[ .]\d{2}){4})(?![\w-]|[ .]\d)/g;
/**
 * Matches anything as long as a phone number without its country. A match counts only beside a word such as "phone"
 * or "call".
 */
const NATIONAL =
  /(?<![\w.+]|\d[ /:-])\(?(?:0\d(?:[ ().-]{0,2}\d){7,9}|[2-9]\d{2}(?<s>[ .-]?)\d{3}\k<s>\d{4}|[6-9]\d{4} ?\d{5})(?!\w|[ .:/-]{1,2}\d)/g;
const COUNTRIES: readonly Country[] = ["US", "GB", "DE", "FR", "AU", "JP", "IN"];
const DIALLED = String.raw`(?:(?:tele)?phone|tel|ph|mob(?:ile)?|cell|landline|fon|handy|mobil|call|ring|dial|te?xt|sms|whats ?app|(?:direct|land) ?line|(?:my|our|his|her|new|contact|phone) (?:number|no\.?))`;
const SAID_BEFORE = new RegExp(String.raw`(?<![a-z-])${DIALLED}(?![a-z-])[^\d\n;]{0,32}$`, "i");
const SAID_BEHIND =
  /^,? {0,2}\(?(?:is |= ?|on )?(?:my |our |the |his |her )?(?:mobile|cell|landline|phone|mob|whats ?app)(?![a-z-])/i;
/** Matches a number in a signature, after a single letter that says what the number is. */
const INITIALLED = /(?<![\w.])[TMPCDF][.:] {0,2}(?<value>\+?\(?\d(?:[ ().-]{0,2}\d){8,12})(?![\w-]|[ .]\d)/g;
/**
 * Matches a number in Singapore's form after "HP", which means a mobile phone there. Elsewhere HP is a maker of
 * printers.
 */
const HANDPHONE = /(?<![A-Za-z])(?:HP|H\/P)[ :.]{1,3}(?<value>[89]\d{3} ?\d{4})(?![\w-]|[ .]\d)/g;
/** Matches an extension after a number, in any country. */
const BEHIND = /^,? {0,2}(?:ext\.?|extension|分机|转) {0,2}\d{1,5}(?!\w)/i;
const INTERNATIONAL = /(?<![\w+.])(?:\+|00)[1-9][\d ().-]{5,24}(?<=\d)/g;

/**
 * Finds phone numbers in folded text: Chinese numbers by their own plan (also with numerals for digits), numbers of
 * other countries with a + or 00, and American numbers in their usual form.
 */
export function findPhones(text: string): Pii[] {
  const spelled = spans(text, SPELLED);
  if (!holdsDigits(text, 2)) return as("phone", spelled);
  const read = ({ start, end }: Span) => text.slice(start, end);
  const written = [MOBILE, SPACED, LANDLINE, SERVICE, AMERICAN, GROUPED, INITIALLED, HANDPHONE].flatMap((pattern) =>
    spans(text, pattern),
  );
  const labelled = spans(text, LABELLED).filter((span) => isDialled(read(span)));
  const international = spans(text, INTERNATIONAL).flatMap((span) => realNumber(text, span));
  const british = spans(text, BRITISH).filter((span) => isRealNumber(read(span), "GB"));
  const national = spans(text, NATIONAL).filter(
    (span) => isNamed(text, span) && COUNTRIES.some((country) => isRealNumber(read(span), country)),
  );
  const found = [...british, ...national, ...spelled, ...written, ...labelled, ...international];
  return as(
    "phone",
    found.map(({ start, end }) => ({ start, end: end + (BEHIND.exec(text.slice(end, end + 20))?.[0].length ?? 0) })),
  );
}

/**
 * Returns whether a word such as "phone" or "call" stands before the number in its clause, or directly after the
 * number.
 */
const isNamed = (text: string, { start, end }: Span): boolean =>
  SAID_BEFORE.test(text.slice(Math.max(0, start - 48), start)) || SAID_BEHIND.test(text.slice(end, end + 32));

/** Returns whether a number ends in seven zeros, as billions of something do. */
const isRound = (number: string): boolean => /0{7}$/.test(number);
const DATE = /^(?:19|20)\d{2}[-. ]\d{1,2}[-. ]\d{1,2}(?!\d)/;
const DECIMALS = /^\d{1,3}\.\d{1,2}(?: ?- ?\d|$)/;
const RANGE = /^(\d{2,6}) ?- ?(\d{2,6})$/;
const YEAR = /^(?:19|20)\d{2}$/;
const ROUND_PRICE = /(?:0|[68]8|99)$/;

/**
 * Returns whether a value after "手机" or "phone" is a number to dial. Dates, sizes, ranges of prices and years also
 * follow these words.
 */
function isDialled(value: string): boolean {
  if (isRound(value) || DATE.test(value) || DECIMALS.test(value)) return false;
  const [, from, to] = RANGE.exec(value) ?? [];
  if (from === undefined || to === undefined || Number(from) > Number(to)) return true;
  const areBoth = (pattern: RegExp) => pattern.test(from) && pattern.test(to);
  return from.startsWith("0") || (!areBoth(YEAR) && !areBoth(ROUND_PRICE));
}

/**
 * Returns the longest beginning of a span that is a valid number somewhere in the world, because the digits after it
 * may belong to something else.
 */
function realNumber(text: string, { start, end }: Span): Span[] {
  for (let stop = end; stop - start > 7; stop--) {
    if (!/\d/.test(text.charAt(stop - 1)) || /\w/.test(text.charAt(stop))) continue;
    if (isRealNumber(text.slice(start, stop).replace(/^00/, "+"))) return [{ start, end: stop }];
  }
  return [];
}
