import { expect, it } from "vitest";
import { aside } from "../../src/terminal/aside.ts";

it("a word in parentheses loses them rather than leave one alone on the next line", () => {
  const code = "tool.subject.kind.of_thirty_nine_letters_";
  for (let width = 36; width <= 120; width += 1)
    expect(aside(code, width)).toBe(width < code.length + 2 ? code : `(${code})`);
});
