import { existsSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { every } from "../../clock.ts";
import { secureFolder } from "../../home/file.ts";
import { failureOf } from "../../log.ts";
import type { FactStore, Owner } from "../../negotiation/facts.ts";
import { createFactFiles, forgetOld } from "../../negotiation/stores/home-facts.ts";
import type { Platform } from "../../platform.ts";
import { createHeartbeat, type Heartbeat, isAliveIn, withHeartbeat } from "../heartbeats.ts";

/** The files in the operator's home that keep one user's facts. */
export interface UserFolder {
  facts: FactStore;
  /**
   * Writes the user's facts to files from then on, including those noted before. Call this once the backend has
   * accepted the token.
   */
  keep(): void;
}

export interface UserFoldersDeps {
  /** The operator's home. */
  home: string;
  /** This running program. */
  owner: Owner;
  platform: Platform;
}

const DAY_MS = 24 * 3_600_000;

/**
 * Keeps users' facts in files if the endpoint has no shared store, so that users find their demands after a restart. As
 * in a store, a demand is forgotten thirty days after its last fact.
 */
export class UserFolders {
  readonly #deps: UserFoldersDeps;
  readonly #heartbeat: Heartbeat;
  readonly #stop: () => void;

  constructor(deps: UserFoldersDeps) {
    const { home, owner, platform } = deps;
    const { clock, log } = platform;
    this.#deps = deps;
    this.#heartbeat = createHeartbeat({ home, instance: owner.instance, clock });
    const tidy = () =>
      void this.#forgetOld().catch((error) => log.warn("users_not_tidied", { error: failureOf(error) }));
    tidy();
    this.#stop = every(clock, DAY_MS, tidy);
  }

  /**
   * Opens the folder of one user. Until the backend accepts the token, facts are kept in `meanwhile` and not in files,
   * because anybody can invent a token.
   */
  of(key: string, meanwhile: FactStore): UserFolder {
    const { home, owner, platform } = this.#deps;
    const { clock, newId } = platform;
    const dir = join(usersFolder(home), key);
    const parts = { dir, newId, now: () => clock.now(), forgets: true };
    const files = withHeartbeat(createFactFiles(parts), owner, this.#heartbeat);
    const noted = new Set<Parameters<FactStore["create"]>>();
    // Only a token that the backend has accepted before has a folder.
    let isKept = existsSync(dir);
    let moving: Promise<void> | undefined;
    const move = async () => {
      for (const fact of noted) {
        await files.create(...fact);
        noted.delete(fact);
      }
    };
    const store = async (): Promise<FactStore> => {
      if (!isKept) return meanwhile;
      moving ??= move().catch((error) => {
        moving = undefined;
        throw error;
      });
      await moving;
      return files;
    };
    const note = async (...fact: Parameters<FactStore["create"]>) => {
      noted.add(fact);
      try {
        return await meanwhile.create(...fact);
      } catch (error) {
        noted.delete(fact);
        throw error;
      }
    };
    return {
      keep() {
        isKept = true;
      },
      facts: {
        read: async (at) => (await store()).read(at),
        create: async (...fact) => (isKept ? (await store()).create(...fact) : note(...fact)),
        close: async (at) => (await store()).close(at),
        listOpen: async () => (await store()).listOpen(),
        list: async (about) => (await store()).list(about),
      },
    };
  }

  /** A function that returns whether another program of this home still runs and looks after its negotiations. */
  get isAlive(): (owner: Owner) => Promise<boolean> {
    return isAliveIn(this.#deps.home, this.#deps.platform.clock);
  }

  /** See {@link Heartbeat.beatWhile}. */
  beatWhile(needsHeartbeat: () => boolean): void {
    this.#heartbeat.beatWhile(needsHeartbeat);
  }

  async close(): Promise<void> {
    this.#stop();
    await this.#heartbeat.end();
  }

  async #forgetOld(): Promise<void> {
    const { home, platform } = this.#deps;
    const { clock, newId } = platform;
    const now = clock.now();
    const names = await readdir(usersFolder(home)).catch(() => []);
    for (const name of names.filter(isUserFolderName)) {
      const dir = join(usersFolder(home), name);
      await forgetOld({ dir, newId }, now);
      const { mtimeMs } = await stat(dir);
      const isEmpty = !(await readdir(dir)).some((one) => one.includes("~"));
      if (isEmpty && now - mtimeMs > DAY_MS) await rm(dir, { recursive: true, force: true });
    }
  }
}

/**
 * Opens the users' files. Returns undefined and logs a warning if the home cannot be written. What is known of a user
 * then ends with the program.
 */
export function openUserFolders(deps: UserFoldersDeps): UserFolders | undefined {
  try {
    secureFolder(usersFolder(deps.home));
    return new UserFolders(deps);
  } catch (error) {
    deps.platform.log.warn("users_in_memory", { error: failureOf(error) });
    return undefined;
  }
}

/**
 * Returns the folder, in the operator's home, that holds one folder for each user. Each is named by the hash of the
 * backend's origin and the user's token.
 */
export const usersFolder = (home: string): string => join(home, "users");

export const isUserFolderName = (name: string): boolean => /^[0-9a-f]{64}$/.test(name);
