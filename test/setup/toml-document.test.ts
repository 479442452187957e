import fc from "fast-check";
import { applyEdits } from "jsonc-parser";
import { parse, stringify } from "smol-toml";
import { describe, expect, it } from "vitest";
import { tomlDocument } from "../../src/setup/toml-document.ts";

const at = { path: "config.toml", key: "mcp_servers" };
const entry = { command: "towow-mcp", args: ["--mode", "normal"] };
const read = (text: string) => tomlDocument(text, at);
const put = (text: string) => applyEdits(text, read(text).put(entry));
const drop = (text: string) => applyEdits(text, read(text).drop());

describe("an entry in TOML", () => {
  it.each([
    "",
    'model = "o3" # fast\n',
    '# top\n[mcp_servers.a]\ncommand = "x"\n[mcp_servers.a.env]\nK = "v"\n\n\n[tools]\nx = 1979-05-27T07:32:00Z\nbig = 9223372036854775807\n',
    'model = "o3"\r\n\r\n[profiles.p]\r\nmodel = "x"\r\n',
    'text = """\n[mcp_servers.towow]\n"""\n',
  ])("is added and taken out again: %j", (text) => {
    const added = put(text);
    expect(read(added).entry).toEqual(entry);
    expect(added.startsWith(text)).toBe(true);
    if (!text.includes('"""')) expect(drop(added)).toBe(text);
  });

  it("goes with its own sub-tables, and leaves the comment of the next table", () => {
    const text =
      '[mcp_servers.towow]\ncommand = "x"\n\n[mcp_servers.towow.env]\nK = "v"\n\n# about tools\n[tools]\na = 1\n';
    expect(drop(text)).toBe("\n# about tools\n[tools]\na = 1\n");
    const replaced = put(text);
    expect(parse(replaced)).toEqual({ mcp_servers: { towow: entry }, tools: { a: 1 } });
    expect(replaced).toContain("# about tools\n[tools]");
  });

  it.each([
    ['mcp_servers = { towow = { command = "x" } }\n', "mcp_servers = {}\n"],
    [
      'mcp_servers = { a = {}, towow.command = "x", towow.y = 1, z = {} } # all\n',
      "mcp_servers = { a = {}, z = {} } # all\n",
    ],
    ['[mcp_servers]\ntowow.command = "x"\n', "[mcp_servers]\n"],
    ['[mcp_servers.towow.env]\nK = "v"\n', ""],
    [
      'text = """\n[mcp_servers.towow]\n"""\n[mcp_servers]\ntowow = { command = "x" }\n',
      'text = """\n[mcp_servers.towow]\n"""\n[mcp_servers]\n',
    ],
  ])("however it is written it is replaced and taken out: %j", (text, left) => {
    expect(read(put(text)).entry).toEqual(entry);
    expect(drop(text)).toBe(left);
  });

  it.each(["mcp_servers = 1\n", "[[mcp_servers]]\na = 1\n"])(
    "something else in its place is refused, not guessed at: tool.config.invalid.client_config_shape: %j",
    (text) => {
      expect(() => read(text).put(entry)).toThrow(
        expect.objectContaining({ code: "tool.config.invalid.client_config_shape" }),
      );
    },
  );

  it("changes a variable, and leaves the others with their comments", () => {
    const text = `[mcp_servers.towow]\ncommand = "towow-mcp" # ours\n\n# mine\n[mcp_servers.towow.env]\nA = "1" # first\nB = "2"\n`;
    const to = (env: object) => applyEdits(text, read(text).put({ command: "towow-mcp", env }));
    expect(to({ A: "1", B: "2" })).toBe(text);
    expect(to({ A: "1", B: "3", C: "4" })).toBe(text.replace('"2"\n', '"3"\nC = "4"\n'));
    expect(to({ B: "2" })).toBe(text.replace('A = "1" # first\n', ""));
  });

  it("a syntax error has a line and a column: tool.config.invalid.client_config_syntax", () => {
    expect(() => read("a = 1\nb = = 2\n")).toThrow(
      expect.objectContaining({
        code: "tool.config.invalid.client_config_syntax",
        params: { path: at.path, line: 2, column: expect.any(Number), problem: expect.any(String) },
      }),
    );
  });

  it("property: add then remove gives back the same bytes, and nothing else changes", () => {
    const key = fc.stringMatching(/^[a-z]{1,5}$/).filter((name) => name !== "towow");
    const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string(), { maxLength: 2 }));
    const table = fc.dictionary(key, value, { maxKeys: 3 });
    const file = fc.record({ top: table, mcp_servers: fc.dictionary(key, table, { maxKeys: 3 }), after: table });
    fc.assert(
      fc.property(file, fc.constantFrom("", "# c\n", "\n\n"), ({ top, mcp_servers, after }, end) => {
        const text = `# top\n${stringify({ ...top, mcp_servers, after })}${end}`;
        const added = put(text);
        expect(parse(added)).toEqual({
          ...parse(text),
          mcp_servers: { ...(parse(text).mcp_servers as object), towow: entry },
        });
        expect(drop(added)).toBe(text);
      }),
    );
  });

  it("property: whatever stands around it, in whatever strings and lists, is the same after adding, changing and taking out", () => {
    const header = "[mcp_servers.towow]";
    const value = fc.constantFrom(
      `"${header}"`,
      `'''\n${header}\n''''`,
      `"""\n${header}\n\\""""`,
      `[\n  "]", # [\n  ["${header}"],\n]`,
      '{ a = "}", b = { c = [ 1 ] } }',
      "1979-05-27 07:32:00",
      "-1.5e3",
      '""',
      "''",
    );
    const end = fc.constantFrom("\n", " # towow = {\n", "\n\n# [mcp_servers.towow]\n", "\t\n");
    const pairs = (under: string) =>
      fc
        .array(fc.tuple(value, end), { maxLength: 4 })
        .map((all) => all.map(([one, after], at) => `${under}${at}"."x y" = ${one}${after}`).join(""));
    const table = fc
      .tuple(fc.constantFrom("[t]", '[ mcp_servers . "a" ]', "[[l]]"), end, pairs('"k'))
      .map((parts) => parts.join(""));
    const ours = fc.constantFrom("", `${header} # ours\ncommand = "x"\n\n# mine\n[mcp_servers.towow.env]\nK = "v"\n\n`);
    fc.assert(
      fc.property(fc.constantFrom("", "\uFEFF"), pairs('"'), ours, table, (bom, top, own, below) => {
        const text = bom + top + own + below;
        const added = put(text);
        expect(read(added).entry).toEqual(entry);
        expect(read(put(drop(text))).entry).toEqual(entry);
        if (own === "") expect(drop(added)).toBe(text);
        else expect(added.startsWith(bom + top) && added.endsWith(below)).toBe(true);
      }),
    );
  });
});
