import type * as z from "zod";

/** What is wrong with an argument, as the end of a sentence that begins with the argument's name. */

const EN = {
  types: {
    string: "it must be a string",
    number: "it must be a number",
    int: "it must be a whole number",
    boolean: "it must be true or false",
    array: "it must be a list",
    object: "it must be an object",
    record: "it must be an object",
  } as Readonly<Record<string, string>>,
  oneOf: (values: readonly unknown[]) => `it must be one of ${values.join(", ")}`,
  empty: "it must not be empty",
  units: { string: "characters", array: "items" } as Readonly<Record<string, string>>,
  shortest: (least: number, unit: string) => `it must have at least ${least} ${unit}`,
  longest: (most: number, unit: string) => `it must have at most ${most} ${unit}`,
  least: (least: number) => `it must be at least ${least}`,
  most: (most: number) => `it must be at most ${most}`,
  other: "it does not fit the tool's schema",
};

const ZH: typeof EN = {
  types: {
    string: "应为字符串",
    number: "应为数字",
    int: "应为整数",
    boolean: "应为 true 或 false",
    array: "应为列表",
    object: "应为对象",
    record: "应为对象",
  },
  oneOf: (values) => `只能是 ${values.join("、")}`,
  empty: "不能为空",
  units: { string: "个字符", array: "项" },
  shortest: (least, unit) => `至少 ${least} ${unit}`,
  longest: (most, unit) => `最多 ${most} ${unit}`,
  least: (least) => `不能小于 ${least}`,
  most: (most) => `不能大于 ${most}`,
  other: "不符合该工具的 Schema",
};

/**
 * Returns what is wrong with an argument. The words are not taken from zod's `issue`, because zod's Chinese messages
 * are half English.
 */
export function argumentProblem(issue: z.core.$ZodIssue | undefined, lang: "en" | "zh"): string {
  const words = lang === "zh" ? ZH : EN;
  if (issue?.code === "invalid_type") return words.types[issue.expected] ?? words.other;
  if (issue?.code === "invalid_value") return words.oneOf(issue.values);
  if (issue?.code === "too_small") {
    const [least, unit] = [Number(issue.minimum), words.units[issue.origin]];
    return unit === undefined ? words.least(least) : least === 1 ? words.empty : words.shortest(least, unit);
  }
  if (issue?.code === "too_big") {
    const [most, unit] = [Number(issue.maximum), words.units[issue.origin]];
    return unit === undefined ? words.most(most) : words.longest(most, unit);
  }
  return words.other;
}
