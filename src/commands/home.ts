import { join } from "node:path";
import { nanoid } from "nanoid";
import { homeOf, localeOf } from "../app/home-folder.ts";
import type { Io } from "../app/io.ts";
import { platformOf } from "../app/platform.ts";
import { createBrowserFiles } from "../home/browser-files.ts";
import { ConfigStore } from "../home/config-store.ts";
import { currentUser } from "../home/current-user.ts";
import { HomeInvalid } from "../home/errors.ts";
import { type ConfigFile, type ConfigWarning, readConfigFile } from "../home/file.ts";
import { resolveAll } from "../home/settings.ts";
import { KnownBrowsers } from "../session/known-browsers.ts";
import { type CliTexts, cliTexts } from "../text/cli.ts";
import { print, printError } from "./print.ts";

/** The home for commands that read or change its files and settings without talking to a backend. */
export interface Home {
  readonly path: string;
  readonly store: ConfigStore;
  readonly io: Io;
  /** Reads the files again, and returns every key as it resolves now. */
  settings(): ReturnType<typeof resolveAll>;
  /** Returns who this home is to the configured backend. The backend is not asked. */
  who(): ReturnType<typeof currentUser>;
  readonly lang: "zh" | "en";
  readonly texts: CliTexts;
}

/** Opens the home without writing anything, and reports on stderr what is wrong with the config file. */
export function openHome(io: Io): Home {
  const path = homeOf(io.env);
  const onLongWait = (lock: string) => void printError(io, `${cliTexts(homeLanguage(io.env)).waitsForLock(lock)}\n`);
  const store = new ConfigStore(platformOf(io), path, onLongWait);
  const read = store.read();
  const settings = () => resolveAll({ env: io.env, file: store.read().values, locale: localeOf(io.env) });
  const lang = langOf(settings());
  const who = () => currentUser(settings(), store.read().values, path, io.clock.now());
  const home: Home = { path, store, io, settings, who, lang, texts: cliTexts(lang) };
  warn(home, read.warnings);
  return home;
}

/** Returns the language of this home's settings, or of the environment if there can be no home. */
export function homeLanguage(env: NodeJS.ProcessEnv): "zh" | "en" {
  return langOf(resolveAll({ env, file: fileOf(env), locale: localeOf(env) }));
}

function fileOf(env: NodeJS.ProcessEnv): ConfigFile {
  try {
    // Reading the language must not change the file's mode. The doctor reports a file that others can read.
    return readConfigFile(join(homeOf(env), "config.json"), { tighten: false }).values;
  } catch (error) {
    if (error instanceof HomeInvalid) return {};
    throw error;
  }
}

/** Returns the language of the settings. A refused value counts as none. */
export const langOf = (settings: ReturnType<typeof resolveAll>): "zh" | "en" =>
  settings.get("lang")?.value === "zh" ? "zh" : "en";

/** Reports on stderr what is wrong with the config file. */
export function warn({ io, texts }: Home, warnings: readonly ConfigWarning[]): void {
  for (const { code, params } of warnings) {
    const { path = "", kept, reason = "", keys = "" } = params;
    const say = texts.warning;
    const line =
      code === "config_corrupt"
        ? say[code](path, reason, kept)
        : say[code](path, code === "config_key_twice" ? keys : reason);
    void printError(io, `${line}\n`);
  }
}

/** Returns the browsers in which the person of a home decides. */
export const browsersOf = (home: string, io: Pick<Io, "clock">): KnownBrowsers =>
  new KnownBrowsers(platformOf(io), createBrowserFiles(home, nanoid));

/** Returns whether a person can read and type here, which needs a terminal at both stdin and stdout. */
export const atTerminal = ({ stdin, stdout }: Io): boolean => stdin.isTTY === true && stdout.isTTY === true;

/**
 * Asks at the terminal, and returns true if one of these words is typed, by default "yes". Everything else is a no,
 * including Ctrl-C and Ctrl-D.
 */
export async function typedYes(io: Io, question: string, words: readonly string[] = ["yes"]): Promise<boolean> {
  const { typedLine } = await import("./terminal.ts"); // Loaded here, because most commands ask nothing.
  const line = await typedLine(io, () => question);
  if (line === undefined) void print(io, "\n"); // The question's line is still open.
  return line !== undefined && words.includes(line.toLowerCase());
}
