import { columns, extended, FORM_COLUMNS, languageOf } from "../formulation.ts";
import { pick } from "../random.ts";

/**
 * What the network may add, each with the words of a demand that speak of it already: nothing is said against those.
 * They are questions to whoever answers. What suits the person, only the person knows.
 */
const ADDITIONS = {
  zh: [
    ["请一并说明怎么收费。", /钱|元|块|预算|费|价|免费|报酬|付|志愿/],
    [
      "请告诉我最快什么时候可以开始。",
      /今[晚天早]|马上|立刻|尽快|之?前|急|现在|正在|开始|[今明后]天|周|星期|礼拜|月|点|[早晚]上|[上下]午/,
    ],
    ["如果还需要了解什么，请直接问我。", undefined],
  ],
  en: [
    [
      "Please say what it would cost.",
      /\b(?:cost\w*|price\w*|pay\w*|paid|budget|money|free|fee|cheap|euros?|dollars?|pounds?|volunt\w+|swap|exchange)\b|[£€$¥]/i,
    ],
    [
      "Please say how soon you could begin.",
      /\b(?:today|tonight|tomorrow|now|soon|asap|immediate\w*|right away|emergency|before|by|until|after|urgent\w*|start\w*|begin\w*|mornings?|afternoons?|evenings?|weeks?|weekends?|weekly|months?|\w+day\w*|in \d+|\d+ ?[ap]m|january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter)\b/i,
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
