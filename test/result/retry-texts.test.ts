import { expect, it } from "vitest";
import { TowowError } from "../../src/errors.ts";
import { ERROR_CODES, type ErrorCode, toToolError } from "../../src/result/tool-error.ts";
import { type Texts, textsForPerson, textsOf, textsReadBy } from "../../src/text/index.ts";

/** What sends somebody to the same call once more. To correct it and call again is another call. */
const SAYS_AGAIN =
  /\btry (?:it )?(?:again|once more)\b|\bconfirm again\b|\bsend the same again\b|再试|重试|再确认|再发一次/i;

class Failed extends TowowError {
  readonly code: string;
  constructor(code: string) {
    super();
    this.code = code;
  }
}

const codes = Object.keys(ERROR_CODES) as ErrorCode[];
const said = (code: ErrorCode, idempotent: boolean, texts: Texts) =>
  toToolError(new Failed(code), { texts, idempotent, callable: () => true });

it.each<[string, (lang: "en" | "zh") => Texts, readonly ErrorCode[]]>([
  ["an AI", textsOf, codes],
  ["an AI at an endpoint", textsReadBy({ who: "endpoint" }), codes],
  // Of settings and pages a person reads more than of calls.
  ["a person", textsForPerson, codes.filter((code) => /^tool\.(?:backend|auth)\./.test(code))],
])("what %s reads says to try again where can_retry says so, and nowhere else", (_who, textsOf, all) => {
  const wrong = all.flatMap((code) =>
    [true, false].flatMap((idempotent) =>
      (["en", "zh"] as const)
        .map((lang) => said(code, idempotent, textsOf(lang)))
        .filter(({ recovery_suggestion, can_retry }) => SAYS_AGAIN.test(recovery_suggestion) !== can_retry)
        .map(({ recovery_suggestion, can_retry }) => [code, can_retry, recovery_suggestion]),
    ),
  );
  expect(wrong).toEqual([]);
});
