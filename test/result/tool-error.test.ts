import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { byCodeUnits } from "../../src/by-code-units.ts";
import { Failure } from "../../src/errors.ts";
import { ERROR_CODES, toToolError } from "../../src/result/tool-error.ts";
import { textsOf } from "../../src/text/index.ts";
import { TOOLS } from "../../src/tools/index.ts";

const SCOPES = ["scene", "agent", "negotiation", "config", "auth", "backend", "input", "policy", "budget"];
const CATEGORIES = [
  "invalid",
  "not_found",
  "conflict",
  "unauthorized",
  "unavailable",
  "timeout",
  "blocked",
  "internal",
];
const CODE = new RegExp(`tool\\.(?:${SCOPES.join("|")})\\.(?:${CATEGORIES.join("|")})\\.[a-z_]+`, "g");
/** Made of another code, by what was lost. */
const DERIVED = ["submit", "registration", "scene"].map((what) => `tool.backend.timeout.${what}_outcome_unknown`);
/** What is left when nothing else fits. */
const INTERNAL = "tool.backend.internal.unexpected";

const codes = Object.keys(ERROR_CODES);
const read = (folder: string) => {
  const root = new URL(`../../${folder}/`, import.meta.url);
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  return new Map(files.map((file) => [`${folder}/${file}`, readFileSync(new URL(file, root), "utf8")]));
};
const sources = read("src");
const tests = read("test");

it("the code is tool.<scope>.<category>.<reason>, of known words", () => {
  expect(codes.filter((code) => code.match(CODE)?.[0] !== code)).toEqual([]);
});

it("every class of failure has a code that the table holds", () => {
  const declared = [...sources.values()].flatMap((text) => [
    ...text.matchAll(/^(?:export )?(abstract )?class (\w+).* extends (\w+).*\{\n([\s\S]*?)^\}/gm),
  ]);
  const family = new Set(["TowowError"]);
  for (const _ of declared) for (const [, , name, parent] of declared) if (family.has(parent!)) family.add(name!);
  const failures = declared.filter(([, abstract, name]) => family.has(name!) && abstract === undefined);
  expect(failures.length).toBeGreaterThan(20);
  const codeOf = new Map(failures.map(([, , name, , body]) => [name, /code = "([^"]+)"/.exec(body!)?.[1]]));
  // Those without one of their own are given it by whoever throws them: the next test reads those.
  const given = failures.filter(([, , , , body]) => /readonly code: string;/.test(body!)).map(([, , name]) => name!);
  expect(given.sort(byCodeUnits)).toEqual([
    "BackendFailure",
    "BudgetExceeded",
    "Failure",
    "InvalidArguments",
    "NeedsOwnHand",
  ]);
  const own = [...codeOf].filter(([name]) => !given.includes(name!));
  expect(own.filter(([, code]) => !codes.includes(code ?? ""))).toEqual([]);
  expect(new Set(own.map(([, code]) => code)).size).toBe(own.length); // one class, one code
});

it("every code that stands in the source is in the table, and every one of the table comes from somewhere", () => {
  const own = /^src\/(?:result\/tool-error|text\/(?:errors\/.+))\.ts$/;
  const others = [...sources].filter(([file]) => !own.test(file)).map(([, text]) => text);
  const used = others.flatMap((text) => text.match(CODE) ?? []);
  const starts = others.flatMap((text) => [...text.matchAll(/`(tool\.[a-z_.]+\.)\$\{/g)].map(([, start]) => start!));
  expect([...new Set(used)].filter((code) => !codes.includes(code))).toEqual([]);
  const unused = codes.filter((code) => !used.includes(code) && !starts.some((start) => code.startsWith(start)));
  expect(unused).toEqual([...DERIVED, INTERNAL]);
});

it("every code has its two sentences in both languages, with the same blanks", () => {
  const [errorsEn, errorsZh] = [textsOf("en").errors, textsOf("zh").errors];
  const blanks = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort(byCodeUnits);
  expect(Object.keys(errorsZh).sort(byCodeUnits)).toEqual(Object.keys(errorsEn).sort(byCodeUnits));
  expect(Object.keys(errorsEn).sort(byCodeUnits)).toEqual([...codes].sort(byCodeUnits));
  for (const [code, en] of Object.entries(errorsEn)) {
    const zh = errorsZh[code as keyof typeof errorsEn];
    expect(blanks(zh.message), code).toEqual(blanks(en.message));
    expect(blanks(zh.recovery), code).toEqual(blanks(en.recovery));
    expect(zh.recoveryOfWrite === undefined, code).toBe(en.recoveryOfWrite === undefined);
    for (const text of [en.message, en.recovery, en.recoveryOfWrite ?? en.recovery])
      expect(text, code).toMatch(/^[^\p{Script=Han}]+(\.|: towow-mcp (?:\w[\w -]*|\{args\}))$/u);
    for (const text of [zh.message, zh.recovery, zh.recoveryOfWrite ?? zh.recovery])
      expect(text, code).toMatch(/\p{Script=Han}.*(。|：towow-mcp (?:\w[\w -]*|\{args\}))$/u);
  }
});

it("leads only to tools that there are", () => {
  const names = TOOLS.map((tool) => tool.name);
  for (const [code, { next }] of Object.entries(ERROR_CODES))
    expect(
      next.filter((tool) => !names.includes(tool)),
      code,
    ).toEqual([]);
});

it("every code is produced by some test", () => {
  // Those of this folder make their errors by hand.
  const others = [...tests].filter(([file]) => !file.startsWith("test/agent/"));
  const produced = new Set(others.flatMap(([, text]) => text.match(CODE) ?? []));
  expect(codes.filter((code) => !produced.has(code))).toEqual([]);
});

it("a list of our own names has the comma of its language", () => {
  const error = new Failure("tool.config.invalid.unknown_key", { key: "moode", known: ["mode", "lang"] });
  const said = (lang: "en" | "zh") =>
    toToolError(error, { texts: textsOf(lang), idempotent: false, callable: () => false }).recovery_suggestion;
  expect(said("en")).toContain("mode, lang");
  expect(said("zh")).toContain("mode、lang");
});
