import fc from "fast-check";
import { parse } from "jsonc-parser";
import { expect, it } from "vitest";
import { jsonFile } from "./json-files.ts";
import { memoryMachine, RECORD } from "./memory-machine.ts";

const FILE = "/home/me/.cursor/mcp.json";
const world = (text: string | undefined) => memoryMachine("cursor", text);

it("property: whatever the file was, add then remove gives back the same bytes, or no file", () => {
  fc.assert(
    fc.property(
      fc.option(fc.oneof(jsonFile, fc.constantFrom("", "\n", "{}", "{ }\n", "\uFEFF{}")), { nil: undefined }),
      (text) => {
        const { files, setup } = world(text);
        expect(setup(false)).toBe("add");
        expect(setup(false)).toBe("same");
        expect(setup(true)).toBe("remove");
        expect(files.get(FILE)).toBe(text);
        expect(files.has(RECORD)).toBe(false);
        expect(setup(true)).toBe("absent");
      },
    ),
    { numRuns: 1_000 },
  );
});

it("property: a file that has changed since loses what was made for the entry, and nothing else", () => {
  fc.assert(
    fc.property(jsonFile, (text) => {
      const { files, setup } = world(text);
      setup(false);
      files.set(FILE, `${files.get(FILE)}\n// seen`);
      setup(true);
      expect(parse(files.get(FILE)!)).toEqual(parse(text));
      expect(files.get(FILE)).toContain("// seen");
      expect(files.has(RECORD)).toBe(false);
    }),
    { numRuns: 1_000 },
  );
});

it("property: the record holds nothing of the file but white space", () => {
  fc.assert(
    fc.property(jsonFile, (text) => {
      const { files, setup } = world(text);
      setup(false);
      const { undo } = JSON.parse(files.get(RECORD)!)[FILE] as { undo: { content: string }[] };
      expect(undo.map(({ content }) => content.trim()).join("")).toBe("");
    }),
  );
});

it("an edit that takes text away is not remembered: it may have been a secret", () => {
  const { files, record } = world("{}");
  record.remember(FILE, '{"key":"s3cret"}', [{ offset: 0, length: 16, content: "{}" }], { list: true, folders: [] });
  expect(files.get(RECORD) ?? "").not.toContain("s3cret");
  expect(record.before(FILE, "{}")).toBeUndefined();
});

it("edited or spoiled since, or without its record: only the entry goes", () => {
  for (const spoil of ["{", "[]", '{"/home/me/.cursor/mcp.json":7}', undefined]) {
    const { files, setup } = world('{ "a": 1 } // end\n');
    setup(false);
    if (spoil === undefined) files.delete(RECORD);
    else files.set(RECORD, spoil);
    setup(true);
    expect(parse(files.get(FILE)!)).toEqual({ a: 1, mcpServers: {} });
    expect(files.get(FILE)).toContain("// end");
  }
});
