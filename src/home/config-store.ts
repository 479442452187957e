import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../errors.ts";
import type { Platform } from "../platform.ts";
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

const UPDATE_WAIT_MS = 10_000;
/** This is longer than a token request may take (contract §4: 5 s to connect, 30 s for writes). */
const EXCLUSIVE_WAIT_MS = 60_000;

/**
 * Reads and writes `<home>/config.json`, which every process of this user shares. Reading is quick and imports nothing.
 * Writing is locked, atomic, and private to the user. Serves contract §3.
 */
export class ConfigStore {
  /** The folder that holds `config.json`, as `TOWOW_HOME` names it, or `~/.towow`. */
  readonly home: string;
  readonly path: string;
  readonly #platform: Platform;
  readonly #onLongWait: ((lock: string) => void) | undefined;
  readonly #queues = new Map<string, Promise<unknown>>();
  #write: ((values: ConfigFile) => void) | undefined;
  #kept: readonly ConfigWarning[] = [];
  /** The content of the file when it was last whole. */
  #lastGood: ConfigFile = {};
  /**
   * The strictest limits that this program has read from the file, which apply once the file has been missing, see `#wasAway`.
   */
  #restrictions: ConfigFile = {};
  #wasAway = false;
  /** The last read, with the stamp that the file had before it. */
  #last: (ConfigRead & { stamp: FileStamp | undefined; isWhole: boolean }) | undefined;

  /** `onLongWait` is called when a write waits long for another program's lock. */
  constructor(platform: Platform, home: string, onLongWait?: (lock: string) => void) {
    this.#platform = platform;
    this.home = home;
    this.path = join(home, "config.json");
    this.#onLongWait = onLongWait;
  }

  /**
   * Reads what the file holds now, and what is wrong with it. Never throws. An absent or broken file reads as empty. If the
   * file breaks while the program runs, its earlier content stays in force with the limits of the broken file, because the
   * person and the policy are still the same, and without the token nothing could be withdrawn. If the file goes away, its
   * limits stay even if the next file does not mention them, so that removing a file loosens nothing.
   */
  read(): ConfigRead {
    const stamp = fileStamp(this.path);
    if (this.#last === undefined || !isSameStamp(stamp, this.#last.stamp)) {
      const { state, values, warnings } = this.#readFile();
      // An unreadable file may become readable without a new stamp, so it is read again each time.
      const isWhole = state === "ok" && Object.keys(values).length > 0;
      this.#last = { stamp: state === "unreadable" ? undefined : stamp, isWhole, values, warnings };
    }
    return this.lastRead();
  }

  /** Returns the last read, for use within a call that has already looked at the file. */
  lastRead(): ConfigRead {
    if (this.#last === undefined) return this.read();
    const { values, warnings } = this.#last;
    return { values, warnings: [...this.#kept, ...warnings] };
  }

  /** Returns the content, or undefined unless the file is whole and not empty. */
  readWhole(): ConfigRead | undefined {
    const read = this.read();
    return this.#last?.isWhole ? read : undefined;
  }

  /**
   * Replaces the content by `change(content)`, under the lock and from a fresh read, and returns what was written. A
   * corrupt file is set aside first. `change` must be synchronous and leave unknown keys alone.
   * @throws {@link HomeUnwritable}, `tool.config.invalid.file_encoding` for a file in UTF-16, which stays,
   * `tool.config.invalid.newer_version`, `tool.config.timeout.locked` after 10 s, the signal's reason, and whatever
   * `change` throws
   */
  async update(change: (current: ConfigFile) => ConfigFile, signal?: AbortSignal): Promise<ConfigFile> {
    return this.#locked(this.path, UPDATE_WAIT_MS, signal, async () => {
      // conf is loaded only before a process first writes, because it takes longer to load than everything else at the
      // start.
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
      // The file is whole and holds somebody's settings, but in an encoding that this program does not read.
      if (isUtf16) throw new Failure("tool.config.invalid.file_encoding", { path: this.path });
      if (before.state === "corrupt") this.#setAside(before.bytes!, before.warnings);
      else if (twice.length > 0) this.#keepSaying(twice);
      else if (before.state === "ok" && JSON.stringify(after) === JSON.stringify(before.values)) return before.values;
      this.#write(after);
      sweepTemporaries(this.home, statSync(this.path).mtimeMs);
      return readConfigFile(this.path).values;
    });
  }

  /** Removes the file under the lock, whatever it holds. @throws as `update` does */
  remove(): Promise<void> {
    return this.#locked(this.path, UPDATE_WAIT_MS, undefined, async () => this.#takeAway());
  }

  /** Removes the file under the lock if it holds nothing. @throws as `update` does */
  removeIfEmpty(): Promise<void> {
    return this.#locked(this.path, UPDATE_WAIT_MS, undefined, async () => {
      const { state, values } = readConfigFile(this.path);
      if (state === "ok" && Object.keys(values).length === 0) this.#takeAway();
    });
  }

  /**
   * Runs long work, such as a token request, while no other process runs such work. This lock is separate, so that a hanging
   * network never holds up {@link update}, which the work may call. @throws as `update` does, but after 60 s
   */
  exclusive<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#locked(join(this.home, "identity"), EXCLUSIVE_WAIT_MS, signal, work);
  }

  /**
   * Calls `listener` when any program changes the content. Content that is no config is skipped. Watching does not keep the
   * process alive, and never throws. The returned function ends the watch.
   */
  watch(listener: (read: ConfigRead) => void): () => void {
    try {
      secureFolder(this.home);
    } catch {
      // Without the folder there is nothing to watch, and `watchConfigFile` logs that.
    }
    return watchConfigFile(this.#platform, this.path, (file) => {
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
    // Calls first queue within the process, so that only one call competes with other processes.
    const turn = (this.#queues.get(target) ?? Promise.resolve()).then(async () => {
      let working = false;
      try {
        signal?.throwIfAborted();
        secureFolder(this.home);
        const options = { platform: this.#platform, waitMs, signal, onLongWait: this.#onLongWait };
        const begin = () => {
          working = true;
          return work();
        };
        return await withLock(target, begin, options);
      } catch (error) {
        // Long work throws its own errors. Any other system error is due to the folder.
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

  /** Removes the file, and forgets its limits, because the person wanted it gone. */
  #takeAway(): void {
    rmSync(this.path, { force: true });
    this.#restrictions = {};
  }

  #setAside(bytes: Buffer, warnings: readonly ConfigWarning[]): void {
    const reason = warnings.find(({ code }) => code === "config_corrupt")?.params.reason ?? "";
    const kept = keepAside(this.home, bytes, toIso(this.#platform.clock.now()));
    this.#keepSaying([{ code: "config_corrupt", params: { path: this.path, reason, kept } }]);
  }

  /** Reports warnings for as long as this program runs, because the next write removes the fault from the file. */
  #keepSaying(warnings: readonly ConfigWarning[]): void {
    this.#kept = [...this.#kept, ...warnings];
    for (const { code, params } of warnings)
      this.#platform.log.warn(code, params.kept === undefined ? {} : { kept: params.kept });
  }
}

/** Creates the atomic writer, which follows a linked config file to its target, and sets the mode 0600. */
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
      // The content was already read and checked, and set aside if it was corrupt. Here it is only replaced.
      deserialize: () => ({}),
    });
    conf.store = values;
  };
}
