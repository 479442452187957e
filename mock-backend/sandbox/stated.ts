import { languageOf } from "../formulation.ts";

/** What a demand says already, so that nobody asks for it: what a question is about, and how its answer is said. */
const N = String.raw`(?:\d+|an?|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred)`;
const ZH_N = "[\\d一二两三四五六七八九十百]+";
const ANSWERED = {
  en: [
    [
      /\bhow old\b/,
      new RegExp(
        String.raw`\b${N}[- ](?:years?|months?|weeks?)[- ]old\b|\baged? ${N}\b|\b(?:is|are|of|turns) ${N}\b(?! \w)`,
      ),
    ],
    [
      /\bhow many (?:people|guests|children|eat|are you)\b|^for how many\b/,
      new RegExp(
        String.raw`\b${N}(?: \w+)? (?:people|guests|children|kids|persons|friends|adults|players|colleagues|pupils|boys|girls|of us)\b`,
      ),
    ],
    [/\bhow many square metres\b|\bhow large\b/, /\b\d+ ?(?:m2|m²|sqm|square (?:metres|meters|feet))/],
    [/\bhow many rooms\b/, new RegExp(String.raw`\b${N} rooms\b`)],
    [/\bwhich floors?\b/, /\b(?:ground|first|second|third|fourth|fifth|top|\d+(?:st|nd|rd|th)) floor\b/],
    [/\bwhich year\b/, /\b(?:19|20)\d\d\b/],
    [
      /\bwhich class\b/,
      /\b(?:grade|class|year) \w+\b|\b(?:\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth) (?:grade|class)/,
    ],
    [
      /\bsince when\b/,
      new RegExp(String.raw`\bsince\b|\bago\b|\byesterday\b|\bfor ${N} (?:days|weeks|months|years)\b`),
    ],
    [/\bwhen was it last\b/, /\blast (?:\w+ed|done) (?:in|on|at|before|\w+ (?:years?|months?) ago)\b/],
    [/\bwhat may it cost\b/, /\bbudget\b|[£€$¥] ?\d|\d+ ?(?:euros?|dollars?|pounds?|[£€$¥])/],
    [/\bindoors or outdoors\b/, /\b(?:indoors?|outdoors?|outside|garden|park|hall|at home)\b/],
    [/\bsingles or doubles\b/, /\b(?:singles|doubles)\b/],
    [/\bonce or every week\b/, /\b(?:once|weekly|every)\b/],
    [
      /\bfrom which language\b/,
      /\b(?:from|into) (?:[a-z]+ )?(?:english|chinese|german|french|spanish|italian|japanese|korean|russian|arabic)\b/,
    ],
  ],
  zh: [
    [/几岁|多大(?![一面尺])|多大年纪/, new RegExp(`${ZH_N}个?(?:岁|月大|周大)`)],
    [/几个?人|多少人|几个孩子/, new RegExp(`${ZH_N}(?:多|来)?(?:个|位|名)?(?:人|孩子|小朋友|客人|同事|朋友)`)],
    [/多大面积|多少平/, new RegExp(`${ZH_N}(?:平|㎡)`)],
    [/几间房/, new RegExp(`${ZH_N}(?:间|室)`)],
    [/几楼/, new RegExp(`${ZH_N}楼`)],
    [/哪年/, /(?:19|20)\d\d年?|\d\d年/],
    [/几年级/, /[一二三四五六]年级|[初高][一二三]/],
    [/从?什么时候开始|多久了/, new RegExp(`${ZH_N}(?:天|周|个?月|年)(?:了|前)|从.{1,6}开始|昨天|上周|最近`)],
    [/上次什么时候/, /上次.{0,6}(?:年|月|前)/],
    [/总?预算(?:多少|底线)/, /预算|\d+\s*[元块]/],
    [/室内还是室外/, /室内|室外|户外|院子|草坪|家里/],
    [/单打还是双打/, /单打|双打/],
    [/一次还是每周/, /一次|每周|每天/],
    [/哪种语言|哪两种语言/, /[英中德法日韩俄]文?(?:译|翻)|[译翻][成为]/],
  ],
} as const;

/** How a question goes on to the next: those of English stand in one sentence, those of Chinese in several. */
const PARTS = {
  en: /, and (?=\S)|, (?=how |in what |is there |which |what |where |who )/,
  zh: /(?<=？)|、(?=多大|多久)/,
};

/** What somebody asks, without what the demand says already; undefined where it says all of it. */
export function stillAsked(asks: string, demand: string): string | undefined {
  const language = languageOf(demand);
  const said = demand.toLowerCase();
  const answered = ANSWERED[language].filter(([, answer]) => answer.test(said));
  const parts = asks.replace(/\?$/, "").split(PARTS[language]).filter(Boolean);
  const open = parts.filter((part) => !answered.some(([question]) => question.test(part.toLowerCase())));
  if (open.length === parts.length) return asks;
  if (open.length === 0) return undefined;
  if (language === "zh") return open.map((part) => (part.endsWith("？") ? part : `${part}？`)).join("");
  const text = open.length > 1 ? `${open.slice(0, -1).join(", ")}, and ${open.at(-1)}` : open[0]!;
  return `${text[0]!.toUpperCase()}${text.slice(1)}?`;
}

const TIMES = {
  en: /\b(?:(?:on|by|before|every|this|next|until) )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?(?: (?:morning|afternoon|evening)s?)?(?: (?:after|from|at|before) [a-z\d]+(?: ?[ap]m)?)?|\b(?:this|next|before the|on) weekend\b|\btonight\b|\btomorrow(?: (?:morning|afternoon|evening))?\b|\b(?:after|from|at|before) (?:\d{1,2}(?::\d\d)? ?(?:[ap]m|o['’]clock)?|four|five|six|seven|eight|nine|ten)\b(?! (?:years|weeks|days|months|people|euros))|\b(?:morning|afternoon|evening)s\b/i,
  zh: /(?:这|下|每)?(?:周|星期|礼拜)[一二三四五六日天末](?:[早晚]上|上午|下午)?(?:[\d一二三四五六七八九十]+点)?(?:以后|之后|后|以?前|之前)?|今晚|今天|明天(?:[早晚]上|上午|下午)?|周末|[早晚上下][上午][\d一二三四五六七八九十]+点(?:以?后|以?前)?/,
};
const REFUSED = /\b(?:not|no|never|except|but)\b|n['’]t\b|不|没|除/i;
const AMOUNTS = {
  en: /[£€$¥] ?\d[\d,.]*\d|[£€$¥] ?\d|\b\d[\d,.]* ?(?:euros?|dollars?|pounds?|yuan|rmb|[£€$¥])/i,
  zh: /[\d一二两三四五六七八九十百千万]+\s*(?:元|块)|(?<=预算(?:是|约|大约|在|不超过)?)\s*[\d一二两三四五六七八九十百千万]+/,
};

/** When the demand wants it, as it says so; undefined where the same breath takes something back. */
export function timeIn(demand: string): string | undefined {
  const breath = demand.split(/[,.;!?，。；！？\n]/).find((one) => TIMES[languageOf(demand)].test(one));
  return breath === undefined || REFUSED.test(breath) ? undefined : TIMES[languageOf(demand)].exec(breath)?.[0].trim();
}

/** What the demand can spend, as it says so. */
export const amountIn = (demand: string): string | undefined => AMOUNTS[languageOf(demand)].exec(demand)?.[0].trim();
