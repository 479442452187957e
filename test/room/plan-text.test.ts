import { expect, it } from "vitest";
import { blocksOf } from "../../src/room/spec/plan.ts";

it("headings, lists and paragraphs are blocks, their markup gone", () => {
  expect(blocksOf("## Plan\n\nWe **begin**\nin January.\n\n- Priya: `design`\n3. Kai\n---")).toEqual([
    { kind: "heading", text: "Plan" },
    { kind: "paragraph", text: "We begin in January." },
    { kind: "bullet", text: "Priya: design" },
    { kind: "number", text: "Kai", mark: "3" },
  ]);
});

it("a table, a quote and code keep their lines", () => {
  expect(
    blocksOf(
      "Who:\n| a | b |\n| --- | --- |\n| 1 | 2 |\nThen.\n> said\n> so\n\n```js\nif (x) {\n\n  # no heading\n}\n```\nEnd.",
    ),
  ).toEqual([
    { kind: "paragraph", text: "Who:" },
    { kind: "lines", text: "| a | b |\n| --- | --- |\n| 1 | 2 |" },
    { kind: "paragraph", text: "Then." },
    { kind: "lines", text: "> said\n> so" },
    { kind: "lines", text: "if (x) {\n\n  # no heading\n}" },
    { kind: "paragraph", text: "End." },
  ]);
});

it("code that is never closed goes on to the end, and an empty one is nothing", () => {
  expect(blocksOf("~~~\n~~~\n```\n- a\n## b")).toEqual([{ kind: "lines", text: "- a\n## b" }]);
});
