import { findPii } from "./pii.ts";
import { foldAscii, type PiiKind, SEPARATOR, type Span, spans } from "./spans.ts";

/**
 * The kinds of personal data that are named to the person before a text goes out, but that are not masked in what
 * others wrote. A date of birth, and a name in a messenger or a network, say who somebody is, but nobody can act on
 * them unasked.
 */
export type NamedKind = "birth_date" | "dingtalk" | "feishu" | "telegram" | "linkedin" | "wechat";

const MONTH = "(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]{0,6}";
/** The patterns of a date with at least a month, because a year alone says no more than an age. */
const DATE = [
  String.raw`(?:19|20)\d{2} ?[年./-] ?\d{1,2}(?: ?[月./-] ?\d{1,2} ?[日号]?| ?月(?:份)?)?`,
  String.raw`\d{2} ?年 ?\d{1,2} ?月(?: ?\d{1,2} ?[日号])?`,
  String.raw`\d{1,2} ?月 ?\d{1,2} ?[日号]`,
  String.raw`\d{1,2}[./-]\d{1,2}[./-](?:19|20)\d{2}`,
  String.raw`\d{1,2}(?:st|nd|rd|th)? (?:of )?${MONTH},? (?:19|20)\d{2}`,
  String.raw`${MONTH} \d{1,2}(?:st|nd|rd|th)?,? (?:19|20)\d{2}`,
  String.raw`(?:19|20)\d{6}`,
].join("|");
const BORN = new RegExp(
  String.raw`(?:出生(?:年月日?|日期|时间|日|于|在)?|生日|生于|诞生于|(?<![a-z])(?:date of birth|birth ?date|birthday|d\.?o\.?b\.?|born(?: on| in)?))${SEPARATOR}(?<value>${DATE})(?!\d)`,
  "gi",
);
const BORN_AFTER = new RegExp(String.raw`(?<value>${DATE}) ?(?:出生|生(?=[,。;、!|\s)]|$)|生人)`, "gim");

/**
 * Matches a name in a messenger. `TELLING` matches one only after a colon or a similar sign, after an @, or if the
 * name holds a digit or an underscore.
 */
const HANDLE = String.raw`@?[a-z\d][\w.-]{3,40}`;
const TELLING = String.raw`(?:(?<=[:=是为@#搜加] {0,2}["'(\[「“]{0,2})${HANDLE}|@${HANDLE}|(?=[a-z.-]{0,30}[\d_])${HANDLE})`;
const labelled = (label: string) =>
  new RegExp(
    String.raw`(?:${label})(?: ?(?:账号|帐号|搜索?|加|handle|username))?${SEPARATOR}(?<value>${TELLING})(?![\w-])`,
    "gi",
  );
const SAME = "(?:也|都|均)?(?:同|是|就是|即|=) ?(?:上|号|(?:我的?|本人|此|这个)?(?:手机|电话|mobile|phone)号?码?)";

const HANDLES: readonly [NamedKind, readonly RegExp[]][] = [
  [
    "dingtalk",
    [labelled("钉钉|釘釘|(?<![a-z])ding ?talk"), new RegExp(`(?:钉钉|ding ?talk)(?:号|id)? ?${SAME}`, "gi")],
  ],
  [
    "feishu",
    [labelled("飞书|飛書|(?<![a-z])(?:feishu|lark)"), new RegExp(`(?:飞书|feishu|lark)(?:号|id)? ?${SAME}`, "gi")],
  ],
  [
    "telegram",
    [
      labelled("电报|電報|纸飞机|(?<![a-z])(?:telegram|tg)"),
      /(?<![\w.])(?:t|telegram)\.me\/\+?\w{3,40}/gi,
      new RegExp(`(?:电报|telegram|(?<![a-z])tg)(?:号|id)? ?${SAME}`, "gi"),
    ],
  ],
  ["linkedin", [/(?<![\w-])linkedin\.(?:com|cn)\/(?:in|pub)\/[\w%-]{2,100}/gi, labelled("领英|(?<![a-z])linked ?in")]],
  ["wechat", [new RegExp(`(?:微 ?信|(?<![a-z])(?:wechat|weixin|vx|wx|v信))(?:号|id)? ?${SAME}`, "gi")]],
];

/**
 * Matches a part of every kind. This pattern is tried first, because the others cost milliseconds before their first
 * match.
 */
const HINT =
  /生|birth|born|d\.?o\.?b|钉|釘|ding ?talk|飞书|飛書|feishu|lark|电报|電報|纸飞机|telegram|tg|t\.me|领英|linked ?in|同|微 ?信|v ?x|wx/i;

/**
 * Returns the kinds of personal data in a text that is about to be sent, each once. The list includes kinds that are
 * masked in what others wrote and kinds that are only named.
 */
export const personalKinds = (text: string): (PiiKind | NamedKind)[] => [
  ...new Set([...findPii(text).map(({ kind }) => kind), ...namedKinds(text)]),
];

function namedKinds(text: string): NamedKind[] {
  const folded = foldAscii(text);
  if (!HINT.test(folded)) return [];
  const holds = (patterns: readonly RegExp[]): boolean => patterns.some((one) => spans(folded, one).some(isSomething));
  return [
    ...(holds([BORN, BORN_AFTER]) ? (["birth_date"] as const) : []),
    ...HANDLES.flatMap(([kind, patterns]) => (holds(patterns) ? [kind] : [])),
  ];
}

const isSomething = ({ start, end }: Span): boolean => end > start;
