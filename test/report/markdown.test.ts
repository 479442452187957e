import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readMarkdown, textsIn } from "../../src/markdown.ts";
import { mergedGraphOf } from "../../src/report/graph/merge.ts";
import { reportMarkdown } from "../../src/report/markdown.ts";
import { drawBlocks } from "../../src/report/page/course.ts";
import { atOnce } from "../../src/turn.ts";
import { dossier, participant } from "./sample.ts";

const rendered = (text: string, under: number) => {
  const { blocks, rest } = atOnce(readMarkdown(text));
  return { html: drawBlocks(blocks, under).join(""), rest };
};

const HARMLESS =
  /^<\/?(?:h[1-6]|p|ul|ol|li|em|strong|code|pre|blockquote|hr|table|thead|tbody|tr|th|td)(?: (?:class|start|align)="[^"<>]*")*(?: \/)?>$/;
const tagsOf = (html: string): string[] => html.match(/<\/?[a-z!][^>]*>/gi) ?? [];

const HOSTILE = [
  "<script>alert(1)</script>",
  "![x](http://evil.example/p.png)",
  "[click](javascript:alert(1))",
  "<http://evil.example>",
  "[a]: http://evil.example\n[a]",
  "<img src=x onerror=alert(1)>",
  "<div><h1>broken",
  "&lt;script&gt;alert(1)&lt;/script&gt;",
  "| a | <b onclick=x>b</b> |\n|---|---|\n| ![](//evil) | c |",
  "```html\n<script>\n```",
  "> > > # <svg onload=alert(1)>",
];

describe("a plan's Markdown on the page", () => {
  test.each(HOSTILE)("%s loads nothing, leads nowhere, runs nothing", (text) => {
    for (const tag of tagsOf(rendered(text, 3).html)) expect(tag).toMatch(HARMLESS);
  });

  test("nor does any text", () => {
    const piece = fc.oneof(fc.constantFrom(...HOSTILE, "[", "](", ")", "<", ">", "`", "*", "\n"), fc.string());
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        for (const tag of tagsOf(rendered(pieces.join(""), 3).html)) expect(tag).toMatch(HARMLESS);
      }),
    );
  });

  test("headings begin below the page's own, and no level is left out", () => {
    const { html } = rendered("# A\n\n###### B\n\n## \n\n## C\n\ntext", 3);
    expect(html.match(/<h\d>\w*/g)).toEqual(["<h3>A", "<h4>B", "<h4>C"]);
  });

  test("what is too long to be read as Markdown stays as it was written", () => {
    const text = `${"word\n".repeat(6_000)}the end`;
    const { rest } = rendered(text, 3);
    expect(rest.endsWith("the end")).toBe(true);
    expect(text.endsWith(rest)).toBe(true);
  });

  test.each([
    [">", 24_000, 23_994], // six quotes in each other
    ["[", 24_000, 24_000],
    ["*a ", 8_000, 24_000],
    ["- ", 12_000, 0], // a line between two parts
    ["|a", 12_000, 24_000],
  ])(
    "of a text that is made to be slow to read, %j %i times, %i characters stand as they are",
    (piece, times, count) => {
      const { blocks, rest } = atOnce(readMarkdown(piece.repeat(times)));
      expect([textsIn(blocks).join("").length, rest]).toEqual([count, ""]);
    },
  );

  test.each(["1. ", "- > ", "* * * - ", "> "])("of %j a thousand times the seventh on a line is text", (marker) => {
    const { html } = rendered(`${marker.repeat(1_000)}the end`, 3);
    expect(html.match(/<(?:ol|ul|blockquote)[ >]/g)).toHaveLength(6);
    expect(html).toContain(" the end");
    expect(html).not.toContain("\\");
  });

  test("a line between two parts stays one", () => {
    expect(rendered("a\n\n- - - - - - - -\n\n* * * * * * * *", 3).html.match(/<hr>/g)).toHaveLength(2);
  });
});

describe("the report as Markdown", () => {
  const about = {
    ...{ lang: "en" as const, host: "towow.example", madeAt: 0, timeOf: String, needs: [], isMasked: true },
  };

  test("nothing that others wrote is markup in it", () => {
    const report = reportMarkdown(
      [
        dossier({
          plan_output: HOSTILE.join("\n\n"),
          participants: [
            participant("x", {
              display_name: "**[A](http://evil.example)**",
              offer_content: "![](http://evil.example/a.png)\n# A heading\n- a list",
              offer_capabilities: ["`code` | cell"],
            }),
          ],
        }),
      ],
      about,
    );
    const html = rendered(report, 1).html;
    for (const tag of tagsOf(html)) expect(tag).toMatch(HARMLESS);
    expect(html).not.toContain("A heading</h");
    expect(report).not.toMatch(/(?<!\\)!\[/);
  });

  test("numbers, dashes and full stops of others are shown as they were written, and make no list", () => {
    const lines = [
      "1. First",
      "  2) Second",
      "10. Tenth",
      "- a dash",
      "+ a plus",
      "=",
      "Of 3. things - one.",
      "1.5 days.",
    ];
    const report = reportMarkdown([dossier({ plan_output: lines.join("\n\n") })], about);
    const { html } = rendered(report, 1);
    const quote = html.slice(html.lastIndexOf("<blockquote>"), html.lastIndexOf("</blockquote>"));
    expect(quote.match(/<p>.*?<\/p>/g)).toEqual(lines.map((line) => `<p>${line.trim()}</p>`));
  });

  test("a command names ids that a shell takes as they are, and the words are the person's", () => {
    const hostile = reportMarkdown([dossier({ sub_session_ids: ["x;curl`evil`", "neg_2"] })], about);
    expect(hostile).toContain("(`towow-mcp watch neg_2`)");
    expect(hostile).not.toContain("curl");
    for (const lang of ["en", "zh"] as const)
      expect(reportMarkdown([dossier({ participants: [] })], { ...about, lang })).not.toMatch(
        /the person|当事人|本人|towow_/,
      );
  });

  test("any name stays inside its line and its cell", () => {
    const piece = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 20 }),
      fc.constantFrom("|", "\\|", "\\", "\n| x |", "`|`"),
    );
    const aName = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(aName, (name) => {
        const named = dossier({ participants: [participant("x", { offer_capabilities: [name], display_name: name })] });
        const report = reportMarkdown([named], { ...about, needs: ["x", name] }, mergedGraphOf([named]));
        const tables = report.split("\n\n").filter((part) => part.startsWith("|"));
        expect(tables).toHaveLength(3); // needs, entities, relations
        for (const table of tables) {
          const cells = table.split("\n").map((line) => line.match(/(?<!\\)\|/g)?.length);
          expect(new Set(cells).size, table).toBe(1);
        }
      }),
    );
  });
});
