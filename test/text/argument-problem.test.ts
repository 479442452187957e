import { expect, test } from "vitest";
import type * as z from "zod";
import { argumentProblem } from "../../src/text/argument-problem.ts";
import { TOOLS } from "../../src/tools/index.ts";

/** Whatever an argument is given as, what is said of it is a sentence of the reader's language, with what it should be. */

const ODD = [
  "x",
  "",
  " ",
  "x".repeat(25_000),
  5,
  -1,
  1e9,
  1.5,
  true,
  [],
  [1],
  [""],
  Array(500).fill("a"),
  {},
  { a: 1 },
];

function problems(lang: "en" | "zh"): Map<string, string> {
  const found = TOOLS.flatMap(({ name, input }) =>
    Object.entries(input.shape as Record<string, z.ZodType>).flatMap(([field, schema]) =>
      ODD.flatMap((value): [string, string][] => {
        const issue = schema.safeParse(value).error?.issues[0];
        if (issue === undefined || issue.message.startsWith("tool.") || issue.code === "unrecognized_keys") return [];
        return [[`${name}.${field}: ${issue.message}`, argumentProblem(issue, lang)]];
      }),
    ),
  );
  return new Map(found);
}

test("in English", () => {
  const said = [...problems("en").values()];
  expect(said.length).toBeGreaterThan(50);
  expect(said.filter((text) => !/^it (?:must|does not fit) /.test(text))).toEqual([]);
  expect(said).toEqual(
    expect.arrayContaining([
      "it must be a string",
      "it must not be empty",
      "it must have at most 200 characters",
      "it must be a whole number",
      "it must be one of accept, edit, reject",
    ]),
  );
});

test("in Chinese", () => {
  const said = [...problems("zh").values()];
  expect(said.filter((text) => !/^(?:应为|不能|只能是|至少|最多)/.test(text))).toEqual([]);
  expect(said).toEqual(
    expect.arrayContaining(["应为字符串", "不能为空", "最多 200 个字符", "只能是 accept、edit、reject"]),
  );
});

test("what nobody thought of still says where to look", () => {
  expect(argumentProblem(undefined, "en")).toBe("it does not fit the tool's schema");
  expect(argumentProblem(undefined, "zh")).toBe("不符合该工具的 Schema");
});
