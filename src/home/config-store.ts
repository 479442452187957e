import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../clock.ts";
import { Failure } from "../errors.ts";
import type { Log } from "../log.ts";
import { HomeUnwritable } from "./errors.ts";
import {
  asUnwritable,
  type ConfigFile,
  type ConfigWarning,
  type FileStamp,
  type FileState,
  fileStamp,
  isObject,
  isSameStamp,
  keepAside,
  readConfigFile,
  secureFolder,
} from "./file.ts";
import { newerVersion } from "./format.ts";
import { toIso } from "./iso-time.ts";
import { sweepTemporaries } from "./json-files.ts";
import { isGiven, restrictionsIn, tightened } from "./limits.ts";
import { withLock } from "./lock.ts";
import { watchConfigFile } from "./watch-file.ts";

export interface ConfigRead {
  readonly values: ConfigFile;
  readonly warnings: readonly ConfigWarning[];
}

export interface ConfigStoreOptions {
  /** This folder holds `config.json`: what `TOWOW_HOME` says, or `~/.towow`. */
  readonly home: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Called when a write waits long for another program's lock. */
  readonly onLongWait?: (lock: string) => void;
}

const UPDATE_WAIT_MS = 10_000;
/** This is longer than a token request may take (contract §4: connect 5 s, writes 30 s). */
const EXCLUSIVE_WAIT_MS = 60_000;

/**
 * Every process of this user shares `<home>/config.json`. Reading is quick and imports nothing. Writing is locked,
 * atomic, and private to the user. Serves contract §3.
 */
export class ConfigStore {
  readonly home: string;
  readonly path: string;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #onLongWait: ((lock: string) => void) | undefined;
  readonly #queues = new Map<string, Promise<unknown>>();
  #write: ((values: ConfigFile) => void) | undefined;
  #kept: readonly ConfigWarning[] = [];
  /** Holds what the file said when it was last whole. */
  #lastGood: ConfigFile = {};
  /** Holds the strictest limits that were read from the file here, and whether it was away since. */
  #restrictions: ConfigFile = {};
  #wasAway = false;
  /** Holds what was last read, with the file's stamp from before that read. */
  #last: (ConfigRead & { stamp: FileStamp | undefined; isWhole: boolean }) | undefined;

  constructor({ home, clock, log, onLongWait }: ConfigStoreOptions) {
    this.home = home;
    this.path = join(home, "config.json");
    this.#clock = clock;
    this.#log = log;
    this.#onLongWait = onLongWait;
  }

  /**
   * Reads what the file holds now, and what is wrong with it. Never throws. An absent or broken file reads as empty.
   * If the file breaks while the program runs, its earlier content stays, with the limits of the broken one: the
   * person and the policy are the same, and nothing could be withdrawn without the token. If it goes away, its limits
   * stay, even when the next file is silent about them, so that removing a file loosens nothing.
   */
  read(): ConfigRead {
    const stamp = fileStamp(this.path);
    if (this.#last === undefined || !isSameStamp(stamp, this.#last.stamp)) {
      const { state, values, warnings } = this.#readFile();
      // An unreadable file may become readable without a new stamp.
      const isWhole = state === "ok" && Object.keys(values).length > 0;
      this.#last = { stamp: state === "unreadable" ? undefined : stamp, isWhole, values, warnings };
    }
    return this.lastRead();
  }

