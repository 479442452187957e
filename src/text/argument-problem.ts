import type * as z from "zod";

type Lang = "en" | "zh";
type Issue = z.core.$ZodIssue;

const TYPES: Readonly<Record<string, Record<Lang, string>>> = {
  string: { en: "it must be a string", zh: "应为字符串" },
  number: { en: "it must be a number", zh: "应为数字" },
  int: { en: "it must be a whole number", zh: "应为整数" },
  boolean: { en: "it must be true or false", zh: "应为 true 或 false" },
  array: { en: "it must be a list", zh: "应为列表" },
  object: { en: "it must be an object", zh: "应为对象" },
  record: { en: "it must be an object", zh: "应为对象" },
};

/** What is wrong with an argument, as the end of a sentence that names it. Undefined where the schema has to be read. */
function problem(issue: Issue, lang: Lang): string | undefined {
  if (issue.code === "invalid_type") return TYPES[issue.expected]?.[lang];
  if (issue.code === "invalid_value")
    return lang === "zh" ? `只能是 ${issue.values.join("、")}` : `it must be one of ${issue.values.join(", ")}`;
  if (issue.code === "too_small") return tooSmall(issue, lang);
  if (issue.code === "too_big") return tooBig(issue, lang);
  return issue.code === "custom" ? issue.message : undefined;
}

export const problemOf = (issue: Issue | undefined, lang: Lang): string =>
  (issue && problem(issue, lang)) ?? (lang === "zh" ? "不符合该工具的 Schema" : "it does not fit the tool's schema");

function tooSmall({ origin, minimum: least }: z.core.$ZodIssueTooSmall, lang: Lang): string {
  const isZh = lang === "zh";
  if (origin === "number" || origin === "int") return isZh ? `不能小于 ${least}` : `it must be at least ${least}`;
  if (least === 1) return isZh ? "不能为空" : "it must not be empty";
  return isZh ? `至少 ${least} ${unitZh(origin)}` : `it must have at least ${least} ${unitEn(origin)}`;
}

function tooBig({ origin, maximum: most }: z.core.$ZodIssueTooBig, lang: Lang): string {
  const isZh = lang === "zh";
  if (origin === "number" || origin === "int") return isZh ? `不能大于 ${most}` : `it must be at most ${most}`;
  return isZh ? `最多 ${most} ${unitZh(origin)}` : `it must have at most ${most} ${unitEn(origin)}`;
}

const unitEn = (origin: string): string => (origin === "string" ? "characters" : "items");
const unitZh = (origin: string): string => (origin === "string" ? "个字符" : "项");
