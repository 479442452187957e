import fc from "fast-check";
import { applyEdits, parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { jsonDocument } from "../../src/setup/json-document.ts";
import { jsonFile } from "./json-files.ts";

const at = { path: "settings.json", key: "mcpServers" };
const entry = { command: "towow-mcp", args: ["--mode", "normal"] };
const read = (text: string) => jsonDocument(text, at, []);
const put = (text: string) => applyEdits(text, read(text).put(entry));
const drop = (text: string) => applyEdits(text, read(text).drop());
const values = (text: string): Record<string, unknown> => parse(text, [], { allowTrailingComma: true });

describe("an entry is added", () => {
  it.each([
    ["nothing", "", '{\n  "mcpServers": {\n    "towow": {'],
    ["an object on one line", '{"a":1}', '{"a":1, "mcpServers": {"towow":{"command":"towow-mcp"'],
    ["no servers yet", '{\n    "a": 1\n}\n', '{\n    "a": 1,\n    "mcpServers": {\n        "towow": {\n'],
    ["tabs", '{\n\t"mcpServers": {}\n}', '{\n\t"mcpServers": {\n\t\t"towow": {\n\t\t\t"command"'],
    [
      "a comment that ends the line before",
      '{\n  "mcpServers": {\n    "a": {} // mine\n  }\n}',
      '"a": {}, // mine\n    "towow": {\n      "command"',
    ],
    ["a trailing comma", '{\n  "mcpServers": {\n    "a": {}, // mine\n  },\n}', '"a": {}, // mine\n    "towow": {\n'],
    ["only a comment", '{\n  "mcpServers": {\n    // none yet\n  }\n}', '// none yet\n    "towow": {\n      "command"'],
    ["line ends of Windows", '{\r\n  "a": 1\r\n}\r\n', '"a": 1,\r\n  "mcpServers": {\r\n    "towow": {\r\n'],
    [
      "line ends of an old Mac, with a comment",
      '{\r  // mine\r  "mcpServers": {\r    "a": {}, // a\r  }\r}\r',
      '"a": {}, // a\r    "towow": {\r      "command"',
    ],
    ["a byte order mark", '\uFEFF{ "a": 1 }', '\uFEFF{ "a": 1, "mcpServers": {'],
  ])("to %s", (_, before, part) => {
    const after = put(before);
    expect(after).toContain(part);
    expect(values(after.replace("\uFEFF", ""))).toEqual({
      ...values(before.replace("\uFEFF", "")),
      mcpServers: { ...(values(before)?.mcpServers as object), towow: entry },
    });
  });
});

describe("an entry is taken out, and no comment with it", () => {
  it.each([
    ['{ "mcpServers": { "towow": {} } }', '{ "mcpServers": {} }'],
    ['{"mcpServers":{// a\n"towow":{}}}', '{"mcpServers":{// a\n}}'],
    ['{"mcpServers":{"x":1, // a\n"towow":{}}}', '{"mcpServers":{"x":1 // a\n}}'],
    ['{"mcpServers":{"x":1, // a\n"towow":{}, "y":2}}', '{"mcpServers":{"x":1, // a\n "y":2}}'],
    ['{"mcpServers":{"towow":{} // ours\n}}', '{"mcpServers":{ // ours\n}}'],
    ['{"mcpServers":{"towow":{}, /* b */ "y":2}}', '{"mcpServers":{ /* b */ "y":2}}'],
  ])("%j", (before, after) => expect(drop(before)).toBe(after));
});

it("another entry is replaced where it stands", () => {
  const before = '{\n  // top\n  "mcpServers": {\n    "towow": { "command": "old" }, // ours\n    "z": [1,  2]\n  }\n}';
  const after = put(before);
  expect(values(after)).toEqual({ mcpServers: { towow: entry, z: [1, 2] } });
  expect(after).toContain("}, // ours\n");
  expect(after).toContain('"z": [1,  2]');
});

it.each([
  ['{\n  "a": }', { line: 2, column: 8, problem: "ValueExpected" }],
  ['{ "a": 1 } x', { line: 1, column: 12, problem: "InvalidSymbol" }],
  ['{ "a": 1', { line: 1, column: 9, problem: "CloseBraceExpected" }],
])("tool.config.invalid.client_config_syntax: %j", (text, params) => {
  expect(() => read(text)).toThrow(
    expect.objectContaining({ code: "tool.config.invalid.client_config_syntax", params: { path: at.path, ...params } }),
  );
});

it("a client that reads plain JSON only: comments and trailing commas are refused, where they stand", () => {
  for (const [text, place] of [
    ['{\n  // mine\n  "a": 1\n}', { line: 2, column: 3, problem: "InvalidCommentToken" }],
    ['{\n  "a": 1,\n}', { line: 3, column: 1, problem: "TrailingComma" }],
  ] as const)
    expect(() => jsonDocument(text, at, ["comments", "trailing_commas"])).toThrow(
      expect.objectContaining({
        code: "tool.config.invalid.client_config_syntax",
        params: { path: at.path, ...place },
      }),
    );
});

it("a client that refuses a byte order mark or a last comma, and takes comments: what it refuses is named", () => {
  const refuses = ["bom", "trailing_commas"] as const;
  for (const [text, place] of [
    ["\uFEFF{}", { line: 1, column: 1, problem: "ByteOrderMark" }],
    ["\uFEFF", { line: 1, column: 1, problem: "ByteOrderMark" }],
    ['{ "a": 1, // the last\n}', { line: 2, column: 1, problem: "TrailingComma" }],
    ['{ "a": [1, 2,] }', { line: 1, column: 14, problem: "TrailingComma" }],
    ['{ "a": }', { line: 1, column: 8, problem: "ValueExpected" }],
  ] as const)
    expect(() => jsonDocument(text, at, refuses)).toThrow(
      expect.objectContaining({ params: { path: at.path, ...place } }),
    );
  expect(jsonDocument('{ /* c */ "a": 1 } // end', at, refuses).all).toEqual({ a: 1 });
});

it.each(["[]", "1", '{"mcpServers": []}', '{"mcpServers": null}', '{"mcpServers":{},"mcpServers":{}}'])(
  "tool.config.invalid.client_config_shape: %s",
  (text) =>
    expect(() => read(text)).toThrow(expect.objectContaining({ code: "tool.config.invalid.client_config_shape" })),
);

it("property: nothing else changes, and add then remove gives back the same bytes where there were servers", () => {
  fc.assert(
    fc.property(jsonFile, (text) => {
      const was = values(text);
      const added = put(text);
      expect(read(added).entry).toEqual(entry);
      expect(values(added)).toEqual({ ...was, mcpServers: { ...(was.mcpServers as object), towow: entry } });
      expect(values(put(added))).toEqual(values(added));
      const removed = drop(added);
      expect(values(removed)).toEqual({ ...was, mcpServers: { ...(was.mcpServers as object) } });
      const comments = (s: string) => s.match(/\/\/ c|\/\* c \*\/|\/\* a\nb \*\//g)?.length ?? 0;
      expect(comments(removed)).toBe(comments(text));
      if (Object.keys((was.mcpServers as object) ?? {}).length > 0) expect(removed).toBe(text);
    }),
    { numRuns: 2_000 },
  );
});

it("found by the fuzzer: a file nested beyond any sense is refused by its name", () => {
  for (const levels of [300, 4_000, 20_000]) {
    const deep = `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
    expect(() => read(deep)).toThrow(
      expect.objectContaining({ params: expect.objectContaining({ problem: "NestedTooDeeply" }) }),
    );
  }
});
