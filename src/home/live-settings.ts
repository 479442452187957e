import { Failure, type TowowError } from "../errors.ts";
import type { ConfigRead } from "./config-store.ts";
import { newerVersion } from "./format.ts";
import { type LastIds, withLastIds } from "./last-ids.ts";
import { LIMITS } from "./limits.ts";
import { CONFIG, type ConfigKey } from "./schema.ts";
import { type ResolveInput, resolveAll, type Settings } from "./settings.ts";

export interface LiveSettings {
  /**
   * Returns the current settings. A refused value is replaced by a safe one, such as its default, so that a server can start
   * and report the error.
   */
  current(): Settings;
  /** Returns the error of the first refused value, which a tool that needs the backend throws. */
  problem(): TowowError | undefined;
  /** Calls the listener when the file has changed a setting. The returned function removes the listener. */
  onChange(listener: () => void): () => void;
  /** Writes values into the file. Flags and the environment still take precedence. */
  save(values: Partial<Record<ConfigKey, unknown>>): Promise<void>;
  /** Saves the last scene and negotiation used at one backend, which need not be the backend in use. */
  saveLastIds(origin: string, values: LastIds): Promise<void>;
  /**
   * Takes over what another program has just written, which the watch would report only a moment later. If the file is away,
   * empty or not whole, this is left to the watch, because an editor may be at work.
   */
  refresh(): void;
  /** Starts to notice edits of the file (contract §8). The returned function ends the watch. */
  watch(): () => void;
}

/** Where changeable values are kept: the config file, or one user's part of a shared store. */
export type SettingsSource = {
  read(): SettingsRead;
  /**
   * Reads the values, or returns undefined unless they are whole. Absent for a source whose values are always whole and
   * which reports changes by others at once.
   */
  readWhole?(): SettingsRead | undefined;
  update(change: (current: Record<string, unknown>) => Record<string, unknown>): Promise<Record<string, unknown>>;
  watch(listener: (read: SettingsRead) => void): () => void;
};

/** What was read. Only a file has warnings. */
type SettingsRead = Pick<ConfigRead, "values"> & Partial<ConfigRead>;

/** Creates the settings of a running program, which follow their source. */
export function createLiveSettings(store: SettingsSource, fixed: Omit<ResolveInput, "file">): LiveSettings {
  const listeners = new Set<() => void>();
  let file: SettingsRead = store.read();
  let state = resolve(file);

  function resolve({ values: file, warnings }: SettingsRead) {
    const values: Record<string, unknown> = {};
    const sources: Record<string, unknown> = {};
    let problem: TowowError | undefined = newerVersion("config.json", file);
    for (const [key, resolved] of resolveAll({ ...fixed, file })) {
      problem ??= resolved.problem;
      values[key] = resolved.problem ? whileRefused(key, { file, locale: fixed.locale }) : resolved.value;
      sources[key] = resolved.source;
    }
    // The network in a broken file is unknown. If the address is given elsewhere, calls go on with a warning.
    if (values.backend_url === undefined) problem ??= brokenFile(warnings);
    return { settings: { ...values, sources } as unknown as Settings, problem };
  }

  function reload(read: SettingsRead) {
    const before = JSON.stringify(state.settings);
    file = read;
    state = resolve(read);
    if (JSON.stringify(state.settings) !== before) for (const listener of [...listeners]) listener();
  }

  return {
    current: () => state.settings,
    problem: () => state.problem,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async save(values) {
      reload({ values: await store.update((file) => ({ ...file, ...values })) });
    },
    async saveLastIds(origin, values) {
      reload({ values: await store.update((file) => ({ ...withLastIds(file, origin, values) })) });
    },
    refresh() {
      const read = store.readWhole?.();
      if (read !== undefined && read.values !== file.values) reload(read);
    },
    watch() {
      const stop = store.watch(reload);
      // The file is read again, because the watch does not report an edit that came between the first read and its
      // start.
      reload(store.read());
      return stop;
    },
  };
}

/**
 * Returns the value that applies while the given value is refused. A limit gets a strict value or the file's own, because a
 * refused flag or variable must lift no limit, and any other key gets its default.
 */
function whileRefused(key: ConfigKey, input: Pick<ResolveInput, "file" | "locale">): unknown {
  const { default: preset } = CONFIG[key];
  const limit = LIMITS[key];
  const inFile = limit && resolveAll(input).get(key)?.value;
  return limit?.whenRefused ?? inFile ?? (typeof preset === "function" ? preset(input.locale) : preset);
}

const UNUSABLE: readonly string[] = ["config_corrupt", "config_unreadable"];

/** Returns the error for a broken file. A file that was set aside is no longer in use. */
function brokenFile(warnings: ConfigRead["warnings"] = []): Failure | undefined {
  const broken = warnings.find(({ code, params }) => UNUSABLE.includes(code) && params.kept === undefined);
  const { path = "", reason = "not_json" } = broken?.params ?? {};
  if (reason === "utf16") return new Failure("tool.config.invalid.file_encoding", { path });
  return broken && new Failure("tool.config.invalid.file", { path, reason });
}
