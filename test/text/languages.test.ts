import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";

/** Every sentence of the product, in the language that it was asked for. */

const FOLDER = new URL("../../src/text/", import.meta.url);
const HAN = /\p{Script=Han}/u;
/** What a person reads in English with Chinese in it: names, and words that they may type in either language. */
const NAMES = /通爻|中文|简体/g;

type Lang = "en" | "zh";
const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));

/** All texts below a value, functions with what they may be given: a sentence with a number, a name, a list, a yes. */
function textsIn(value: unknown, at: string): [at: string, text: string][] {
  if (typeof value === "string") return [[at, value]];
  if (typeof value === "function")
    return written(value as (...args: unknown[]) => unknown).flatMap((one) => textsIn(one, `${at}()`));
  if (value === null || typeof value !== "object" || value instanceof RegExp) return [];
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return entries.flatMap(([key, inner]) => textsIn(inner, `${at}.${key}`));
}

function written(sentence: (...args: unknown[]) => unknown): unknown[] {
  const said: unknown[] = [];
  for (const arg of [2, 1, 0, "x", ["x"], true, undefined, { x: "x" }]) {
    try {
      const one = sentence(arg, arg, arg, arg);
      if (typeof one === "string" || Array.isArray(one)) said.push(one);
    } catch {} // it takes something else
  }
  return said;
}

/** What a module of texts holds in one language: what it is asked by, what it keeps by language, what its name says. */
async function catalogue(file: string, lang: Lang): Promise<[string, string][]> {
  const module = (await import(new URL(file, FOLDER).href)) as Record<string, unknown>;
  const other = lang === "en" ? "zh" : "en";
  if (file.endsWith(`${lang}.ts`)) return Object.entries(module).flatMap(([name, value]) => textsIn(value, name));
  if (file.endsWith(`${other}.ts`)) return [];
  return Object.entries(module).flatMap(([name, value]) => {
    if (typeof value === "function" && (name.endsWith("Texts") || name.startsWith("texts")))
      return textsIn(value(lang), name);
    const own = (value as Record<Lang, unknown> | undefined)?.[lang];
    return own === undefined ? [] : textsIn(own, name);
  });
}

describe.each(["en", "zh"] as const)("in %s", (lang) => {
  it(lang === "en" ? "no English sentence is in Chinese" : "no Chinese sentence is in English alone", async () => {
    const all = (
      await Promise.all(
        files.map(async (file) => (await catalogue(file, lang)).map(([at, text]) => [`${file} ${at}`, text] as const)),
      )
    ).flat();
    const wrong =
      lang === "en"
        ? all.filter(([, text]) => HAN.test(text.replace(NAMES, "")))
        : all.filter(([, text]) => !HAN.test(text) && /^[A-Z][a-z]+(?: [a-z]+){3,}.*\.$/.test(text));
    expect(wrong).toEqual([]);
    expect(all.length).toBeGreaterThan(1_500);
  });
});
