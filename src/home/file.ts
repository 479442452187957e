import {
  chmodSync,
  closeSync,
  fchmodSync,
  fstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import { LRUCache } from "lru-cache";
import { systemClock } from "../clock.ts";
import { jsonIn } from "../json.ts";
import { HomeUnwritable } from "./errors.ts";
import { isGiven, LIMITED_KEYS, LIMITS } from "./limits.ts";
import { openPlain } from "./plain-file.ts";
import type { ConfigKey } from "./schema.ts";

/** The object in the file, including unknown keys. Its values are unchecked; `settings.ts` checks them. */
export type ConfigFile = Readonly<Record<string, unknown>>;

/**
 * A warning about the file, for a person.
 * - `config_corrupt` (`path`, `reason`: `not_json`, `not_object` or `utf16`; `kept` once it was set aside)
 * - `config_unreadable` (`path`, `reason`)
 * - `config_exposed` (`path`): others may read the file, and that could not be changed
 * - `config_key_twice` (`path`, `keys`)
 */
export interface ConfigWarning {
  readonly code: "config_corrupt" | "config_unreadable" | "config_exposed" | "config_key_twice";
  readonly params: Readonly<Record<string, string>>;
}

export interface FileState {
  readonly state: "absent" | "ok" | "corrupt" | "unreadable";
  readonly values: ConfigFile;
  /** The bytes as they were read, so that exactly what was checked is set aside. */
  readonly bytes: Buffer | undefined;
  readonly warnings: readonly ConfigWarning[];
}

const OTHERS = 0o077;
const STICKY = 0o1000;

/**
 * Reads the file and, unless `tighten` is false, takes away other people's access to it. Never throws, and never
 * changes the content.
 */
export function readConfigFile(path: string, { tighten = true } = {}): FileState {
  const nothing = { values: {}, bytes: undefined, warnings: [] };
  let fd: number | undefined;
  try {
    fd = openPlain(path);
    if (isForeign(fstatSync(fd).uid)) throw Object.assign(new Error("another user's file"), { code: "EPERM" });
    const exposed = tighten && !tightenFile(fd);
    const bytes = readFileSync(fd);
    const { values, twice = [], reason } = parse(bytes);
    const warnings: ConfigWarning[] = exposed ? [{ code: "config_exposed", params: { path } }] : [];
    if (twice.length > 0) warnings.push({ code: "config_key_twice", params: { path, keys: twice.join(", ") } });
    if (values !== undefined) return { state: "ok", values, bytes, warnings };
    return {
      state: "corrupt",
      values: limitsIn(bytes),
      bytes,
      warnings: [...warnings, { code: "config_corrupt", params: { path, reason } }],
    };
  } catch (error) {
    const reason = errnoOf(error) ?? "unknown";
    if (reason === "ENOENT" || reason === "ENOTDIR") return { state: "absent", ...nothing };
    return { state: "unreadable", ...nothing, warnings: [{ code: "config_unreadable", params: { path, reason } }] };
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** A stamp that changes with every change of a file, of its mode, or of the names in a folder. */
export type FileStamp = Readonly<Pick<Stats, "ino" | "size" | "mtimeMs" | "ctimeMs">>;

/** Returns the stamp of a file, or undefined if there is no file. Never throws. */
export function fileStamp(path: string): FileStamp | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Returns whether there is such a file or folder. Throws the system's error if that cannot be found out. */
export const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

/** Returns whether nothing has changed between two stamps. Missing stamps prove nothing, so they never count as the same. */
export const isSameStamp = (one: FileStamp | undefined, other: FileStamp | undefined): one is FileStamp =>
  one !== undefined &&
  one.mtimeMs === other?.mtimeMs &&
  one.ctimeMs === other.ctimeMs &&
  one.size === other.size &&
  one.ino === other.ino;

/**
 * Makes a folder for this user alone, with missing parents. Throws the system's error. Node's own recursive mkdir is not used,
 * because it never returns if an existing folder, such as those of `/proc`, answers "not found" when a folder is to be made in
 * it.
 */
export function makeFolder(folder: string): void {
  const above = dirname(folder);
  let error = triedFolder(folder);
  if (errnoOf(error) === "ENOENT" && above !== folder) {
    makeFolder(above);
    error = triedFolder(folder);
  }
  if (error !== undefined) throw error;
}

/** Returns the error that kept a folder from being made, or undefined once the folder exists. */
function triedFolder(folder: string): unknown {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return undefined;
  } catch (error) {
    return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? undefined : error;
  }
}

/** Makes a folder, or takes away other people's access to an existing one. Throws the system's error if that fails. */
export function secureFolder(folder: string): void {
  makeFolder(folder);
  const { mode, uid } = statSync(folder);
  // A sticky folder such as `/tmp` is shared on purpose, and closing it would break the work of others.
  if ((mode & STICKY) !== 0) return;
  if (isForeign(uid)) throw Object.assign(new Error("another user's folder"), { code: "EPERM" });
  if ((mode & OTHERS) !== 0) chmodSync(folder, 0o700);
}

/** The id of this user. Undefined if the system has no user ids, or this user has no name. */
const OWN_UID = ownUid();
function ownUid(): number | undefined {
  try {
    const { uid } = userInfo();
    return uid < 0 ? undefined : uid;
  } catch {
    return undefined;
  }
}

/**
 * Returns whether a user other than this one owns a file, and may have put it into a shared folder. Root trusts everybody's
 * files, and everybody trusts root's.
 */
export const isForeign = (uid: number): boolean =>
  OWN_UID !== undefined && OWN_UID !== 0 && uid !== OWN_UID && uid !== 0;

/**
 * Returns whether only this user or root could have read or written a file. Returns true if the system has no user ids.
 */
export const isPrivate = ({ mode, uid }: { mode: number; uid: number }): boolean =>
  OWN_UID === undefined || (!isForeign(uid) && (mode & OTHERS) === 0);

/** Saves the bytes beside the file under a new name, and returns its path. */
export function keepAside(home: string, bytes: Buffer, at: string): string {
  const stem = join(home, `config.corrupt-${at.replaceAll(/[:.]/g, "-")}`);
  for (let n = 1; ; n++) {
    const path = n === 1 ? `${stem}.json` : `${stem}-${n}.json`;
    try {
      writeFileSync(path, bytes, { mode: 0o600, flag: "wx", flush: true });
      return path;
    } catch (error) {
      if (errnoOf(error) !== "EEXIST") throw error;
    }
  }
}

/** Returns the code of a system error, such as `EACCES`, or undefined for any other value. */
export function errnoOf(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^E[A-Z0-9]+$/.test(code) ? code : undefined;
}

/** Returns whether an error says that there is no such file or folder. */
export const isAbsent = (error: unknown): boolean => ["ENOENT", "ENOTDIR"].includes(errnoOf(error) ?? "");

/** Lists the names in a folder, or none if there is no folder. Throws any other system error. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

/**
 * Returns the time in milliseconds within which two changes of a folder may leave the same stamp. On FAT it is two
 * seconds. Other file systems take the time from a clock that advances every few milliseconds.
 */
const settledMs = ({ mtimeMs }: FileStamp): number => (mtimeMs % 1_000 === 0 ? 2_000 : 100);
const MAX_FOLDERS = 500;
const NONE: readonly string[] = [];

/**
 * Creates a function that lists the names in folders that hold only a few files. Every tool call reads such folders, so they
 * are read synchronously, because another thread would take longer. A cached list is used if the folder's stamp has not
 * changed, and was already so old at the time of reading that no change can have been missed. The clock is the real one, as the
 * file system's is.
 * @throws as {@link namesIn} does
 */
export function createNames(monotonic = systemClock.monotonic): (folder: string) => readonly string[] {
  type Read = { stamp: FileStamp; since: number; at: number; names: readonly string[] };
  const read = new LRUCache<string, Read>({ max: MAX_FOLDERS });
  return (folder) => {
    const stamp = statSync(folder, { throwIfNoEntry: false });
    // Nothing was written into this folder yet, and a failing read would cost far more.
    if (stamp === undefined) return NONE;
    const last = read.get(folder);
    const isSame = last !== undefined && isSameStamp(stamp, last.stamp);
    if (isSame && last.at - last.since > settledMs(stamp)) return last.names;
    const at = monotonic();
    const names = namesIn(folder);
    read.set(folder, { stamp, since: isSame ? last.since : at, at, names });
    return names;
  };
}

/** Turns a system error into {@link HomeUnwritable}, and returns every other error unchanged. */
export function asUnwritable(home: string, error: unknown): unknown {
  const reason = errnoOf(error);
  return reason === undefined ? error : new HomeUnwritable({ path: home, reason }, { cause: error });
}

/**
 * Returns a function that runs work on the files of one folder. A folder that is full, read-only or not a folder is an
 * error, because nothing may be sent that is not on disk. @throws HomeUnwritable
 */
export const workIn =
  (dir: string) =>
  async <T>(work: () => Promise<T> | T): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw asUnwritable(dir, error);
    }
  };

