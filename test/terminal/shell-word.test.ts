import { expect, it } from "vitest";
import { shellLine } from "../../src/terminal/shell-word.ts";

it("quotes what a shell would take for more than a word, and no path of Windows", () => {
  expect(shellLine(["towow-mcp", "confirm", "neg_$(id)", "it's", "~", "=ls", "a b", "neg_1"])).toBe(
    "towow-mcp confirm 'neg_$(id)' 'it'\\''s' '~' '=ls' 'a b' neg_1",
  );
  expect(shellLine([String.raw`C:\Tools\node.exe`, String.raw`C:\a&b`])).toBe(String.raw`C:\Tools\node.exe 'C:\a&b'`);
});
