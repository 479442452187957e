import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { paintWith } from "../../src/terminal/paint.ts";
import { styledLines } from "../../src/terminal/styled-parts.ts";
import { lineRanges, wrap } from "../../src/terminal/wrap.ts";

const text = fc.stringMatching(/^[a-zé 一-龥，。“”().\u{1F469}-\u{1F4BB}]{0,120}$/u);
const columns = fc.integer({ min: 2, max: 60 });

describe("lines", () => {
  it("break between words in both scripts; what closes stays with its word", () => {
    expect(wrap("about ten hours a week, remote", 12)).toEqual(["about ten", "hours a", "week, remote"]);
    expect(wrap("寻找熟悉门诊流程的设计师，可远程。", 12)).toEqual(["寻找熟悉门诊", "流程的设计", "师，可远程。"]);
  });

  it("keep a command of this program together, as far as it is one and a line holds it", () => {
    expect(wrap("Choose one in a terminal: towow-mcp setup. Then go on.", 36)).toEqual([
      "Choose one in a terminal:",
      "towow-mcp setup. Then go on.",
    ]);
    expect(wrap("请在终端运行 towow-mcp confirm neg_5b8cf8d6ab84，阅读文本后自己决定。", 40)).toEqual([
      "请在终端运行",
      "towow-mcp confirm neg_5b8cf8d6ab84，阅读",
      "文本后自己决定。",
    ]);
    expect(wrap("Else: towow-mcp config set allow_http true and go on", 40)).toEqual([
      "Else:",
      "towow-mcp config set allow_http true and",
      "go on",
    ]);
    expect(wrap("从现在起列出全部工具：towow-mcp config set mode developer", 40)).toEqual([
      "从现在起列出全部工具：",
      "towow-mcp config set mode developer",
    ]);
    expect(wrap("See towow-mcp config which lists them", 20)).toEqual(["See towow-mcp config", "which lists them"]);
    expect(wrap("towow-mcp network https://towow.example", 24)).toEqual(["towow-mcp network", "https://towow.example"]);
    expect(wrap("or list every tool from now on: towow-mcp config set mode developer", 50)).toEqual([
      "or list every tool from now on:",
      "towow-mcp config set mode developer",
    ]);
  });

  it("leave an address, a path or an id whole where that is asked for, and begin Chinese brackets anew", () => {
    const address = "http://127.0.0.1:8080/room/VDHbgFnaork7WGY4NjX94";
    expect(wrap(`The room: ${address} opens once`, 24, { keepsLongWords: true })).toEqual([
      "The room:",
      address,
      "opens once",
    ]);
    const filledIn = `towow-mcp call towow_join scene_id=… profile_data='{"skills":["…"]}'`;
    expect(wrap(`To join: ${filledIn}`, 40, { keepsLongWords: true })).toEqual(["To join:", filledIn]);
    const command = "towow-mcp setup claude-desktop --scope user";
    expect(wrap(`It has: user (${command}).`, 24, { keepsLongWords: true })).toEqual(["It has: user", `(${command}).`]);
    expect(wrap("后端 http://127.0.0.1:8080（ECONNREFUSED）没有应答", 28)).toEqual([
      "后端 http://127.0.0.1:8080",
      "（ECONNREFUSED）没有应答",
    ]);
    fc.assert(
      fc.property(text, columns, (it, width) => {
        const words = it.match(/[!-~é]+/g) ?? [];
        const lines = wrap(it, width, { keepsLongWords: true });
        const letters = (of: string) => of.replace(/\s+/g, "");
        expect(lines.map(letters).join("")).toBe(letters(it));
        for (const word of words.filter((one) => /^[!-~]+$/.test(one)))
          expect(
            lines.some((line) => line.includes(word)),
            word,
          ).toBe(true);
      }),
    );
  });

  it("begin with no dot between two parts, and break behind a wide colon between Latin words", () => {
    expect(wrap("hosting, filming · agent_count: 3 · active", 16)).toEqual([
      "hosting,",
      "filming ·",
      "agent_count: 3 ·",
      "active",
    ]);
    expect(wrap("neg_5b8cf8d6ab84 · open", 16)).toEqual(["neg_5b8cf8d6ab84", "· open"]);
    const id = "b5522e53-a50a-4e8d-aae1-8aefd9ff8d08";
    expect(wrap(`你在那里的 ID：${id}`, 36, { keepsLongWords: true })).toEqual(["你在那里的 ID：", id]);
    const word = fc.constantFrom("scene_248c1e89af9e", "名称", "8 agents", "www.example.com：80", "a");
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), fc.integer({ min: 22, max: 120 }), (parts, width) => {
        for (const line of wrap(parts.join(" · "), width)) expect(line).not.toMatch(/^[·，：]/u);
      }),
    );
  });

  it("hold every word, are never too wide where a word may be broken, and stand where they say", () => {
    fc.assert(
      fc.property(text, columns, (it, width) => {
        const ranges = lineRanges(it, width);
        const letters = (of: string) => of.replace(/\s+/g, "");
        expect(ranges.map(({ start, end }) => letters(it.slice(start, end))).join("")).toBe(letters(it));
        for (const [i, { start, end }] of ranges.entries()) {
          expect(start).toBeGreaterThanOrEqual(ranges[i - 1]?.end ?? 0);
          expect(it.slice(ranges[i - 1]?.end ?? 0, start)).toMatch(/^\s*$/);
          expect(stringWidth(it.slice(start, end))).toBeLessThanOrEqual(width);
        }
      }),
    );
  });
});

describe("a text in pieces", () => {
  const layout = { paint: paintWith(true), gutter: () => "| ", gutterWidth: 2 };

  it("keeps its styles behind a break, and its line feeds", () => {
    const pieces = [{ text: "mine " }, { text: "about ten hours", style: "bold" as const }, { text: "\nend" }];
    expect(styledLines(pieces, { ...layout, width: 16 })).toEqual([
      "| mine \x1b[1mabout ten\x1b[22m",
      "| \x1b[1mhours\x1b[22m",
      "| end",
    ]);
  });

  it("loses and adds no character but white space at a break", () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), columns, (texts, width) => {
        const lines = styledLines(
          texts.map((it) => ({ text: it })),
          { ...layout, paint: paintWith(false), width: width + 2 },
        );
        expect(
          lines
            .map((line) => line.slice(2))
            .join("")
            .replace(/\s+/g, ""),
        ).toBe(texts.join("").replace(/\s+/g, ""));
      }),
    );
  });
});
