import fc from "fast-check";
import { applyEdits, parse as parseJson } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { TowowError } from "../../src/errors.ts";
import { jsonDocument } from "../../src/setup/json-document.ts";
import { tomlDocument } from "../../src/setup/toml-document.ts";
import { document, mutatedBytes, mutatedJson } from "./material.ts";
import { target } from "./target.ts";

const ENTRY = { command: "towow-mcp", args: ["--mode", "normal"] };
const GOOD = {
  theme: "dark",
  servers: { other: { command: "x", env: { A: "1" } }, towow: ENTRY },
  list: [1, { a: null }],
};
const JSONC = `// mine\n{\n  "theme": "dark", /* b */\n  "servers": {\n    "other": { "command": "x" }, // theirs\n    "towow": {}\n  },\n}\n`;
const TOML = `# mine\ntheme = "dark"\n\n[servers.other]\ncommand = "x"\nat = 2026-11-21T00:00:00Z\n\n[servers.towow]\ncommand = "old"\n\n[servers.towow.env]\nA = "1" # theirs\n\n[[list]]\na = 1\n`;
const bent = (text: string) => mutatedBytes(fc.constant(Buffer.from(text)));

type Format = "strict" | "json" | "toml";
const input: fc.Arbitrary<{ format: Format; bytes: Buffer }> = fc.oneof(
  fc.record({ format: fc.constantFrom<Format>("strict", "json"), bytes: document(mutatedJson(fc.constant(GOOD))) }),
  fc.record({ format: fc.constant<Format>("json"), bytes: bent(JSONC) }),
  fc.record({ format: fc.constant<Format>("toml"), bytes: bent(TOML) }),
);

/** Files of other programs, into which setup writes one entry: changed there and nowhere else, or refused. */
export const clientFiles = target({
  name: "client files",
  batch: 500,
  input,
  open: () => ({
    check({ format, bytes }) {
      const read = (text: string) => {
        const place = { path: "file", key: "servers" };
        const refuses = format === "strict" ? (["bom", "comments", "trailing_commas"] as const) : [];
        return format === "toml" ? tomlDocument(text, place) : jsonDocument(text, place, refuses);
      };
      const before = bytes.toString("utf8");
      const doc = orRefused(() => read(before));
      if (doc === undefined) return;
      const put = orRefused(() => doc.put(ENTRY));
      if (put !== undefined) {
        const after = applyEdits(before, put);
        if (textOf(read(after).entry) !== textOf(ENTRY)) throw new Error("another entry than was put there");
        if (others(after, format) !== others(before, format)) throw new Error(`changed: ${after}`);
      }
      const drop = orRefused(() => doc.drop());
      if (drop === undefined) return;
      const without = applyEdits(before, drop);
      if (read(without).entry !== undefined) throw new Error("still there");
      if (others(without, format) !== others(before, format)) throw new Error(`changed: ${without}`);
    },
  }),
});

function orRefused<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof TowowError) return undefined;
    throw error;
  }
}

/** Everything in the file but the entry, as one text; servers that hold nothing else count as none. */
function others(text: string, format: Format): string {
  const source = text.replace(/^\uFEFF/, "");
  const isToml = format === "toml";
  const value = isToml
    ? parseToml(source, { integersAsBigInt: "asNeeded" })
    : parseJson(source, [], { allowTrailingComma: true });
  const { servers, ...rest } = (value ?? {}) as { servers?: Record<string, unknown> };
  const { towow: _, ...more } = servers ?? {};
  return textOf([rest, more]);
}

/** What is too deep to be compared was too deep to be read, or is compared by its edits alone. */
function textOf(value: unknown): string {
  try {
    return JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? String(one) : one));
  } catch (error) {
    if (error instanceof RangeError) return "too deep";
    throw error;
  }
}
