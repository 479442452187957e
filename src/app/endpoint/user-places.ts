import { existsSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { nanoid } from "nanoid";
import { type Clock, every } from "../../clock.ts";
import { secureFolder } from "../../home/file.ts";
import { failureOf, type Log } from "../../log.ts";
import type { FactStore, Owner } from "../../negotiation/facts.ts";
import { createFactFiles, forgetOld } from "../../negotiation/stores/home-facts.ts";
import { sha256 } from "../hash.ts";
import { createHeartbeat, type Heartbeat, isAliveIn, withHeartbeat } from "../heartbeats.ts";

/** What an endpoint keeps of one user in its operator's home. */
export interface UserPlace {
  facts: FactStore;
  /** The backend has accepted the token: from now on it is written to files, with what was noted before. */
  keep(): void;
}

export interface UserPlacesDeps {
  /** The operator's. */
  home: string;
  /** This running program, and whether it watches something. */
  owner: Owner;
  isWatching: () => boolean;
  clock: Clock;
  log: Log;
}

const DAY_MS = 24 * 3_600_000;

/**
 * Where an endpoint without a store keeps the facts of its users: then a demand is theirs after a restart too. Thirty days
 * after its last fact it is forgotten, as in a store.
 */
export class UserPlaces {
  readonly #deps: UserPlacesDeps;
  readonly #heartbeat: Heartbeat;
  readonly #stop: () => void;

  constructor(deps: UserPlacesDeps) {
    this.#deps = deps;
    this.#heartbeat = createHeartbeat({ ...deps, instance: deps.owner.instance });
    const tidy = () =>
      void this.#forgetOld().catch((error) => deps.log.warn("users_not_tidied", { error: failureOf(error) }));
    tidy();
    this.#stop = every(deps.clock, DAY_MS, tidy);
  }

  /** `meanwhile`: keeps what is noted of a token while the backend has not accepted it. Anybody can invent one. */
  of(key: string, meanwhile: FactStore): UserPlace {
    const { home, owner, clock } = this.#deps;
    const dir = join(usersFolder(home), key);
    const parts = { dir, newId: nanoid, hash: sha256, now: () => clock.now(), forgets: true };
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

  /** Whether another program of this home watches what it answers for. */
  get isAlive(): (owner: Owner) => Promise<boolean> {
    return isAliveIn(this.#deps.home, this.#deps.clock);
  }

  async close(): Promise<void> {
    this.#stop();
    await this.#heartbeat.end();
  }

  async #forgetOld(): Promise<void> {
    const { home, clock } = this.#deps;
    const now = clock.now();
    const names = await readdir(usersFolder(home)).catch(() => []);
    for (const name of names.filter(isUserFolder)) {
      const dir = join(usersFolder(home), name);
      await forgetOld({ dir, newId: nanoid, hash: sha256 }, now);
      const { mtimeMs } = await stat(dir);
      const isEmpty = !(await readdir(dir)).some((one) => one.includes("~"));
      if (isEmpty && now - mtimeMs > DAY_MS) await rm(dir, { recursive: true, force: true });
    }
  }
}

/** Undefined where the home takes no files: then what is known of a user ends with the program, as the log says. */
export function openUserPlaces(deps: UserPlacesDeps): UserPlaces | undefined {
  try {
    secureFolder(usersFolder(deps.home));
    return new UserPlaces(deps);
  } catch (error) {
    deps.log.warn("users_in_memory", { error: failureOf(error) });
    return undefined;
  }
}

/** In the home of an endpoint's operator: a folder for each of its users, by the hash of backend and token. */
export const usersFolder = (home: string): string => join(home, "users");

export const isUserFolder = (name: string): boolean => /^[0-9a-f]{64}$/.test(name);