function tightenFile(fd: number): boolean {
  const { mode } = fstatSync(fd);
  if ((mode & OTHERS) === 0) return true;
  try {
    fchmodSync(fd, 0o600);
    return true;
  } catch {
    return false;
  }
}

/** The settings and the keys that occur twice, or why there are no settings. */
type Parsed =
  | { values: ConfigFile; twice?: string[]; reason?: never }
  | { values?: never; twice?: never; reason: "not_json" | "not_object" | "utf16" };

function parse(bytes: Buffer): Parsed {
  const text = bytes.toString("utf8").replace(/^\uFEFF/, "");
  // A blank file has nothing to lose, so it counts as empty. A file without any byte does not, because a full disk or a
  // power cut leaves such a file.
  if (bytes.length > 0 && text.trim() === "") return { values: {} };
  const value = jsonIn(text);
  if (value === undefined && isUtf16(bytes)) return { reason: "utf16" };
  if (!isObject(value)) return { reason: value === undefined ? "not_json" : "not_object" };
  const twice = [...membersIn(text)].filter(([, values]) => values.length > 1);
  for (const [key, values] of twice) if (isLimited(key)) value[key] = strictest(key, values.map(jsonIn));
  return { values: value, twice: twice.map(([key]) => JSON.stringify(key.slice(0, 40))) };
}

