import { createHash, randomBytes } from "node:crypto";
import { chmodSync, cpSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { byCodeUnits } from "../../by-code-units.ts";
import { Failure } from "../../errors.ts";
import { errnoOf, secureFolder } from "../../home/file.ts";

/** The parts of the program. Its bundle needs nothing else. */
const PARTS = ["package.json", "LICENSE", "dist", "prompts"];

/** The copies of this program that clients start, with a folder for each version. */
export class Copies {
  readonly #root: string;
  readonly #folder: string;

  /** `root` is the folder of the package that runs now, and `folder` is the folder that holds the copies. */
  constructor(root: string, folder: string) {
    this.#root = root;
    this.#folder = folder;
  }

  versions(): string[] {
    try {
      return readdirSync(this.#folder).filter((name) => !name.startsWith("."));
    } catch {
      return [];
    }
  }

  /** Returns whether a version's copy has the file that clients start. */
  has(version: string): boolean {
    try {
      return statSync(join(this.#folder, version, "dist", "cli.js")).isFile();
    } catch {
      return false;
    }
  }

  /**
   * Installs the running program as the copy of a version, whole or not at all. Only its owner can read the copy.
   * Returns false if the copy was already the same.
   * @throws `tool.config.unavailable.program_copy`, `tool.config.unavailable.program_files`
   */
  install(version: string): boolean {
    const target = join(this.#folder, version);
    const wanted = this.#ownFingerprint();
    return this.#changing(target, () => {
      if (this.has(version) && fingerprintOf(target) === wanted) return false;
      secureFolder(this.#folder);
      for (const name of readdirSync(this.#folder)) if (name.startsWith(".")) this.#erase(name);
      const fresh = `.${version}-${randomBytes(6).toString("hex")}`;
      this.#copyTo(fresh);
      const old = `${fresh}-old`;
      if (statSync(target, { throwIfNoEntry: false }) !== undefined) renameSync(target, join(this.#folder, old));
      renameSync(join(this.#folder, fresh), target);
      this.#erase(old);
      return true;
    });
  }

  /**
   * Removes a copy, and also the folder of all copies if no other copy is left. @throws `tool.config.unavailable.program_copy`
   */
  remove(version: string): void {
    this.#changing(join(this.#folder, version), () => {
      this.#erase(version);
      if (readdirSync(this.#folder).length === 0) rmSync(this.#folder, { recursive: true });
    });
  }

  /** Copies the program into a folder. If that fails, nothing of the copy is left. */
  #copyTo(name: string): void {
    const copy = join(this.#folder, name);
    try {
      for (const part of PARTS)
        cpSync(join(this.#root, part), join(copy, part), { recursive: true, dereference: true });
      closeToOthers(copy);
    } catch (error) {
      this.#erase(name);
      if (readdirSync(this.#folder).length === 0) rmSync(this.#folder, { recursive: true });
      throw error;
    }
  }

  #ownFingerprint(): string {
    try {
      return fingerprint(this.#root);
    } catch (cause) {
      const reason = errnoOf(cause);
      if (reason === undefined) throw cause;
      throw new Failure(
        "tool.config.unavailable.program_files",
        { path: (cause as NodeJS.ErrnoException).path ?? this.#root, reason },
        { cause },
      );
    }
  }

  /** Erases the file or folder of this name. A link is removed, but not its target. */
  #erase(name: string): void {
    rmSync(join(this.#folder, name), { recursive: true, force: true });
  }

  #changing<T>(path: string, work: () => T): T {
    try {
      return work();
    } catch (error) {
      const reason = errnoOf(error);
      if (reason === undefined) throw error;
      throw new Failure("tool.config.unavailable.program_copy", { path, reason }, { cause: error });
    }
  }
}

/** Takes all rights from others, whatever the mode bits of the original and the umask are. */
function closeToOthers(folder: string): void {
  for (const name of ["", ...(readdirSync(folder, { recursive: true }) as string[])]) {
    const path = join(folder, name);
    chmodSync(path, statSync(path).mode & 0o700);
  }
}

/**
 * Returns a hash over the names and bytes of all files of the program. Throws the system's error if a file cannot be
 * read.
 */
function fingerprint(folder: string): string {
  const hash = createHash("sha256");
  for (const part of PARTS) {
    const path = join(realpathSync(folder), part);
    const names = statSync(path).isDirectory()
      ? (readdirSync(path, { recursive: true }) as string[]).sort(byCodeUnits)
      : [""];
    for (const name of names) {
      if (!statSync(join(path, name)).isFile()) continue;
      const bytes = readFileSync(join(path, name));
      hash.update(JSON.stringify([part, name, bytes.length])).update(bytes);
    }
  }
  return hash.digest("hex");
}

/** Returns the hash of a copy, or undefined if part of it is missing, so that it is made anew. */
function fingerprintOf(copy: string): string | undefined {
  try {
    return fingerprint(copy);
  } catch {
    return undefined;
  }
}
