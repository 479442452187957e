import { columns, extended, FORM_COLUMNS, languageOf } from "../formulation.ts";
import { pick } from "../random.ts";

/** What the network may add, each with the words of a demand that speak of it already: nothing is said against those. */
const ADDITIONS = {
  zh: [
    ["我晚上比较方便。", /[早晚]上|上午|下午|中午|[今明后]天|周|星期|礼拜|月|点|时间|小时|随时|平日|工作日|假|夜/],
    ["联系我，先发消息就好。", /消息|电话|微信|联系|邮件|短信|视频|当面/],
    ["请一并说明怎么收费。", /钱|元|块|预算|费|价|免费|报酬|付|志愿/],
    ["请告诉我最快什么时候可以开始。", /今晚|马上|立刻|尽快|之?前|急|开始|[今明后]天|周|月|点/],
    ["如果还需要了解什么，请直接问我。", undefined],
  ],
  en: [
    [
      "Evenings suit me best.",
      /\b(?:mornings?|afternoons?|evenings?|noon|nights?|tonight|today|tomorrow|now|lunch\w*|weekends?|weekdays?|weeks?|weekly|months?|daily|hours?|times?|soon|\w+day|\d+ ?[ap]m|january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter|easter|christmas)\b/i,
    ],
    ["Please write first, before you call.", /\b(?:call|phone|write|message|mail|email|e-mail|contact|text|video)\b/i],
    [
      "Please say what it would cost.",
      /\b(?:cost\w*|price\w*|pay\w*|paid|budget|money|free|fee|cheap|euros?|dollars?|pounds?|volunt\w+|swap|exchange)\b|[£€$¥]/i,
    ],
    [
      "Please say how soon you could begin.",
      /\b(?:today|tonight|tomorrow|now|soon|before|by|until|urgent\w*|start\w*|begin\w*|weeks?|months?|\w+day|in \d+)\b/i,
    ],
    ["If anything is unclear, just ask me.", undefined],
  ],
} as const;

/** A demand with a sentence more that fits it. */
export function added(intent: string, seed: number): string {
  const fitting = ADDITIONS[languageOf(intent)].filter(([, said]) => said?.test(intent) !== true);
  const texts = fitting.map(([addition]) => extended(intent, addition));
  const [last, ...others] = texts.toReversed();
  const text = pick([last ?? intent, ...others], intent, seed);
  return columns(text) <= FORM_COLUMNS ? text : (last ?? intent);
}
