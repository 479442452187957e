import { join } from "node:path";
import { readConfigFile } from "../home/file.ts";
import { homeOf, localeOf } from "./home-folder.ts";

/**
 * Maps a key such as `legacy initialize`, which holds the protocol's era and the method, to the result that the real
 * server gives.
 */
export type HandshakeAnswers = Readonly<Record<string, unknown>>;

/**
 * The recorded answers of all modes and languages. An entry that several lists share is stored once in `entries`, and the lists
 * hold indexes into it. A schema that several entries share is stored once in `values`: a number in an entry is an index
 * into it.
 */
export interface AnswersFile {
  values: readonly object[];
  entries: readonly Readonly<Record<string, string | number>>[];
  /** The answers, by a key of mode, language, era and method, such as `normal.en legacy initialize`. */
  answers: Readonly<Record<string, { result: object; lists: Readonly<Record<string, readonly number[]>> }>>;
}

/** Returns a file's answers for a mode and language, such as `normal.en`. */
export function answersFor({ values, entries, answers }: AnswersFile, name: string): HandshakeAnswers {
  const whole = entries.map((entry) => mapped(entry, (value) => (typeof value === "number" ? values[value] : value)));
  return Object.fromEntries(
    Object.entries(answers)
      .filter(([key]) => key.startsWith(`${name} `))
      .map(([key, { result, lists }]) => [
        key.slice(name.length + 1),
        mapped(result, (value, field) => lists[field]?.map((at) => whole[at]) ?? value),
      ]),
  );
}

/** Returns an object with other values. The fields keep the order in which the server wrote them. */
const mapped = (from: object, change: (value: unknown, name: string) => unknown): object =>
  Object.fromEntries(Object.entries(from).map(([name, value]) => [name, change(value, name)]));

/** Settings other than mode and language that change the lists. */
const NARROWING = ["toolset", "allow_tools", "exclude_tools", "profile"];

/**
 * Returns the mode and language of this environment, such as `normal.en`. Returns undefined if only the real server can
 * answer.
 */
export function answersName(env: NodeJS.ProcessEnv): string | undefined {
  const { values } = readConfigFile(join(homeOf(env), "config.json"), { tighten: false });
  const settings = (names: string[]): unknown[] =>
    [...names.map((name) => env[`TOWOW_${name.toUpperCase()}`]), ...names.map((name) => values[name])].filter(
      (value) => value !== undefined && value !== "",
    );
  if (settings(NARROWING).length > 0) return undefined;
  const [mode = "normal"] = settings(["mode"]);
  const [lang = /^zh(\b|_)/i.test(localeOf(env) ?? "") ? "zh" : "en"] = settings(["lang", "language"]);
  return (mode === "normal" || mode === "developer") && (lang === "zh" || lang === "en")
    ? `${mode}.${lang}`
    : undefined;
}
