import { expect, it } from "vitest";
import { markedDifference } from "../../src/ask/shown-text.ts";

it("an edit changes up to 600 words and what stands between them: what changes one more is not compared", () => {
  const most = "x ".repeat(300);
  expect(markedDifference("", most, "en")).toBe(`{+${most}+}`);
  expect(markedDifference("a", `${most}a`, "en")).toBe(`{+${most}+}a`);
  expect(markedDifference("", `${most}x`, "en")).toBe(undefined);
  expect(markedDifference("y", most, "en")).toBe(undefined);
});

it("what goes stands before what comes in its place, and what both have stands once", () => {
  expect(markedDifference("a designer, two days", "one designer, three days", "en")).toBe(
    "[-a-]{+one+} designer, [-two-]{+three+} days",
  );
  expect(markedDifference("我需要一位设计师", "我需要两位设计师。", "zh")).toBe("我需要[-一位-]{+两位+}设计师{+。+}");
  expect(markedDifference("", "x", "en")).toBe("{+x+}");
  expect(markedDifference("x", "", "en")).toBe("[-x-]");
});
