import { expect, it } from "vitest";
import { paintWith } from "../../src/terminal/paint.ts";
import { planLines } from "../../src/terminal/plan-lines.ts";

const plain = { width: 40, paint: paintWith(false) };
const PLAN = `## Plan

Priya **begins** in January and the rest of the team follows her.
Then Kai.

| Who | What |
| --- | --- |
| Priya | design |

1. Meet
   - online
2. Decide

> said

\`\`\`
x = 1
\`\`\``;

it("a plan without its own title: words, a table, lists, a quote and code", () => {
  expect(planLines(PLAN, plain)).toEqual([
    "Priya begins in January and the rest of",
    "the team follows her.",
    "Then Kai.",
    "",
    "Who    What",
    "Priya  design",
    "",
    "  1. Meet",
    "       - online",
    "  2. Decide",
    "",
    "│ said",
    "",
    "  x = 1",
  ]);
});

it("what is bold is bold, also where its line is broken; a heading alone stays", () => {
  const layout = { width: 24, paint: (_: unknown, text: string) => (text === "" ? "" : `<${text}>`) };
  expect(planLines("We **begin in the first week of the year** and then", layout)).toEqual([
    "We <begin in the first>",
    "<week of the year> and",
    "then",
  ]);
  expect(planLines("## Plan", plain)).toEqual(["Plan"]);
});
