import { readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { byCodeUnits } from "../../src/by-code-units.ts";
import { listing } from "../../src/mcp/tool-entry.ts";
import { textsOf } from "../../src/text/index.ts";
import type { JsonSchema } from "../../src/tools/define.ts";
import { TOOLS } from "../../src/tools/index.ts";
import { toolsOf } from "../support/tools-of.ts";

const FLAGS = ["read_only", "idempotent", "destructive", "open_world", "sensitive_sink"] as const;
/** What a `tools/list` of each mode costs, measured, and a tenth above it: growth should be a decision. */
const LIST_BYTES = { normal: 14_600, developer: 36_900, reports: 23_300 } as const;
/** A description starts with what the tool does, as an order or as the answer that it gives. */
const FIRST_WORDS =
  /^(Join|Ask|See|Switch|Create|Register|List|Submit|Decide|Get|Act|Compare|Merge|Brief|Report|Plan|Find|Read)\b/;

const titles = { en: textsOf("en").tools, zh: textsOf("zh").tools } as Record<"en" | "zh", Record<string, string>>;

/** What Gemini's function declarations take, the strictest that we know: with one keyword more the whole request is refused. */
const STRICTEST = new Set([
  ...["type", "title", "description", "format", "enum", "default", "anyOf"],
  ...["properties", "required", "additionalProperties", "items", "minItems", "maxItems"],
  ...["minLength", "maxLength", "pattern", "minimum", "maximum"],
]);

/** The keywords of a schema and of all below it; what it calls its properties are none. */
function keywords(schema: unknown): string[] {
  if (schema === null || typeof schema !== "object") return [];
  return Object.entries(schema).flatMap(([key, value]) => {
    const below = key === "properties" ? Object.values(value as object) : [value].flat();
    return [key, ...below.flatMap(keywords)];
  });
}

/** Every schema below this one, this one included. */
function* schemas(node: unknown): Generator<Record<string, unknown>> {
  if (node === null || typeof node !== "object") return;
  if (!Array.isArray(node)) yield node as Record<string, unknown>;
  for (const value of Object.values(node)) yield* schemas(value);
}

const keysOf = (schema: JsonSchema): string[] =>
  [...schemas(schema)].flatMap(({ properties }) =>
    properties !== null && typeof properties === "object" ? Object.keys(properties) : [],
  );

it("a tool is one file that is named as the tool", async () => {
  const files = (await readdir(new URL("../../src/tools", import.meta.url))).filter((f) => f.startsWith("towow_"));
  expect(files.map((file) => file.replace(/\.ts$/, "")).sort(byCodeUnits)).toEqual(
    TOOLS.map((tool) => tool.name).sort(byCodeUnits),
  );
});

it("names are unique, and every tool is in developer mode or in a toolset of its own", () => {
  expect(new Set(TOOLS.map((tool) => tool.name)).size).toBe(TOOLS.length);
  expect(toolsOf("developer")).toEqual(TOOLS.filter(({ toolsets }) => toolsets === undefined));
  for (const { modes, toolsets = [] } of TOOLS) expect(modes.length === 0).toBe(toolsets.length > 0);
  expect(toolsOf("normal").map((tool) => tool.name)).toEqual([
    "towow_join",
    "towow_demand",
    "towow_status",
    "towow_set_mode",
  ]);
});

describe.each(TOOLS.map((tool) => [tool.name, tool] as const))("%s", (name, tool) => {
  it("has a name that every client takes", () => {
    expect(name).toMatch(/^towow_[a-z_]+$/);
    expect(`mcp__towow-mcp__${name}`.length).toBeLessThanOrEqual(128);
  });

  it("declares every flag, and they do not contradict each other", () => {
    for (const flag of FLAGS) expect(tool[flag], flag).toBeTypeOf("boolean");
    if (tool.read_only) expect([tool.destructive, tool.sensitive_sink, tool.idempotent]).toEqual([false, false, true]);
  });

  it("is described in short, beginning with what it does", () => {
    expect(tool.description.length).toBeLessThanOrEqual(700);
    const [first = ""] = tool.description.split(/(?<=\.)\s/);
    expect(first).toMatch(FIRST_WORDS);
    expect(first.length).toBeLessThanOrEqual(140);
    expect(first.endsWith(".")).toBe(true);
  });

  it("has a title in both languages", () => {
    expect(titles.en[name]).toMatch(/^[A-Z]/);
    expect(titles.zh[name]).toMatch(/\p{Script=Han}/u);
  });

  it.each(["inputSchema", "outputSchema"] as const)("%s is one that no client drops", (which) => {
    const schema = tool[which];
    expect(schema.type).toBe("object");
    expect(Object.keys(schema).filter((key) => ["anyOf", "oneOf", "allOf", "$ref", "not"].includes(key))).toEqual([]);
    for (const key of keysOf(schema)) expect(key).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/);
    expect([...schemas(schema)].filter((part) => "$ref" in part || "$defs" in part)).toEqual([]);
  });

  it("takes its arguments by a schema that the strictest client takes", () => {
    expect(keywords(tool.inputSchema).filter((key) => !STRICTEST.has(key))).toEqual([]);
    for (const part of schemas(tool.inputSchema)) {
      if (Array.isArray(part.type)) expect(part.type).toBe("one type");
      if ("enum" in part) expect(part).toMatchObject({ type: "string" });
      if (typeof part.pattern === "string") expect(part.pattern).not.toMatch(/\(\?/); // RE2 looks neither ahead nor behind
    }
    expect(JSON.stringify(tool.outputSchema)).not.toContain('"propertyNames"');
  });

  it("takes no argument that it does not name", () => {
    expect(tool.inputSchema.additionalProperties).toBe(false);
  });

  it("is listed as the snapshot says", async () => {
    const listed = `${JSON.stringify(listing(tool, textsOf("en").tools), null, 2)}\n`;
    await expect(listed).toMatchFileSnapshot(`snapshots/${name}.snap.json`);
  });
});

it.each(["normal", "developer", "reports"] as const)("the list of %s stays small", (mode) => {
  const listed = mode === "reports" ? TOOLS.filter(({ toolsets }) => toolsets?.includes(mode)) : toolsOf(mode);
  for (const lang of ["en", "zh"] as const) {
    const tools = listed.map((tool) => listing(tool, textsOf(lang).tools));
    expect(Buffer.byteLength(JSON.stringify({ tools })), lang).toBeLessThanOrEqual(LIST_BYTES[mode]);
  }
});