  /** Returns the last read, for a call that has already looked at the file. */
  lastRead(): ConfigRead {
    if (this.#last === undefined) return this.read();
    const { values, warnings } = this.#last;
    return { values, warnings: [...this.#kept, ...warnings] };
  }

  /** Returns the content only if the file is whole and not empty. */
  readWhole(): ConfigRead | undefined {
    const read = this.read();
    return this.#last?.isWhole ? read : undefined;
  }

  /**
   * Replaces the content by `change(content)`, under the lock and from a fresh read, and returns what was written. A
   * corrupt file is kept aside first. `change` must be synchronous, and leaves unknown keys alone. Throws {@link
   * HomeUnwritable}, `tool.config.invalid.file_encoding` over a file in UTF-16, which stays,
   * `tool.config.invalid.newer_version`, `tool.config.timeout.locked` after 10 s, the signal's reason, and whatever
   * `change` throws.
   */
  async update(change: (current: ConfigFile) => ConfigFile, signal?: AbortSignal): Promise<ConfigFile> {
    return this.#locked(this.path, UPDATE_WAIT_MS, signal, async () => {
      // conf loads here, before a process first writes, since it takes longer to load than everything else at start.
      this.#write ??= await confWriter(this.home);
      const before = this.#readFile();
      if (before.state === "unreadable") {
        throw new HomeUnwritable({ path: this.path, reason: before.warnings[0]?.params.reason ?? "unknown" });
      }
      const newer = newerVersion("config.json", before.values);
      if (newer !== undefined) throw newer;
      const after = change(before.values);
      if (!isObject(after)) throw new TypeError("a config file is an object");
      const twice = before.warnings.filter(({ code }) => code === "config_key_twice");
      const isUtf16 = before.warnings.some(({ params }) => params.reason === "utf16");
      // The file is whole and holds somebody's settings, but in an encoding that is not read here.
      if (isUtf16) throw new Failure("tool.config.invalid.file_encoding", { path: this.path });
      if (before.state === "corrupt") this.#setAside(before.bytes!, before.warnings);
      else if (twice.length > 0) this.#keepSaying(twice);
      else if (before.state === "ok" && JSON.stringify(after) === JSON.stringify(before.values)) return before.values;
      this.#write(after);
      sweepTemporaries(this.home, statSync(this.path).mtimeMs);
      return readConfigFile(this.path).values;
    });
  }

  /** Removes the file, whatever it holds, under the lock. Throws as `update` does. */
  remove(): Promise<void> {
    return this.#locked(this.path, UPDATE_WAIT_MS, undefined, async () => this.#takeAway());
  }

  /** Removes the file if it holds nothing, under the lock. Throws as `update` does. */
  removeIfEmpty(): Promise<void> {
    return this.#locked(this.path, UPDATE_WAIT_MS, undefined, async () => {
      const { state, values } = readConfigFile(this.path);
      if (state === "ok" && Object.keys(values).length === 0) this.#takeAway();
    });
  }

  /**
   * Runs long work (a token request) while no other process runs such work. It has its own lock, so a hanging network
   * never holds up {@link update}, which the work may call. Throws as `update` does, after 60 s.
   */
  exclusive<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#locked(join(this.home, "identity"), EXCLUSIVE_WAIT_MS, signal, work);
  }

  /**
   * Calls `listener` when any program changes the content. Skips a content that is not a config. Does not keep
   * the process alive, and never throws. The returned function ends it.
   */
  watch(listener: (read: ConfigRead) => void): () => void {
    try {
      secureFolder(this.home);
    } catch {
      // There is nothing to watch then, and `watchConfigFile` says so.
    }
    return watchConfigFile(this.path, { clock: this.#clock, log: this.#log }, (file) => {
      this.#last = undefined;
      const { values, warnings } = this.#taken(file);
      listener({ values, warnings: [...this.#kept, ...warnings] });
    });
  }

  async #locked<T>(
    target: string,
    waitMs: number,
    signal: AbortSignal | undefined,
    work: () => Promise<T>,
  ): Promise<T> {
    // Calls queue within the process first, so that only one of them competes with other processes.
    const turn = (this.#queues.get(target) ?? Promise.resolve()).then(async () => {
      let working = false;
      try {
        signal?.throwIfAborted();
        secureFolder(this.home);
        const onLongWait = this.#onLongWait;
        const options = { clock: this.#clock, random: Math.random, waitMs, signal, onLongWait };
        const begin = () => {
          working = true;
          return work();
        };
        return await withLock(target, begin, options);
      } catch (error) {
        // Long work throws its own errors. Every other error with an errno is the folder's fault.
        throw working && target !== this.path ? error : asUnwritable(this.home, error);
      }
    });
    this.#queues.set(
      target,
      turn.catch(() => {}),
    );
    return turn;
  }

  #readFile(): FileState {
    return this.#taken(readConfigFile(this.path));
  }

  #taken(file: FileState): FileState {
    if (file.state === "absent") this.#wasAway = true;
    if (file.state === "ok" || file.state === "absent") {
      this.#restrictions = tightened(this.#restrictions, restrictionsIn(file.values));
      this.#lastGood = this.#wasAway ? this.#withRestrictions(file.values) : file.values;
    }
    return { ...file, values: file.state === "corrupt" ? tightened(this.#lastGood, file.values) : this.#lastGood };
  }

  #withRestrictions(values: ConfigFile): ConfigFile {
    const unsaid = Object.entries(this.#restrictions).filter(([key]) => !isGiven(values[key]));
    return unsaid.length === 0 ? values : { ...values, ...Object.fromEntries(unsaid) };
  }

  /** The person removed it, so nothing of it is remembered here. */
  #takeAway(): void {
    rmSync(this.path, { force: true });
    this.#restrictions = {};
  }

  #setAside(bytes: Buffer, warnings: readonly ConfigWarning[]): void {
    const reason = warnings.find(({ code }) => code === "config_corrupt")?.params.reason ?? "";
    const kept = keepAside(this.home, bytes, toIso(this.#clock.now()));
    this.#keepSaying([{ code: "config_corrupt", params: { path: this.path, reason, kept } }]);
  }

  /** The following write removes the fault from the file, but this program reports it as long as it runs. */
  #keepSaying(warnings: readonly ConfigWarning[]): void {
    this.#kept = [...this.#kept, ...warnings];
    for (const { code, params } of warnings)
      this.#log.warn(code, params.kept === undefined ? {} : { kept: params.kept });
  }
}

/** Creates the atomic writer. It follows a linked config file to its place, and sets the mode 0600. */
async function confWriter(home: string): Promise<(values: ConfigFile) => void> {
  const { default: Conf } = await import("conf");
  let conf: InstanceType<typeof Conf<Record<string, unknown>>> | undefined;
  return (values) => {
    conf ??= new Conf<Record<string, unknown>>({
      cwd: home,
      configName: "config",
      configFileMode: 0o600,
      clearInvalidConfig: false,
      accessPropertiesByDotNotation: false,
      serialize: (value) => `${JSON.stringify(value, null, 2)}\n`,
      // The content was read and judged before, and kept aside if need be. Here it is only replaced.
      deserialize: () => ({}),
    });
    conf.store = values;
  };
}
