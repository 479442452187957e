import { lstatSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compileCacheFolder } from "../../app/compile-cache.ts";
import { heartbeatFolder } from "../../app/heartbeats.ts";
import { historyFolder } from "../../app/history-folder.ts";
import { defaultHome } from "../../app/home-folder.ts";
import type { Io } from "../../app/io.ts";
import { REDIRECTS } from "../../app/redirect-files.ts";
import { BROWSERS } from "../../home/browser-files.ts";
import { HomeInvalid } from "../../home/errors.ts";
import { errnoOf } from "../../home/file.ts";
import { STALE_MS } from "../../home/lock.ts";
import { namedCopies } from "../../setup/older-copies.ts";
import { Copies } from "../setup/copies.ts";
import { createSetupMachine } from "../setup/machine.ts";

const LOCKS = ["config.json.lock", "identity.lock", "sandbox.lock"];

/**
 * Lists leftovers of this home's programs that say nothing about its person, such as abandoned locks. `now` is in milliseconds
 * since the epoch.
 */
export function traces(home: string, now: number): string[] {
  const locks = LOCKS.map((name) => join(home, name)).filter((path) => {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat !== undefined && now - stat.mtimeMs > STALE_MS; // Another program may still hold a younger lock.
  });
  const all = [heartbeatFolder(home), compileCacheFolder(home), ...locks];
  return all.filter((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined);
}

/** Removes the empty folders of the home, and the home itself if it is the default one. */
export function removeEmptyFolders(home: string, env: NodeJS.ProcessEnv): void {
  const folders = [join("logs", "study"), "logs", "kept", BROWSERS, REDIRECTS].map((name) => join(home, name));
  for (const folder of [historyFolder(home), ...folders]) removeEmpty(folder);
  if (isDefault(home, env)) removeEmpty(home);
}

/** Removes a folder if it is empty, and otherwise leaves it. */
export function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
}

function isDefault(home: string, env: NodeJS.ProcessEnv): boolean {
  try {
    return home === defaultHome(env);
  } catch (error) {
    if (error instanceof HomeInvalid) return false;
    throw error;
  }
}

/** What setup put into the home: copies of this program, and notes of what it wrote into clients' files. */
export class SetupInHome {
  readonly #home: string;
  readonly #copies: Copies;
  /** True if the file of some client names a copy, or may name one. */
  readonly isInUse: boolean;

  constructor(home: string, io: Io, root: URL) {
    const machine = createSetupMachine(io, root);
    this.#home = home;
    this.#copies = new Copies(fileURLToPath(root), machine.copies);
    const versions = this.#copies.versions();
    const named = versions.length === 0 ? new Set() : namedCopies(machine);
    this.isInUse = named === undefined || versions.some((version) => named.has(version));
  }

  get isThere(): boolean {
    return this.#copies.versions().length > 0 || lstatSync(this.#record, { throwIfNoEntry: false }) !== undefined;
  }

  get #record(): string {
    return join(this.#home, "setup.json");
  }

  /** Removes the notes and the copies. @throws `tool.config.unavailable.program_copy` */
  remove(): void {
    rmSync(this.#record, { force: true });
    for (const version of this.#copies.versions()) this.#copies.remove(version);
  }
}
