import { as, type Pii, type Span, spans } from "./spans.ts";

const HAN = String.raw`\u3400-\u4DBF\u4E00-\u9FFF`;
const DOMAIN = String.raw`(?:[A-Za-z0-9${HAN}-]{1,63}\.){1,8}(?:[A-Za-z]{2,24}|xn--[A-Za-z0-9-]{2,40}|中国|中國|公司|网络|网址|在线|香港|台湾|台灣)(?![A-Za-z0-9-])`;
/** Matches the name of a systemd unit file, which may hold an @. */
const UNIT_FILE = /\.(?:service|socket|timer|target|mount|slice)$/;
/** Matches the beginning of a URL with a login, because the end of `//user:password@host` looks like an address. */
const LOGIN = /:\/\/[^\s/@]{1,60}:$/;
/**
 * Matches the @ of an address, but not the @ in the version of a package or in the name of a picture such as
 * `icon@2x.png`.
 */
const AT = String.raw`@(?!\d+\.\d|\dx\.)`;

/**
 * Matches a plain address. The lookbehinds make sure that a run of characters is tried only once, however long it is,
 * and that `//user@host` counts as a login.
 */
const PLAIN = new RegExp(
  String.raw`(?<![\w.+%-]|[\w.+%-]'|:\/\/)[\w.+%-]+(?:'[\w.+%-]+)?(?:${AT}| {1,2}@ {1,2}(?!\d))${DOMAIN}`,
  "g",
);
const HAN_NAME = new RegExp(`[${HAN}]{1,6}${AT}${DOMAIN}`, "g");
/**
 * Matches Chinese words that lead to an address. Chinese has no spaces, so these words would otherwise count as part
 * of the address.
 */
const LEADING = /^.{0,4}?(?:邮箱|邮件|信箱|联系|写信|发送|[发寄][到至给往])(?:邮箱|邮件|地址)?[是为到至给往]?/;

const BRACKET_AT = String.raw` ?[([{<「] ?(?:at|@|艾特) ?[)\]}>」] ?`;
const BRACKET_DOT = String.raw` ?[([{<「] ?(?:dot|点|\.) ?[)\]}>」] ?`;
const NAME = String.raw`[\w+%-]{1,64}`;
const DOT = String.raw`(?:\.|${BRACKET_DOT}| dot )`;
/**
 * Matches the name before the sign, which may consist of several parts with dots between them. Each part is tried
 * only from its start.
 */
const START = String.raw`(?<![\w.+%-])${NAME}(?:${DOT}${NAME}){0,3}`;
const IN_BRACKETS = new RegExp(
  String.raw`${START}${BRACKET_AT}[A-Za-z0-9-]{1,63}(?:${DOT}[A-Za-z0-9-]{1,63}){0,3}${DOT}[A-Za-z]{2,24}(?![\w-])`,
  "gi",
);
/**
 * Matches an address in words, such as "ada at example dot com". The ending must not be a word, because "at" and
 * "dot" also occur in sentences.
 */
const IN_WORDS = new RegExp(
  String.raw`${START} at [A-Za-z0-9-]{1,63}(?:(?:\.| dot )[A-Za-z0-9-]{1,63}){0,3} dot (?:com|net|org|edu|gov|info|io|dev|app|cn|hk|tw|jp|kr|sg|uk|de|fr|eu|ca|au|nz|ch)(?![\w-])`,
  "gi",
);

/**
 * Matches an address with "at" and any ending. The name must not be a word, because a sentence may hold "look at
 * example.com".
 */
const AT_DOMAIN =
  /(?<![\w.+%-])(?=[\w-]{1,64}[._\d])[a-z][\w+%-]{0,63}(?:\.[\w+%-]{1,64}){0,3} at (?:[A-Za-z0-9-]{1,63}(?:\.| dot )){1,4}[A-Za-z]{2,24}(?![\w-])/gi;
/** Matches an address such as "zhangsan艾特example点com", in which Chinese characters stand for the signs. */
const IN_CHARACTERS =
  /(?<![\w.+%-])[\w+%-][\w.+%-]{0,63} ?(?:艾特|圈a) ?[A-Za-z0-9-]{1,63}(?: ?[.点] ?[A-Za-z0-9-]{1,63}){0,3} ?[.点] ?[A-Za-z]{2,24}(?![\w-])/gi;
/** Matches words that say which sign stands for the @. */
const STANDS_FOR_AT =
  /(?<sign>[#$&*!~])["')\]]? ?(?:换成|改成|替换[成为]|换为|改为|代替|→|->|with|is|means|=) ?["'([]?@/;
const replaced = (sign: string): RegExp => new RegExp(String.raw`(?<![\w.+%-])[\w.+%-]{1,64}[${sign}]${DOMAIN}`, "g");

/**
 * Matches a part of every address in brackets. This pattern is tried first, because the whole pattern costs
 * milliseconds.
 */
const BRACKET_HINT = /[([{<「] ?(?:at|@|艾特)/i;

/**
 * Finds e-mail addresses in folded text, including those with Chinese names and those hidden from robots as "(at)" or "
 * at … dot …".
 */
export function findEmails(text: string): Pii[] {
  const bracketed = BRACKET_HINT.test(text) ? spans(text, IN_BRACKETS) : [];
  const worded = / at /i.test(text)
    ? [...(/ dot /i.test(text) ? spans(text, IN_WORDS) : []), ...spans(text, AT_DOMAIN)]
    : [];
  const characters = /艾特|圈a/i.test(text) ? spans(text, IN_CHARACTERS) : [];
  const hidden = [...bracketed, ...worded, ...characters];
  if (!text.includes("@")) return as("email", hidden);
  const sign = STANDS_FOR_AT.exec(text)?.groups?.sign;
  const isAddress = ({ start, end }: Span) =>
    !UNIT_FILE.test(text.slice(start, end)) && !LOGIN.test(text.slice(Math.max(0, start - 64), start));
  const plain = [
    ...spans(text, PLAIN).filter(isAddress),
    ...hidden,
    ...(sign === undefined ? [] : spans(text, replaced(sign))),
  ];
  return as("email", [...plain, ...spans(text, HAN_NAME).map((span) => withoutLead(text, span))]);
}

function withoutLead(text: string, { start, end }: Span): Span {
  const lead = LEADING.exec(text.slice(start, text.indexOf("@", start)))?.[0].length ?? 0;
  return { start: text.charAt(start + lead) === "@" ? start : start + lead, end };
}
