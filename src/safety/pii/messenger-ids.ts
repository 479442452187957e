import { as, NOT_COUNTED, type Pii, SEPARATOR, spans } from "./spans.ts";

const IN_CHINESE = "微信(?:号码?|id|账号|帐号|號|搜索?)?|[薇威]信号?|v信|(?:加|➕|(?<!\\w)\\+) ?v(?:信|x)?";
const IN_LATIN = "(?<![a-z])(?:wechat|weixin|wx|vx)(?: ?(?:id|号|account))?";
const MOBILE = String.raw`1[3-9]\d{9}`;
/** Six to twenty letters, digits, underscores and dashes, a letter first: what Tencent allows. */
const ID = String.raw`[a-z][\w-]{5,19}(?![\w-])`;
/** A digit or an underscore in it: no word of a sentence. */
const UNLIKE_A_WORD = String.raw`(?=[a-z-]{1,19}[\d_])`;
const TECHNOLOGY = String.raw`(?!(?:oauth|python|android|ios|windows|html|https?|sdk|api|node|java|vue|react|php|web|v\d)[\d._-]*(?![\w-]))`;
const WORDS =
  "(?!(?:required|optional|string|number|official|accounts?|payments?|available|unavailable|preferred|please|friends?|moments|groups?|support|development|integration|marketing|automation|ecosystem|operations?|platform|mini-?programs?)(?![\\w-]))";

/** With nothing but a space between, only what cannot be a word is an id. */
const UNMARKED = new RegExp(
  String.raw`(?:(?:${IN_CHINESE}) {0,2}|(?:${IN_LATIN}) {1,2})(?<value>${MOBILE}(?!\w)|${TECHNOLOGY}${UNLIKE_A_WORD}${ID})`,
  "gi",
);
const MARK = `(?=["'*]{0,2} {0,2}(?:[:=|是为為([「“]|is |- )|(?<=id|号|號) {0,2})`;
const MARKED = new RegExp(
  String.raw`(?:${IN_CHINESE}|${IN_LATIN})${MARK}${SEPARATOR}(?<value>${MOBILE}(?!\w)|${TECHNOLOGY}${UNLIKE_A_WORD}${ID}|${WORDS}${TECHNOLOGY}${ID}(?! [a-z]))`,
  "gi",
);
/** What WeChat itself gives out. */
const GIVEN = /(?<!\w)wxid_\w{6,24}(?!\w)/gi;
const QQ = new RegExp(
  String.raw`(?:(?<![a-z])q ?q(?:\/tim)?|扣扣|球球|加q|企鹅号?|(?<!\w)q(?=:))(?: ?(?:号码?|群号?|账号|id))?${SEPARATOR}(?<value>[1-9]\d{4,10}|[1-9]\d{2}(?:[ -]\d{3}){2})(?!\w|[-.]\d)${NOT_COUNTED}`,
  "gi",
);

/** What no label is without; tried first, because the whole patterns cost milliseconds. */
const HINT = /信|加|[➕+]|wx|vx|we(?:chat|ixin)|q ?q|q[:号]|扣扣|球球|企鹅/i;

/** WeChat ids and QQ numbers in folded text, behind their label. */
export const findMessengerIds = (text: string): Pii[] => (HINT.test(text) ? findLabelled(text) : []);

const findLabelled = (text: string): Pii[] => [
  ...as(
    "wechat",
    [UNMARKED, MARKED, GIVEN].flatMap((pattern) => spans(text, pattern)),
  ),
  ...as("qq", spans(text, QQ)),
];
