import { readdirSync, readFileSync } from "node:fs";
import { parse } from "@babel/parser";
import type { Expression, Node, TSType } from "@babel/types";
import { describe, expect, it } from "vitest";
import { duration, roughDuration } from "../../src/duration.ts";
import { ERROR_CODES, type ErrorCode } from "../../src/result/tool-error.ts";
import { textsReadBy } from "../../src/text/index.ts";
import { placesEn, placesZh } from "../../src/text/places.ts";
import { drawnFor, type Reader } from "../../src/text/reader.ts";
import { expectScreens, LANGS, type Lang } from "../support/screens.ts";

/** Every sentence, and those that are made of something with numbers at their edges and names that say which is which. */

const FOLDER = new URL("../../src/text/", import.meta.url);
const NUMBERS = [-600, 0, 1, 2, 600];
/** What stands for the numbers of a sentence while another one is at its edges. */
const BESIDES = [7, 5, 3];

interface Param {
  name: string;
  type: TSType | undefined;
}
type Kind = "number" | "string" | "list" | "boolean" | "other";

/** The functions in the English objects of a module of texts, by the path of their names, with what they take. */
function functionsIn(file: string): Map<string, Param[]> {
  const found = new Map<string, Param[]>();
  const { program } = parse(readFileSync(new URL(file, FOLDER), "utf8"), {
    sourceType: "module",
    plugins: ["typescript"],
  });
  const walk = (node: Expression | Node, path: string): void => {
    if (node.type === "TSSatisfiesExpression" || node.type === "TSAsExpression") walk(node.expression, path);
    // Each reader's line takes the same; the model's names the types.
    if (node.type === "CallExpression" && node.callee.type === "Identifier" && node.callee.name === "byReader")
      for (const line of node.arguments)
        if (line.type === "ObjectExpression" && line.properties[0]?.type === "ObjectProperty")
          walk(line.properties[0].value, path);
    // The first is the English one, which names the types.
    if (node.type === "ArrowFunctionExpression" && !found.has(path)) found.set(path, node.params.map(paramOf));
    if (node.type !== "ObjectExpression") return;
    for (const property of node.properties)
      if (property.type === "ObjectProperty") {
        const key =
          property.key.type === "Identifier"
            ? property.key.name
            : property.key.type === "StringLiteral"
              ? property.key.value
              : "";
        walk(property.value, path === "" ? key : `${path}.${key}`);
      }
  };
  for (const statement of program.body) {
    const declared = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    if (declared?.type !== "VariableDeclaration") continue;
    for (const { init } of declared.declarations) if (init) walk(init, "");
  }
  return found;
}

function paramOf(node: Node): Param {
  if (node.type === "AssignmentPattern") return paramOf(node.left);
  if (node.type !== "Identifier") return { name: "it", type: typeOf(node) };
  return { name: node.name, type: typeOf(node) };
}
const typeOf = (node: Node): TSType | undefined =>
  "typeAnnotation" in node && node.typeAnnotation?.type === "TSTypeAnnotation"
    ? node.typeAnnotation.typeAnnotation
    : undefined;

function kindOf(type: TSType | undefined): Kind {
  switch (type?.type) {
    case "TSNumberKeyword":
      return "number";
    case "TSStringKeyword":
      return "string";
    case "TSBooleanKeyword":
      return "boolean";
    case "TSArrayType":
    case "TSTypeOperator":
      return "list";
    case "TSUnionType":
      return kindOf(type.types.find((one) => one.type !== "TSUndefinedKeyword"));
    default:
      return "other";
  }
}

/** What stands there for a value: its name, so that one in another's place is seen. */
function sample(name: string, type: TSType | undefined): unknown {
  if (type?.type === "TSTypeLiteral")
    return Object.fromEntries(
      type.members.flatMap((member) =>
        member.type === "TSPropertySignature" && member.key.type === "Identifier"
          ? [[member.key.name, sample(member.key.name, typeOf(member))]]
          : [],
      ),
    );
  switch (kindOf(type)) {
    case "number":
      return BESIDES[0];
    case "boolean":
      return true;
    case "list":
      return [`‹${name} 1›`, `‹${name} 2›`];
    default:
      return `‹${name}›`;
  }
}

type Sentence = (...args: unknown[]) => unknown;
const written = (value: unknown): string =>
  (typeof value === "string" ? value : JSON.stringify(value)).replaceAll("\n", "⏎");

/** A sentence with all that it may be given, a line each. */
function linesOf(sentence: Sentence, params: readonly Param[]): string[] {
  const kinds = params.map(({ type }) => kindOf(type));
  let number = 0;
  const usual = params.map(({ name, type }, i) =>
    kinds[i] === "number" ? BESIDES[number++ % BESIDES.length] : sample(name, type),
  );
  const given = (args: unknown[]): string => {
    try {
      return written(sentence(...args));
    } catch {
      return "(takes something else)";
    }
  };
  if (number > 0)
    return params.flatMap(({ name }, i) =>
      kinds[i] !== "number"
        ? []
        : NUMBERS.map((n) => `${number > 1 ? `${name} ` : ""}${n}: ${given(usual.with(i, n))}`),
    );
  const others = params.flatMap((_, i) => (kinds[i] === "boolean" ? [usual.with(i, false)] : []));
  const without = params.some(({ type }) => type?.type === "TSUnionType")
    ? [usual.map((value, i) => (params[i]?.type?.type === "TSUnionType" ? undefined : value))]
    : [];
  return [usual, ...others, ...without].map(given);
}

