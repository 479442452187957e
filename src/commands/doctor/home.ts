import { accessSync, constants, type Stats, statfsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { defaultHome } from "../../app/home-folder.ts";
import { TowowError } from "../../errors.ts";
import { HomeInvalid } from "../../home/errors.ts";
import { errnoOf, readConfigFile } from "../../home/file.ts";
import { LIMITED_KEYS, LIMITS, loosens } from "../../home/limits.ts";
import { CONFIG_KEYS, type ConfigKey, declarationOf, fileNames } from "../../home/schema.ts";
import { resolveAll } from "../../home/settings.ts";
import { shellWord } from "../../terminal/shell-word.ts";
import { checkToolNames } from "../../tools/index.ts";
import { failureSentence } from "../failure.ts";
import { type DoctorContext, type Finding, moveAside, otherOwner } from "./finding.ts";

const OTHERS = 0o077;
const STICKY = 0o1000;
/**
 * Linux uses these numbers for `/proc` and `/sys`, in which nobody can make a folder, whatever their permissions say.
 */
const KERNEL_FILE_SYSTEMS = [0x9fa0, 0x62656572];
const ELSEWHERE = 'export TOWOW_HOME="$HOME/.towow"';
/** The fix for a `HOME` in a file system of the kernel, which cannot be this person's real home. */
const OWN_HOME = 'export HOME="$(getent passwd "$(id -u)" | cut -d: -f6)"';

/** Windows has no mode bits. */
const HAS_MODES = process.platform !== "win32";
const octal = ({ mode }: Stats): string => `0${(mode & 0o777).toString(8)}`;

export function* checkHome({ io, home, texts: { home: texts } }: DoctorContext): Generator<Finding> {
  const check = "home";
  const other = home === usualHome(io.env) ? undefined : ELSEWHERE;
  let stat: Stats | undefined;
  try {
    stat = statSync(home, { throwIfNoEntry: false });
    if (stat !== undefined && !stat.isDirectory())
      return yield {
        check,
        level: "problem",
        message: texts.notFolder(home),
        fix: other ?? moveAside(home, "old"),
      };
    const owner = otherOwner(home);
    if (owner !== undefined && (stat!.mode & STICKY) === 0)
      return yield { check, level: "problem", message: texts.othersFolder(home, owner.name), fix: other ?? owner.fix };
    const folder = stat === undefined ? ancestorOf(home) : home;
    accessSync(folder, constants.W_OK | constants.X_OK);
    if (isKernels(folder))
      return yield { check, level: "problem", message: texts.unwritable(home, "EPERM"), fix: other ?? OWN_HOME };
    if (isFull(folder))
      return yield {
        check,
        level: "problem",
        message: texts.unwritable(home, "ENOSPC"),
        fix: `df -h ${shellWord(folder)}`,
      };
  } catch (error) {
    const message = texts.unwritable(home, errnoOf(error) ?? "unknown");
    return yield {
      check,
      level: "problem",
      message,
      fix: other ?? `chmod u+rwx ${shellWord(stat ? home : ancestorOf(home))}`,
    };
  }
  if (stat === undefined) return yield { check, level: "ok", message: texts.absent(home) };
  const open = HAS_MODES && (stat.mode & OTHERS) !== 0;
  if (open && (stat.mode & STICKY) !== 0)
    return yield { check, level: "warning", message: texts.shared(home), fix: ELSEWHERE };
  if (open)
    return yield {
      check,
      level: "warning",
      message: texts.exposed(home, octal(stat)),
      fix: `chmod 700 ${shellWord(home)}`,
    };
  yield { check, level: "ok", message: texts.ok(home) };
}

/** Returns the home that is used without `TOWOW_HOME`, or undefined if there can be none. */
function usualHome(env: NodeJS.ProcessEnv): string | undefined {
  try {
    return defaultHome(env);
  } catch (error) {
    if (error instanceof HomeInvalid) return undefined;
    throw error;
  }
}

/** Warns about limits of `~/.towow` that have no effect because the program uses another home. */
export function* checkHomeLimits({ io, home, settings, texts: { home: texts } }: DoctorContext): Generator<Finding> {
  const check = "home.limits";
  const usual = usualHome(io.env);
  if (usual === undefined || home === usual) return;
  const theirs = resolveAll({ file: readConfigFile(join(usual, "config.json"), { tighten: false }).values });
  const lost = LIMITED_KEYS.filter((key) => {
    const { value, source } = theirs.get(key)!;
    const binds = source === "file" && LIMITS[key]!.restricts(value);
    return binds && loosens(LIMITS[key]!, value, settings.get(key)?.value);
  });
  if (lost.length === 0) return yield { check, level: "ok", message: texts.ownLimits(home) };
  const limits = lost.map((key) => `${key} ${String(theirs.get(key)?.value)}`).join(", ");
  yield { check, level: "warning", message: texts.otherLimits(usual, limits), fix: "unset TOWOW_HOME" };
}

/**
 * Returns whether a folder belongs to a file system of the kernel. A file system whose type cannot be read counts as an
 * ordinary one.
 */
function isKernels(folder: string): boolean {
  if (process.platform !== "linux") return false;
  try {
    return KERNEL_FILE_SYSTEMS.includes(statfsSync(folder).type);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
}

/** Returns whether the disk is full. A file system that counts neither blocks nor files gives no evidence. */
function isFull(folder: string): boolean {
  try {
    const { blocks, bavail, bfree, files, ffree } = statfsSync(folder);
    const left = process.getuid?.() === 0 ? bfree : bavail; // Some blocks are reserved for root.
    return (blocks > 0 && left === 0) || (files > 0 && ffree === 0);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
}

/**
 * Returns the nearest existing folder above a path, in which a missing home would be made. Throws the system's error if a file
 * is in the way.
 */
function ancestorOf(path: string): string {
  const above = dirname(path);
  const stat = statSync(above, { throwIfNoEntry: false });
  if (stat !== undefined || above === path) return above;
  return ancestorOf(above);
}

export function* checkConfig({ configPath: path, file, texts: { config: texts } }: DoctorContext): Generator<Finding> {
  const check = "config";
  if (file.state === "absent") return yield { check, level: "ok", message: texts.absent };
  if (file.state === "unreadable") {
    const reason = file.warnings[0]?.params.reason ?? "unknown";
    // Anything but a plain file, such as a folder, only has to be moved aside.
    const owner = otherOwner(dirname(path)) ?? otherOwner(path);
    const fix = owner?.fix ?? (reason === "EACCES" ? `chmod 600 ${shellWord(path)}` : moveAside(path, "old"));
    return yield { check, level: "problem", message: texts.unreadable(path, reason), fix };
  }
  const stat = HAS_MODES ? statSync(path, { throwIfNoEntry: false }) : undefined;
  const exposed = stat !== undefined && (stat.mode & OTHERS) !== 0;
  if (exposed)
    yield {
      check: "config.mode",
      level: "warning",
      message: texts.exposed(path, octal(stat)),
      fix: otherOwner(path)?.fix ?? `chmod 600 ${shellWord(path)}`,
    };
  const { reason = "" } = file.warnings.find(({ code }) => code === "config_corrupt")?.params ?? {};
  if (reason === "utf16") return yield { check, level: "problem", message: texts.utf16(path), fix: editorOf(path) };
  if (file.state === "corrupt")
    return yield {
      check,
      level: "problem",
      message: texts.corrupt(path, reason),
      fix: moveAside(path, "broken"),
    };
  yield { check, level: "ok", message: exposed ? texts.wellFormed : texts.ok };
  for (const { code, params } of file.warnings)
    if (code === "config_key_twice")
      yield { check: "config.twice", level: "warning", message: texts.twice(params.keys ?? ""), fix: editorOf(path) };
  const known = [...CONFIG_KEYS.flatMap(fileNames), "token_origins"];
  const unknown = Object.keys(file.values).filter((key) => !known.includes(key));
  if (unknown.length > 0)
    yield {
      check: "config.keys",
      level: "warning",
      message: texts.unknownKeys(unknown.map((key) => JSON.stringify(key.slice(0, 40))).join(", ")),
      fix: `towow-mcp config unset ${shellWord(unknown[0] ?? "")}`,
    };
}

const editorOf = (path: string): string => `\${EDITOR:-vi} ${shellWord(path)}`;

export function* checkSettings(context: DoctorContext): Generator<Finding> {
  const { settings, texts } = context;
  const check = "settings";
  const value = (key: ConfigKey) => settings.get(key)?.value as string | undefined;
  const fixOf = (key: ConfigKey, otherwise: string) => {
    const { source, where } = settings.get(key)!;
    return source === "environment" ? `unset ${where}` : otherwise;
  };
  const wrong = [...settings].flatMap(([key, { problem }]) => {
    const error = problem ?? unknownTool(key, value(key));
    return error === undefined ? [] : [{ key, error }];
  });
  for (const { key, error } of wrong)
    yield {
      check: `${check}.${key}`,
      level: "problem",
      message: failureSentence(error, context.lang),
      // There is no `config unset` for an id or a token, because each backend has its own.
      fix: fixOf(key, declarationOf(key).identifies ? "towow-mcp forget --identity" : `towow-mcp config unset ${key}`),
    };
  for (const [key, { ignored, value }] of settings)
    if (ignored !== undefined)
      yield {
        check: `${check}.${key}.ignored`,
        level: "warning",
        message: texts.settings.ignored(ignored.where, String(ignored.value), `${key} ${String(value)}`),
        fix: `unset ${ignored.where}`,
      };
  const given = [...settings.values()].filter(({ source }) => source !== "default").length;
  if (wrong.length === 0) yield { check, level: "ok", message: texts.settings.ok(given) };
  const profile = value("profile");
  if (profile !== undefined && profile !== "live")
    yield {
      check: `${check}.profile`,
      level: "warning",
      message: texts.settings.profile(profile),
      fix: fixOf("profile", "towow-mcp config set profile live"),
    };
  if (value("on_unconfirmed") === "leave")
    yield {
      check: `${check}.on_unconfirmed`,
      level: "warning",
      message: context.isLeaveSuspended ? texts.settings.leaveSuspended : texts.settings.leave,
      fix: fixOf("on_unconfirmed", "towow-mcp config set on_unconfirmed cancel"),
    };
}

/** Returns the error for a name in the allow or exclude list that no tool has, with which a server would not start. */
function unknownTool(key: ConfigKey, value: string | undefined): TowowError | undefined {
  if (key !== "allow_tools" && key !== "exclude_tools") return undefined;
  try {
    checkToolNames({ allow_tools: undefined, exclude_tools: undefined, [key]: value });
    return undefined;
  } catch (error) {
    if (error instanceof TowowError) return error;
    throw error;
  }
}
