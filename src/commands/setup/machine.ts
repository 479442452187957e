import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { homeOf, userHome } from "../../app/home-folder.ts";
import type { Io } from "../../app/io.ts";
import { environmentForOthers, is, programsHere } from "../../app/programs.ts";
import { Failure } from "../../errors.ts";
import { errnoOf } from "../../home/file.ts";
import { ClientConfigChanged } from "../../setup/errors.ts";
import type { Machine } from "../../setup/machine.ts";
import { workingFolder } from "../working-folder.ts";

const COMMAND_TIMEOUT_MS = 60_000;
const ANY_WRITE = 0o222;

/** Returns this machine, as the setup of clients sees it. */
export function createSetupMachine(io: Io, root: URL): Machine {
  const { version } = JSON.parse(readFileSync(new URL("package.json", root), "utf8")) as { version: string };
  const programs = programsHere(io);
  return {
    ...programs,
    get home() {
      return userHome(io.env);
    },
    get cwd() {
      return workingFolder(io);
    },
    node: process.execPath,
    copies: join(homeOf(io.env), "app"),
    version,
    isFolder: (path) => is(path, (stats) => stats.isDirectory()),
    read: (path) => named(path, () => readText(path)),
    write: (path, text, secret) => named(path, () => replaceFile(programs.real(path), text, { secret })),
    replace(path, before, text, secret) {
      const checkAgain = () => {
        if (readText(path) !== before) throw new ClientConfigChanged({ path });
      };
      named(path, () => {
        if (text !== null) return replaceFile(programs.real(path), text, { secret, checkAgain });
        checkAgain();
        rmSync(programs.real(path)); // A link belongs to the person and stays; its target is removed.
      });
    },
    remove: (path) => named(path, () => rmSync(path)),
    removeEmptyFolder,
    run(program, args, cwd) {
      const { status, stdout, stderr, error } = spawnSync(program, args, {
        cwd,
        env: environmentForOthers(io),
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
        timeout: COMMAND_TIMEOUT_MS,
      });
      return { status: status ?? 1, output: error?.message ?? (stderr.trim() || stdout) };
    },
  };
}

function readText(path: string): string | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    // Checked before reading, because reading a pipe would wait forever. Reading a folder fails by itself.
    if (stats !== undefined && !stats.isFile() && !stats.isDirectory())
      throw new Failure("tool.config.unavailable.client_config", { path, reason: "not_a_file" });
    return decoded(path, readFileSync(path));
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Decodes a client's file. The file is written back whole, so bytes that are not UTF-8 would be changed.
 * @throws `tool.config.unavailable.client_config` for such bytes
 */
function decoded(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new Failure("tool.config.unavailable.client_config", { path, reason: "not UTF-8" }, { cause });
  }
}

/**
 * Replaces a file by a rename, so that a reader sees either the old or the new file. The mode bits and the owner of the file
 * stay.
 */
function replaceFile(
  path: string,
  text: string,
  { secret = false, checkAgain }: { secret?: boolean | undefined; checkAgain?: () => void },
): void {
  const old = statSync(path, { throwIfNoEntry: false });
  // Refused here, because a rename would replace even a read-only file, and root may write everything.
  if (old !== undefined && (old.mode & ANY_WRITE) === 0) throw Object.assign(new Error(path), { code: "EREADONLY" });
  mkdirSync(dirname(path), { recursive: true, ...(secret && { mode: 0o700 }) });
  const temporary = `${path}.towow-${randomBytes(6).toString("hex")}`;
  try {
    writeFileSync(temporary, text, { mode: 0o600, flag: "wx", flush: true });
    if (old !== undefined) keepOwner(temporary, old);
    if (!secret || old !== undefined)
      chmodSync(temporary, old === undefined ? 0o644 & ~process.umask() : old.mode & 0o7777);
    checkAgain?.();
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function removeEmptyFolder(path: string): void {
  try {
    rmdirSync(path);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error; // The folder is not empty or is gone, and both are fine.
  }
}

function keepOwner(path: string, { uid, gid }: Stats): void {
  const { uid: own, gid: ownGroup } = statSync(path);
  if (uid !== own || gid !== ownGroup) chownSync(path, uid, gid);
}

function named<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const reason = errnoOf(error);
    if (reason === undefined) throw error;
    throw new Failure(
      "tool.config.unavailable.client_config",
      { path, reason: reason === "EREADONLY" ? "read-only" : reason },
      { cause: error },
    );
  }
}
