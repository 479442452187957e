import type { CliTexts } from "../../text/cli.ts";
import { InvalidArguments } from "../../tools/validate.ts";

type Words = CliTexts["call"]["problem"];

/**
 * Reads a tool's arguments from a command line: nothing, one JSON object, `-` for an object on stdin, `key=value` pairs, or `@`
 * with the short id of an earlier call whose arguments were stored. `readKept` returns those stored arguments, or undefined if
 * no call of this tool is stored under the id.
 */
export async function readArguments(
  given: readonly string[],
  readStdin: () => Promise<string>,
  words: Words,
  readKept: (id: string) => Promise<Record<string, unknown> | undefined>,
): Promise<Record<string, unknown>> {
  const [first, ...more] = given;
  if (first === undefined) return {};
  if (more.length === 0 && first.startsWith("@")) {
    const kept = await readKept(first.slice(1));
    if (kept === undefined) throw wrong(beginningOf(first), words.notKept);
    return kept;
  }
  if (more.length === 0 && first === "-") return objectOf(await readStdin(), words, wrongly("stdin"));
  if (more.length === 0 && first.trimStart().startsWith("{"))
    return objectOf(first, words, wrongly(beginningOf(first)));
  const object = given.find((one) => one.trimStart().startsWith("{"));
  if (object !== undefined) throw wrong(beginningOf(object), words.mixed);
  const pairs = given.map((pair) => pairOf(pair, words));
  const twice = pairs.find(([key], at) => pairs.findIndex(([one]) => one === key) !== at);
  if (twice !== undefined) throw wrong(twice[0], words.twice);
  // Values stay text, because the tool's own schema reads numbers, booleans and lists, as for every client.
  return Object.fromEntries(pairs);
}

/** Parses one JSON object. @throws what `refused` makes of the problem if the text is anything else */
export function objectOf(text: string, words: Words, refused: (problem: string) => Error): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    throw refused(words.notJson);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw refused(words.notObject);
  return value as Record<string, unknown>;
}

const beginningOf = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

function pairOf(pair: string, words: Words): [string, string] {
  const at = pair.indexOf("=");
  if (at < 1) throw wrong(beginningOf(pair), words.notPair);
  return [pair.slice(0, at), pair.slice(at + 1)];
}

/** Returns the error for a wrong argument or a wrong part of a request. */
export const wrong = (field: string, problem: string) =>
  new InvalidArguments("tool.input.invalid.arguments", { field, problem });

const wrongly = (field: string) => (problem: string) => wrong(field, problem);