function at(texts: unknown, path: string): unknown {
  return path.split(".").reduce((value, key) => (value as Record<string, unknown> | undefined)?.[key], texts);
}

/** What is always the same, by its path; errors are printed by themselves. */
function plainIn(value: unknown, path: string): [path: string, text: string][] {
  if (typeof value === "string") return [[path, value]];
  if (value === null || typeof value !== "object" || path === "errors") return [];
  const inner = (key: string) => (path === "" ? key : `${path}.${key}`);
  return Object.entries(value).flatMap(([key, one]) => plainIn(one, inner(key)));
}

const READERS: readonly Reader[] = [
  { who: "model" },
  { who: "person" },
  { who: "room" },
  { who: "endpoint", room: "‹room›" },
];

/** Lines as the model reads them, then those that another reader sees otherwise. */
function forEveryReader(linesFor: (reader: Reader) => readonly string[]): string[] {
  const [models, ...others] = READERS.map((reader) => ({ who: reader.who, lines: linesFor(reader) }));
  const own = others.flatMap(({ who, lines }) =>
    lines.filter((line, i) => line !== models!.lines[i]).map((line) => `${who}: ${line}`),
  );
  return [...models!.lines, ...own];
}

/** The texts of a module in one language: as its function gives them, or as it exports them. */
async function textsIn(file: string, lang: Lang): Promise<unknown[]> {
  const name = lang === "zh" ? file.replace(/\.en\.ts$/, ".zh.ts").replace(/^en\.ts$/, "zh.ts") : file;
  const module = (await import(new URL(name, FOLDER).href)) as Record<string, unknown>;
  const isByLanguage = /(^|\.)(en|zh)\.ts$/.test(name);
  const suffix = lang === "zh" ? "Zh" : "En";
  return Object.entries(module).flatMap(([key, value]) => {
    if (isByLanguage || key.endsWith(suffix)) return [value];
    return typeof value === "function" && /Texts$|^texts/.test(key) ? [value(lang)] : [];
  });
}

const PLACES = { en: placesEn, zh: placesZh };
const FILES = readdirSync(FOLDER).filter((file) => file.endsWith(".ts") && !/(^|\.)zh\.ts$|^index\.ts$/.test(file));

describe.each(LANGS)("sentences: %s", (lang) => {
  it("each, with what it is made of", async () => {
    const screens: Record<string, string> = {};
    for (const file of FILES) {
      const raw = await textsIn(file, lang);
      const textsReadBy = (reader: Reader) =>
        raw.map((one) => (typeof one === "object" && one !== null ? drawnFor(one, reader, PLACES[lang]) : one));
      const texts = textsReadBy({ who: "model" });
      const blocks = [...functionsIn(file)].flatMap(([path, params]) => {
        const sentenceOf = (all: readonly unknown[]) =>
          all.map((one) => at(one, path)).find((one) => typeof one === "function");
        if (sentenceOf(texts) === undefined) return [];
        const lines = forEveryReader((reader) => linesOf(sentenceOf(textsReadBy(reader)) as Sentence, params));
        return [lines.length === 1 ? `${path}: ${lines[0]}` : [path, ...lines.map((line) => `  ${line}`)].join("\n")];
      });
      const plain = forEveryReader((reader) =>
        textsReadBy(reader)
          .flatMap((one) => plainIn(one, ""))
          .map(([path, text]) => `${path}: ${written(text)}`),
      );
      blocks.push(...new Set(plain));
      if (blocks.length > 0) screens[file.replace(/(\.en)?\.ts$/, "")] = blocks.join("\n");
    }
    screens["the time that is left, by seconds"] = [-600, 0, 1, 2, 59, 60, 600, 3_599, 3_600, 86_520]
      .map((s) => `${s}: ${duration(s * 1_000)}`)
      .join("\n");
    screens["how long to wait, by seconds"] = [-600, 0, 1, 2, 119, 120, 600, 7_199, 7_200, 86_400]
      .map((s) => `${s}: ${roughDuration(s * 1_000, lang)}`)
      .join("\n");
    await expectScreens("sentences", lang, screens);
  });

  it("of every error: what happened, and what to do next", async () => {
    const codes = Object.keys(ERROR_CODES) as ErrorCode[];
    const linesFor = (code: ErrorCode) => (reader: Reader) => {
      const { message, ...ways } = textsReadBy(reader)(lang).errors[code];
      return [
        message,
        ...Object.entries(ways).map(([when, text]) => (when === "recovery" ? text : `${when}: ${text}`)),
      ];
    };
    const screens = Object.fromEntries(codes.map((code) => [code, forEveryReader(linesFor(code)).join("\n")]));
    expect(codes.length).toBeGreaterThan(100);
    await expectScreens("errors", lang, screens);
  });
});
