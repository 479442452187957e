import { as, holdsDigits, NOT_COUNTED, type Pii, SEPARATOR, type Span, spans } from "./spans.ts";

/** Matches a repetition of the label in the other language, as in "微信(WeChat)". */
const GLOSS = "(?: ?[(/] ?(?:wechat|weixin|微信) ?\\)?)?";
const IN_CHINESE = `微 ?信${GLOSS}(?: ?(?:号码?|id|账号|帐号|號|搜索?)|[吧哈呀啊哦](?=:))?|微我(?:,? ?(?:我的?)? ?id)?|[薇威围徽溦] ?信号?|绿泡泡|卫星号|v信|(?:加|➕|(?<!\\w)\\+) ?(?:v(?:信|x)?|[微薇])`;
const IN_LATIN = `(?<![a-z])(?:wechat|weixin|wx|vx)(?: ?[/&] ?(?:whats ?app|line|telegram|phone|tel))?${GLOSS}(?:,? (?:and )?my)?(?: ?(?:id|号|account|handle|username))?`;
/** Matches a heart. `CUT` matches a label that is cut to one character, after which a heart or a colon must follow. */
const HEART = "(?:[❤♥💚💬]\\uFE0F?)";
const CUT = `(?:[微薇围]|(?<!\\w)v) ?(?:${HEART}{1,3} ?:?|:)`;
const MOBILE = String.raw`1[3-9]\d{9}`;
/**
 * Matches an id that Tencent allows, which has six to twenty letters, digits, underscores and dashes, and begins with
 * a letter.
 */
const ID = String.raw`[a-z][\w-]{5,19}(?![\w-])`;
/** Requires an id to hold a digit or an underscore, so that no ordinary word matches. */
const UNLIKE_A_WORD = String.raw`(?=[a-z-]{1,19}[\d_])`;
const TECHNOLOGY = String.raw`(?!(?:oauth|python|android|ios|windows|html|https?|sdk|api|node|java|vue|react|php|web|v\d)[\d._-]*(?![\w-]))`;
const WORDS =
  "(?!(?:wechat|weixin|required|optional|string|number|official|accounts?|payments?|available|unavailable|preferred|please|friends?|moments|groups?|support|development|integration|marketing|automation|ecosystem|operations?|platform|stickers?|channels?|articles?|login|api|sdk|bot|web|desktop|mini-?programs?)(?![\\w-]))";

/** Matches an id with at most spaces between the label and the id. The id must not look like a word. */
const UNMARKED = new RegExp(
  String.raw`(?:(?:${IN_CHINESE}) {0,2}|(?:${IN_LATIN})(?: {1,2}|\/))(?<value>${MOBILE}(?!\w)|${TECHNOLOGY}${UNLIKE_A_WORD}${ID})`,
  "gi",
);
const CUT_MARKED = new RegExp(
  String.raw`${CUT} {0,2}["'(\[「“]{0,2}(?<value>${MOBILE}(?!\w)|${TECHNOLOGY}${UNLIKE_A_WORD}${ID})`,
  "giu",
);
/** Matches a label in capitals with an id in small letters directly after it. */
const JOINED = /(?<![A-Za-z])(?:VX|WX)(?<value>(?=[a-z]{1,19}[\d_])[a-z][a-z\d_-]{5,19})(?![\w-])/g;
/** Matches a clause of only a label and one word, which is an id even if it looks like a word. */
const ALONE = new RegExp(
  String.raw`(?<=^|[,。;!、|/·\n] {0,2}|(?:或者?|和|(?<![a-z])(?:or|and)) {0,2})(?:(?:请?[加联系我的个人]{0,4})微信|(?<=[/·|] {0,2})wechat) {1,2}(?<value>${WORDS}${TECHNOLOGY}${ID})(?= {0,2}(?:$|[,。;!、|/·)\n]))`,
  "gim",
);
const MARK = `(?=["'*]{0,2} {0,2}(?:[:=|→是为為叫([「“]|[就也]是|is |as |- )|(?<=id|号|號) {0,2})`;
const MARKED = new RegExp(
  String.raw`(?:${IN_CHINESE}|${IN_LATIN})${MARK}(?: as )?${SEPARATOR}(?<value>${MOBILE}(?!\w)|${TECHNOLOGY}${UNLIKE_A_WORD}${ID}|${WORDS}${TECHNOLOGY}${ID}(?! [a-z]))`,
  "gi",
);
/** Matches an id that follows its label later in the sentence, as in "微信号换了，新的是…". */
const SOON = new RegExp(
  String.raw`微信号[^。;!?\n\w]{1,12}?(?:是|叫|:) {0,2}(?<value>${TECHNOLOGY}${UNLIKE_A_WORD}${ID})`,
  "gi",
);
/** Matches the ids that WeChat itself assigns. */
const GIVEN = /(?<!\w)wxid_\w{6,24}(?!\w)/gi;
const QQ = new RegExp(
  String.raw`(?:(?<![a-z])q ?q(?:\/tim)?|扣扣|加 ?扣|叩叩|抠抠|球球|加 ?q|企鹅号?|(?<!\w)q(?=号|:|我))(?:我(?= ?:))?(?: ?(?:号码?|群号?|账号|id))?${SEPARATOR}(?<value>[1-9]\d{4,10}|[1-9]\d{2}(?:[ -]\d{3}){2}|[1-9](?: \d){4,10})(?!\w|[-.]\d)${NOT_COUNTED}`,
  "gi",
);

