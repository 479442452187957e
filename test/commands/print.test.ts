import { describe, expect, it } from "vitest";
import { sentences } from "../../src/commands/print.ts";
import { stringWidth } from "../../src/text-width.ts";

describe("sentences", () => {
  const terminal = { isTTY: true, columns: 40 } as const;

  it("in a terminal: broken between words, in both scripts, within the width, nothing lost", () => {
    for (const text of [
      "No network has been chosen yet. Choose one in a terminal: towow-mcp setup. To try everything first: towow-mcp network sandbox.",
      "还没有选择网络。请在终端运行 towow-mcp setup 来选择；想先在本机试用：towow-mcp network sandbox。",
    ]) {
      const lines = sentences(text, terminal).split("\n");
      expect(lines.length).toBeGreaterThan(1);
      for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(40);
      expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
      for (const word of ["towow-mcp", "setup", "sandbox"])
        expect(lines.some((line) => line.includes(word))).toBe(true);
    }
  });

  it("a line's indent stands before all that it is broken into", () => {
    const text = "In ~/.towow:\n  your identity: ids and tokens of every backend, the key for HTTP\n";
    expect(sentences(text, terminal)).toBe(
      "In ~/.towow:\n  your identity: ids and tokens of every\n  backend, the key for HTTP\n",
    );
  });

  it("what a line begins with stands alone before the rest of it", () => {
    expect(sentences("  ! No agent reached the threshold. Say it in other words.", terminal)).toBe(
      "  ! No agent reached the threshold. Say\n    it in other words.",
    );
  });

  it("a pipe gets the text as it is; what could act on a terminal goes in both", () => {
    const long = "one ".repeat(40);
    expect(sentences(long, { isTTY: false, columns: 40 })).toBe(long);
    for (const isTTY of [true, false]) expect(sentences("a\u001b[2Jb", { isTTY, columns: 40 })).not.toContain("\u001b");
  });
});
