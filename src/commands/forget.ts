import { lstatSync, readlinkSync, realpathSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { nanoid } from "nanoid";
import { requireHistoryFolder } from "../app/history-folder.ts";
import type { Io } from "../app/io.ts";
import { Failure } from "../errors.ts";
import { HomeUnwritable } from "../home/errors.ts";
import { asUnwritable, type ConfigFile, isObject, readConfigFile } from "../home/file.ts";
import { withoutLast } from "../home/last-ids.ts";
import { shownPath } from "../home/shown-file.ts";
import { createTaintFile, taintPath } from "../home/taint-file.ts";
import { type Kept, keptIn } from "./forget/files.ts";
import { isLink } from "./forget/folders.ts";
import { removeEmpty, removeEmptyFolders, SetupInHome, traces } from "./forget/rest.ts";
import { atTerminal, browsersOf, type Home, openHome, typedYes } from "./home.ts";
import { print, printError, printText } from "./print.ts";
import { endSandbox } from "./sandbox.ts";

export interface ForgetOptions {
  io: Io;
  root: URL;
  history?: boolean;
  identity?: boolean;
  logs?: boolean;
  all?: boolean;
  yes?: boolean;
  force?: boolean;
}

interface Scope {
  history: boolean;
  identity: boolean;
  logs: boolean;
  browsers: boolean;
  sandbox: boolean;
  /** True if the config file and empty folders are removed. */
  rest: boolean;
}

const IDENTITY_KEYS = ["user_id", "api_token", "identities", "token_origins", "last_scene_id", "last_name_hash"];

/**
 * `towow-mcp forget` erases what this machine remembers, by default the history. `--all` also erases the settings and the rest
 * of the home, except copies of the program that clients still start and, without a terminal, limits that only a person may
 * loosen. Unless `--force` is given, the command refuses while a demand waits for a decision, because nobody could then decide
 * on it or withdraw it. Links are removed but never followed, and a home that is a link must be named by its real path. The
 * exit status is 1 if the command refuses or the person says no.
 */
export async function forget({ io, root, yes, force, ...wanted }: ForgetOptions): Promise<void> {
  const home = openHome(io);
  const texts = home.texts.forget;
  const { history, identity, logs, all } = wanted;
  const named = history || identity || logs || all;
  const at = lstatSync(home.path, { throwIfNoEntry: false });
  if (at?.isFile()) throw new HomeUnwritable({ path: home.path, reason: "ENOTDIR" });
  if (isLink(home.path)) return refuse(io, texts.linkedHome(home.path, realpathSync(home.path)));
  const scope: Scope = {
    history: Boolean(history || all || !named),
    identity: Boolean(identity || all),
    logs: Boolean(logs || all),
    browsers: Boolean(all),
    sandbox: Boolean(all),
    rest: Boolean(all),
  };
  if (scope.history) requireHistoryFolder(home.path);
  const kept = keptIn(home.path, io.clock.now());
  // Under `strict`, and after others' text was read, a model with a shell must not be able to loosen anything this way.
  const isStrict = home.settings().get("confirmation_policy")?.value === "strict" && !atTerminal(io);
  const isTainted = !atTerminal(io) && ((await createTaintFile(home.path, nanoid).until()) ?? 0) > io.clock.now();
  const setup = all ? new SetupInHome(home.path, io, root) : undefined;
  const rest = { settings: scope.rest && !isStrict, taint: scope.rest && !isTainted, setup };
  const plan = planOf(scope, kept, home, rest);
  const stays = [
    !scope.sandbox && kept.sandbox !== undefined && texts.sandboxStays,
    scope.rest && isStrict && hasSettings(home) && texts.settingsStay,
    scope.rest && isTainted && texts.taintStays,
    setup?.isInUse && texts.programStays,
  ].filter((line): line is string => typeof line === "string");
  if (plan.length === 0) {
    if (scope.rest) tidy(home, rest);
    return say(io, [texts.nothing, ...stays].join("\n"));
  }

  const loses = scope.history || scope.identity;
  if (loses && (kept.open.length > 0 || kept.openSubmit)) {
    if (kept.open.length > 0) void printError(io, `${texts.open(kept.open.join(", "))}\n`);
    if (kept.openSubmit) void printError(io, `${texts.openSubmit}\n`);
    if (!force) return refuse(io, texts.decideFirst);
    // Without a record nobody would withdraw the text, and the network would broadcast it.
    if (isStrict) return refuse(io, texts.needsTerminal);
  }
  say(io, [texts.will(home.path), ...plan.map((line) => `  ${line}`)].join("\n"));
  if (plan.includes(texts.identity)) say(io, texts.lostIdentity);
  if (!yes && !atTerminal(io)) throw new Failure("tool.input.invalid.yes_missing", { command: "forget" });
  if (!yes && !(await typedYes(io, texts.ask))) return refuse(io, texts.kept);
  await erase(home, scope, kept, rest);
  say(io, [texts.done, ...stays].join("\n"));
  if (scope.rest) tidy(home, rest); // This comes last, because this very program may run from the home.
}

/** What only `--all` removes. */
interface Rest {
  settings: boolean;
  /** The record of when others' text was read. */
  taint: boolean;
  setup: SetupInHome | undefined;
}

function tidy({ io, path: home }: Home, { taint, setup }: Rest): void {
  try {
    for (const path of traces(home, io.clock.now())) rmSync(path, { recursive: true, force: true });
    if (taint) rmSync(taintPath(home), { force: true });
    rmSync(shownPath(home), { force: true });
    if (setup?.isInUse === false) setup.remove();
    removeEmptyFolders(home, io.env);
  } catch (error) {
    throw asUnwritable(home, error);
  }
}

/** Returns whether the config file holds something besides an identity, or is not JSON. */
function hasSettings({ store, path }: Home): boolean {
  const others = [...IDENTITY_KEYS, "last_negotiation_id"];
  const keys = Object.keys(store.read().values).filter((key) => !others.includes(key));
  const { state } = readConfigFile(join(path, "config.json"), { tighten: false });
  return keys.length > 0 || state === "corrupt";
}

function planOf(scope: Scope, kept: Kept, home: Home, rest: Rest): string[] {
  const texts = home.texts.forget;
  const file = home.store.read().values;
  const hasIdentity =
    kept.asides.length > 0 || kept.signedIn.length > 0 || IDENTITY_KEYS.some((key) => isKept(file[key]));
  return [
    ...(scope.history && kept.history.length > 0 ? [texts.history(kept.negotiations)] : []),
    ...(scope.identity && hasIdentity ? [texts.identity] : []),
    ...(scope.logs && kept.logs.length > 0 ? [texts.logs] : []),
    ...(scope.browsers && kept.browsers.length > 0 ? [texts.browsers] : []),
    ...(scope.browsers && kept.programs.length > 0 ? [texts.programs] : []),
    ...(scope.sandbox && kept.sandbox !== undefined ? [texts.sandbox] : []),
    ...(rest.settings && hasSettings(home) ? [texts.settings] : []),
    ...(rest.setup?.isThere && !rest.setup.isInUse ? [texts.program] : []),
    ...(kept.stray.length > 0 ? [texts.stray(kept.stray.length)] : []),
    ...[...goneOf(scope, kept), ...(scope.sandbox && kept.sandbox !== undefined ? [kept.sandbox] : [])]
      .filter(isLink)
      .map((path) => texts.link(path, readlinkSync(path))),
  ];
}

const goneOf = (scope: Scope, kept: Kept): string[] => [
  ...kept.stray,
  ...(scope.history ? kept.history : []),
  ...(scope.identity ? [...kept.asides, ...kept.signedIn] : []),
  ...(scope.logs ? kept.logs : []),
  ...(scope.browsers ? [...kept.browsers, ...kept.programs] : []),
];

const isKept = (value: unknown): boolean =>
  value !== undefined && value !== "" && !(isObject(value) && Object.keys(value).length === 0);

async function erase({ io, store, path: home }: Home, scope: Scope, kept: Kept, rest: Rest): Promise<void> {
  try {
    // A running server keeps the newest log open, and still writes to a log that was emptied, but not to a log that was
    // removed.
    for (const path of goneOf(scope, kept))
      !scope.rest && kept.logs.includes(path) && path.endsWith(".log") && !isLink(path)
        ? truncateSync(path)
        : rmSync(path, { force: true });
    if (scope.history) for (const folder of kept.folders) removeEmpty(folder);
    if (scope.sandbox && kept.sandbox !== undefined)
      if (isLink(kept.sandbox)) rmSync(kept.sandbox);
      else await endSandbox(home, io, { erases: true });
  } catch (error) {
    throw asUnwritable(home, error);
  }
  if (rest.settings) return store.remove();
  const keys = scope.identity ? IDENTITY_KEYS : [];
  const without = (file: ConfigFile) => {
    const left = scope.history ? withoutLast(file, "last_negotiation_id") : file;
    return Object.fromEntries(Object.entries(left).filter(([key]) => !keys.includes(key)));
  };
  const { values } = store.read();
  if (JSON.stringify(without(values)) !== JSON.stringify(values)) await store.update(without);
}

function say(io: Io, line: string): void {
  void printText(io, `${line}\n`);
}

function refuse(io: Io, line: string): void {
  void printError(io, `${line}\n`);
  io.exitCode = 1;
}

/**
 * `towow-mcp forget --browser <name|all>` revokes browsers, which are refused from their next request on.
 * @throws `tool.config.not_found.browser`, HomeUnwritable
 */
export async function forgetBrowser({ io, browser: name }: { io: Io; browser: string }): Promise<void> {
  const { path, texts } = openHome(io);
  const gone = await browsersOf(path, io).forget(name);
  if (gone.length === 0) throw new Failure("tool.config.not_found.browser", { name });
  void print(io, `${gone.map((one) => texts.forget.browser(one)).join("\n")}\n`);
}