/** Matches a part of every label. This pattern is tried first, because the whole patterns cost milliseconds. */
const HINT =
  /信|加|[➕+]|wx|vx|we(?:chat|ixin)|q ?q|q[:号我]|加 ?q|[扣叩抠]|球球|企鹅|绿泡泡|卫星号|[微薇围]|v ?[:❤♥💚💬]/iu;

/** Finds WeChat ids and QQ numbers in folded text, after their label. */
export const findMessengerIds = (text: string): Pii[] => (HINT.test(text) ? findLabelled(text) : []);

const findLabelled = (text: string): Pii[] => [
  ...as(
    "wechat",
    [UNMARKED, MARKED, CUT_MARKED, JOINED, ALONE, SOON, GIVEN].flatMap((pattern) => spans(text, pattern)),
  ),
  ...as("qq", spans(text, QQ)),
];

const CARD = /(?<![\w.-])\d(?:[ -]?\d){13,18}(?![\w-]|\.\d)/g;
const CARD_LABELLED = new RegExp(
  String.raw`(?:银行卡|储蓄卡|信用卡|卡号|账号|帐号|账户|銀行卡|帳號|(?<![a-z])(?:card|account))${SEPARATOR}(?<value>\d(?:[ -]?\d){11,23})(?!\w)${NOT_COUNTED}`,
  "gi",
);
/** Matches an account number after words that can mean nothing else, so that even the shortest numbers of banks count. */
const ACCOUNT_LABELLED = new RegExp(
  String.raw`(?:(?:银行|对公|收款|收款人)[账帐][号户]|[账帐] +号|(?<![a-z])(?:bank account|(?:account|acct\.?|a\/c)(?= ?#)|(?:account|acct\.?),? (?:number|no\.?)|acct|a\/c(?: no\.?)?|acc\.? (?:number|no\.?)|(?:sort code|bsb|swift|bic)[^\n;]{1,24}?(?:account|acc)))${SEPARATOR}(?<value>(?:[A-Z]{2,4}-)?\d(?:[ -]?\d){6,23})(?!\w)${NOT_COUNTED}`,
  "gi",
);
/** Matches an IBAN of at most thirty-four characters, written in groups of four or without spaces. */
const IBAN = /(?<![\w-])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?!\w)/gi;

/** Finds the numbers of cards and bank accounts in folded text, by issuer and checksum, else after a label. */
export function findAccounts(text: string): Pii[] {
  if (!holdsDigits(text, 2)) return [];
  const read = ({ start, end }: Span) => text.slice(start, end).replace(/[ -]/g, "").toUpperCase();
  return as("bank_card", [
    ...spans(text, CARD).filter((span) => isCard(read(span))),
    ...spans(text, IBAN).filter((span) => isIban(read(span))),
    ...spans(text, CARD_LABELLED),
    ...spans(text, ACCOUNT_LABELLED),
  ]);
}

/**
 * Matches the prefixes of real card issuers with the lengths that they use, so that a time stamp or an order number
 * is not taken for a card because it passes the Luhn check.
 */
const ISSUER =
  /^(?:4\d{15}|4\d{18}|5[1-5]\d{14}|2(?:2[2-9]|[3-6]\d|7[01])\d{13}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|35\d{14}|6(?:011|4[4-9]\d|5\d{2})\d{12}|62\d{14,17}|9[0-9]5[58]\d{12,15})$/;

function isCard(digits: string): boolean {
  if (!ISSUER.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/**
 * Returns whether an IBAN is valid (ISO 13616). The country and the check digits are moved to the end, and letters
 * count from 10. Divided by 97, the resulting number must leave 1.
 */
function isIban(written: string): boolean {
  const moved = written.slice(4) + written.slice(0, 4);
  const digits = moved.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return written.length >= 15 && [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1;
}
