import { join } from "node:path";
import { readConfigFile } from "../home/file.ts";
import { homeOf, localeOf } from "./home-folder.ts";

/**
 * Maps a key such as `legacy initialize`, which holds the protocol's era and the method, to the result that the real
 * server gives.
 */
export type HandshakeAnswers = Readonly<Record<string, unknown>>;

/**
 * The recorded answers in one language. An item that several answers share is stored once in `entries`, and their lists
 * hold indexes into it.
 */
export interface AnswersFile {
  entries: readonly unknown[];
  /** The answers, by a key of mode, era and method. */
  answers: Readonly<Record<string, { result: object; lists: Readonly<Record<string, readonly number[]>> }>>;
}

/** Returns a file's answers for one mode. */
export const answersForMode = ({ entries, answers }: AnswersFile, mode: string): HandshakeAnswers =>
  Object.fromEntries(
    Object.entries(answers)
      .filter(([key]) => key.startsWith(`${mode} `))
      .map(([key, { result, lists }]) => [
        key.slice(mode.length + 1),
        // The fields keep the order in which the server wrote them.
        Object.fromEntries(
          Object.entries(result).map(([name, value]) => [name, lists[name]?.map((at) => entries[at]) ?? value]),
        ),
      ]),
  );

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
