import { expect, it } from "vitest";
import { markedDifference } from "../../src/ask/diff.ts";

const words = (of: string, count: number) => Array.from({ length: count }, (_, n) => `${of}${n}`).join(" ");

it("what is too long is not compared, nor what changes more than an edit would", () => {
  expect(markedDifference("x ".repeat(2_001), "y ".repeat(2_001), "en")).toBe(undefined);
  expect(markedDifference(words("a", 900), words("b", 900), "en")).toBe(undefined);
});

it("what goes stands before what comes in its place, and what both have stands once", () => {
  expect(markedDifference("a designer, two days", "one designer, three days", "en")).toBe(
    "[-a-]{+one+} designer, [-two-]{+three+} days",
  );
  expect(markedDifference("我需要一位设计师", "我需要两位设计师。", "zh")).toBe("我需要[-一位-]{+两位+}设计师{+。+}");
  expect(markedDifference("", "x", "en")).toBe("{+x+}");
  expect(markedDifference("x", "", "en")).toBe("[-x-]");
});
