import { createHash, timingSafeEqual } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { sha256 } from "../sha256.ts";
import { asUnwritable, errnoOf, isPrivate, secureFolder } from "./file.ts";

/** The beginning of every home key, so that a key is never mistaken for a token and sent to a backend. */
const PREFIX = "towow-home-";
const FORM = new RegExp(`^${PREFIX}[A-Za-z0-9_-]{43}$`);
export const HOME_KEY_FILE = "home.key";

/**
 * The secret with which a client of `serve` proves its right to this home's identity. The key is one line in a file that only
 * the home's owner can read. The file is read each time, so a key that was erased opens nothing from then on.
 */
export interface HomeKey {
  readonly path: string;
  /**
   * Returns whether a bearer is the key that is in the file now. The comparison takes the same time for every wrong bearer of
   * the right form.
   */
  matches(bearer: string): boolean;
  /** Returns the SHA-256 of the key in the file, in hexadecimal, or an empty text without a key. */
  hash(): string;
}

/** Returns whether a bearer can only be the key of a home, this one or another, and must therefore go nowhere else. */
export const isHomeKey = (bearer: string): boolean => bearer.startsWith(PREFIX);

/**
 * Opens the home's key of 32 random bytes, which is made on first use. If several programs make one at once, the first
 * wins.
 * @throws HomeUnwritable
 */
export function openHomeKey(home: string, random32: () => Buffer): HomeKey {
  const path = join(home, HOME_KEY_FILE);
  try {
    if (readKey(path) === undefined) makeKey(home, path, random32());
  } catch (error) {
    throw asUnwritable(home, error);
  }
  return {
    path,
    matches(bearer) {
      if (!isHomeKey(bearer)) return false;
      const key = readKey(path);
      return key !== undefined && equalSecrets(key, bearer);
    },
    hash() {
      const key = readKey(path);
      return key === undefined ? "" : sha256(key);
    },
  };
}

/** Reads the key. Returns undefined if there is none, or if another user may have put it there. Follows no link. */
function readKey(path: string): string | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const stat = fstatSync(fd);
    const text = stat.isFile() && isPrivate(stat) ? readFileSync(fd, "utf8").trim() : "";
    return FORM.test(text) ? text : undefined;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function makeKey(home: string, path: string, random: Buffer): void {
  secureFolder(home);
  const key = PREFIX + random.toString("base64url");
  // The name has the form of all temporary files, so that it is swept like them.
  const temporary = `${path}.tmp-${sha256(key).slice(0, 16)}`;
  writeFileSync(temporary, `${key}\n`, { mode: 0o600, flag: "wx", flush: true });
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
    // Either another program was first, or the file in the way is no valid key, such as a link or a file that others
    // can read.
    if (readKey(path) === undefined) renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Compares two secrets in a time that does not depend on where they differ. */
const equalSecrets = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

/** Returns a hash of the text. A comparison in constant time needs equal lengths, which hashes have. */
const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
