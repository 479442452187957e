import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { withSchemasWhenAsked } from "../build-schemas.ts";

const PARTS = ["build$1", "build", "registryMaps"];
type Table = { [name: string]: z.ZodType | Table };

const source = (name: string): string => {
  const folder = fileURLToPath(new URL(`../node_modules/@modelcontextprotocol/${name}/dist/`, import.meta.url));
  const file = readdirSync(folder).find((one) => /^src-\w+\.mjs$/.test(one));
  return readFileSync(`${folder}${file}`, "utf8");
};

/** What a file of the SDK's makes, of both revisions and sorted by method. What they use of other parts is a name here. */
function tablesOf(text: string): Table {
  const parts = PARTS.map((name) => text.slice(text.indexOf(`\nfunction ${name}()`)).split(/^\}$/m)[0]);
  const helpers = /^const madeLater[\s\S]*/m.exec(text)?.[0] ?? "";
  const names = [...new Set(parts.join("").match(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g))];
  return runInNewContext(
    `${names.map((name) => `const ${name} = ["${name}"];`).join("\n")}
    ${helpers}
    ${parts.map((part) => `${part}}`).join("\n")}
    let maps$1;
    const of2025 = build$1();
    function buildSchemas2025() { return of2025; }
    ({ of2025, of2026: build(), sorted: registryMaps() })`,
    { z, normalizeContentlessToolResult: (value: unknown) => value, atob },
  );
}

/** By its path, each schema as JSON Schema. */
function* written(table: Table, path = ""): Generator<[string, unknown]> {
  for (const name of Object.keys(table)) {
    const value = table[name] as z.ZodType | Table;
    if (!("_zod" in value)) yield* written(value as Table, `${path}${name} `);
    else yield [`${path}${name}`, z.toJSONSchema(value as z.ZodType, { io: "input", unrepresentable: "any" })];
  }
}

describe("the bundle's copy of the SDK", () => {
  it.each(["server", "client"])("%s: makes no schema before it is asked for, and then the SDK's own", (name) => {
    const text = source(name);
    const own = Object.fromEntries(written(tablesOf(text)));
    const later = Object.fromEntries(written(tablesOf(withSchemasWhenAsked(text))));
    expect(Object.keys(own).length).toBeGreaterThan(200);
    expect(later).toEqual(own);
  });
});