/**
 * Returns whether the bytes are UTF-16, which Windows PowerShell and Notepad write. A byte order mark shows that, or the brace
 * that begins an object.
 */
const isUtf16 = (bytes: Buffer): boolean => ["fffe", "feff", "7b00", "007b"].includes(bytes.toString("hex", 0, 2));

const isLimited = (key: string): key is ConfigKey => Object.hasOwn(LIMITS, key);

/**
 * Returns the strictest of several values for one key. If no value is the strictest, returns the last value, which JSON would
 * keep.
 */
function strictest(key: ConfigKey, values: readonly unknown[]): unknown {
  const [last, ...earlier] = values.filter(isGiven).reverse();
  return earlier.reduce((kept, value) => LIMITS[key]!.stricter(kept, value), last);
}

/** The characters that the scan looks for, at the top of a JSON text and inside a value, of which only the end matters. */
const SIGNS = { top: /["{}[\],:]/g, inside: /["{}[\]]/g };

/** Returns each top-level key of a JSON text with the texts of all its values, of which `JSON.parse` keeps only the last. */
function membersIn(text: string): Map<string, string[]> {
  const members = new Map<string, string[]>();
  let depth = 0;
  let string = "";
  let from: number | undefined;
  for (let at = 0; ; at += 1) {
    const signs = depth > 1 ? SIGNS.inside : SIGNS.top;
    signs.lastIndex = at;
    const found = signs.exec(text);
    if (found === null) return members;
    at = found.index;
    const [sign] = found;
    if (sign === '"') {
      const end = endOfString(text, at);
      if (depth === 1 && from === undefined) string = text.slice(at, end + 1);
      at = end;
    } else if (sign === "{" || sign === "[") depth += 1;
    else if (depth > 1) depth -= 1;
    else if (sign === ":") from = at + 1;
    else if (from !== undefined) {
      const key = JSON.parse(string) as string;
      members.set(key, [...(members.get(key) ?? []), text.slice(from, at)]);
      from = undefined;
    }
  }
}

function endOfString(text: string, from: number): number {
  let at = text.indexOf('"', from + 1);
  while (isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === "\\") backslashes += 1;
  return backslashes % 2 === 1;
}

/**
 * Returns the limits in a file that is not JSON because it was cut off or mistyped. A typing mistake must not loosen a limit
 * that the person has set. Everything else in the file counts as absent.
 */
function limitsIn(bytes: Buffer): Record<string, unknown> {
  const text = asWritten(bytes);
  const found = LIMITED_KEYS.map((key) => {
    const { restricts, whenRefused } = LIMITS[key]!;
    const form = new RegExp(`(?<!\\w)"?${key}"?\\s*[:=]\\s*("[^"\\\\\\n]*"|[a-z_]+|\\d+(?:\\.\\d+)?)`, "gi");
    const values = [...text.matchAll(form)].map(([, value = ""]) => jsonIn(value) ?? value);
    // Who may decide is never guessed. If the key is present but its value cannot be read, it counts as refused.
    const unread = values.length === 0 && text.includes(key) ? whenRefused : undefined;
    return [key, strictest(key, whenRefused === undefined ? values.filter(restricts) : values) ?? unread];
  });
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

/** Normalises a text to JSON's quotes and encoding, whatever editor or shell wrote it. */
const asWritten = (bytes: Buffer): string =>
  bytes
    .toString("utf8")
    .replaceAll("\0", "")
    .replaceAll(/['`‘’“”]/g, '"')
    .replaceAll("：", ":");

/** Returns whether a value is an object with keys, rather than null or a list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
