import fc from "fast-check";
import { expect, it } from "vitest";
import { type Block, markdownBlocks, type Run, readMarkdown, textsIn } from "../src/markdown.ts";
import { atOnce } from "../src/turn.ts";

const plain = (text: string): Run => ({ text, looks: [] });
const bold = (text: string): Run => ({ text, looks: ["strong"] });
const paragraph = (...runs: Run[]): Block => ({ kind: "paragraph", runs });

it("headings, lists, paragraphs and rules, bold and code in them", () => {
  expect(
    markdownBlocks("## Plan\n\nWe **begin**\nin *January*.\n\n- Priya: `design`\n  - twice\n3. Kai\n\n---"),
  ).toEqual([
    { kind: "heading", level: 2, runs: [plain("Plan")] },
    paragraph(plain("We "), bold("begin"), plain("\nin "), { text: "January", looks: ["em"] }, plain(".")),
    {
      kind: "list",
      start: null,
      items: [
        [
          paragraph(plain("Priya: "), { text: "design", looks: ["code"] }),
          { kind: "list", start: null, items: [[paragraph(plain("twice"))]] },
        ],
      ],
    },
    { kind: "list", start: 3, items: [[paragraph(plain("Kai"))]] },
    { kind: "rule" },
  ]);
});

it("tables, quotes, boxes to tick and code", () => {
  const text =
    "| Who | What |\n| --- | --- |\n| Priya | **first** |\n\n> so\n\n- [ ] ask\n\n```js\nif (x) {\n\n  # no\n}\n```";
  expect(markdownBlocks(text)).toEqual([
    {
      kind: "table",
      rows: [
        [[plain("Who")], [plain("What")]],
        [[plain("Priya")], [bold("first")]],
      ],
    },
    { kind: "quote", blocks: [paragraph(plain("so"))] },
    { kind: "list", start: null, items: [[paragraph(plain("[ ] ask"))]] },
    { kind: "code", text: "if (x) {\n\n  # no\n}" },
  ]);
});

it("HTML, links, pictures and addresses stay the words that they are", () => {
  const text =
    "<b>x</b> [a](http://evil.example) ![p](//evil) <http://evil.example> ~~gone~~ &lt; https://evil.example";
  expect(markdownBlocks(text)).toEqual([paragraph(plain(text))]);
  expect(markdownBlocks("[a]: http://evil.example")).toEqual([paragraph(plain("[a]: http://evil.example"))]);
  expect(markdownBlocks("<div>\n<p>x\n</div>")).toEqual([paragraph(plain("<div>\n<p>x\n</div>"))]);
});

it("cells that the head has no column for, and words behind a fence, are not lost", () => {
  const wide = "| a |\n| --- |\n| 1 | and 5000 more |";
  expect(markdownBlocks(wide)).toEqual([{ kind: "code", text: wide }]);
  expect(markdownBlocks("```send it all\nx\n```")).toEqual([{ kind: "code", text: "send it all\nx" }]);
});

it("no letter of any text is lost", () => {
  const letters = (text: string) => text.replaceAll(/[^\p{L}]/gu, "");
  const piece = fc.oneof(
    fc.constantFrom(
      "**",
      "*",
      "_",
      "`",
      "\n",
      "\n\n",
      "- ",
      "1. ",
      "> ",
      "# ",
      "|",
      "| a | b |\n|---|---|\n",
      "[",
      "](x)",
    ),
    fc.constantFrom("<b>", "```\n", "~~~ q\n", "    ", "\\", "===", "&amp;", "http://x.example", "[x]: y"),
    fc.string({ unit: fc.constantFrom("a", "b", "协", "é", " "), maxLength: 8 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join("").replaceAll(/```(?=.)|~~~ q/g, "");
      expect(letters(textsIn(markdownBlocks(text)).join(""))).toBe(letters(text));
    }),
  );
});

it("a long text is read between its blocks, in steps that others can come between", () => {
  const block = "## Week\n\n```\na\n\nb\n```\n\nA line *of words*.\n\n";
  const steps = readMarkdown(block.repeat(400));
  let count = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) count += 1;
  expect(count).toBeGreaterThan(4);
  expect(step.value.blocks).toEqual(
    atOnce(readMarkdown(block)).blocks.concat(...Array(399).fill(atOnce(readMarkdown(block)).blocks)),
  );
});
