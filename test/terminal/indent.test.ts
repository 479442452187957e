import fc from "fast-check";
import stringWidth from "string-width";
import { expect, it } from "vitest";
import { paintWith } from "../../src/terminal/paint.ts";
import { paragraph } from "../../src/terminal/paragraph.ts";

it("an id, a command or a code that a line holds only without its indent loses the indent, and stays whole", () => {
  const whole = [
    "tool.subject.kind.of_thirty_nine_letters",
    "neg_5b8cf8d6ab84",
    "b5522e53-a50a-4e8d-aae1-8aefd9ff8d08",
    "http://127.0.0.1:36599/mcp",
    "words",
    "场景",
  ];
  const parts = fc.array(fc.constantFrom(...whole), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(parts, fc.integer({ min: 40, max: 120 }), fc.constantFrom("", "  ", "    "), (words, width, first) => {
      const lines = paragraph(words.join(" "), { width, first, paint: paintWith(false), keepsLongWords: true });
      expect(lines.flatMap((line) => line.trim().split(" "))).toEqual(words);
      for (const line of lines) expect(stringWidth(line), line).toBeLessThanOrEqual(width);
    }),
  );
});
