import { Failure, type TowowError } from "../errors.ts";
import { own } from "../own.ts";
import { BackendUrlMissing, ConfigValueInvalid, HttpRefused } from "./errors.ts";
import { lastIdsFor } from "./last-ids.ts";
import { isGiven, LIMITS, switchIn } from "./limits.ts";
import { hostOf, isHere, normalBackendUrl, originOf, SANDBOX } from "./origin.ts";
import { isPlaceholder } from "./placeholder.ts";
import {
  CONFIG_KEYS,
  type ConfigKey,
  declarationOf,
  environmentNames,
  fileNames,
  type Kind,
  type SettingValues,
} from "./schema.ts";

/** Where a value came from. The sources are listed in order of precedence. */
export type Source = "flag" | "environment" | "file" | "default";

export interface ResolveInput {
  /** Maps config keys to values. What the command line did not give is absent or undefined. */
  readonly flags?: Readonly<Partial<Record<ConfigKey, unknown>>>;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What `ConfigStore.read()` returns. */
  readonly file?: Readonly<Record<string, unknown>>;
  /** The locale, in the form of `LANG`, such as `zh_CN.UTF-8`. */
  readonly locale?: string | undefined;
  /** True if the flags come from a one-shot command whose stdin is a terminal. */
  readonly terminalFlags?: boolean | undefined;
}

/** Every key with its value and source. `backend_url` is normalised, without a trailing slash and without credentials. */
export type Settings = SettingValues & { readonly sources: Readonly<Record<ConfigKey, Source>> };

interface Found {
  readonly raw: unknown;
  readonly source: Source;
  /** The flag, variable or file that a person would change. */
  readonly where: string;
}
interface Resolved extends Found {
  readonly value: unknown;
  readonly problem?: TowowError;
  readonly ignored?: Ignored;
}
/** A flag or variable that is not followed, because the file is stricter. */
export interface Ignored {
  readonly value: unknown;
  readonly source: Source;
  /** The name of the flag or variable. */
  readonly where: string;
}

/**
 * Parses one value for one key. `where` names the command that received it, for the error.
 * @throws {@link ConfigValueInvalid}, `tool.config.invalid.unfilled` for a placeholder
 */
export function parseConfigValue(name: ConfigKey, raw: unknown, where = "towow-mcp config set"): unknown {
  const { value, problem } = check(name, { raw, source: "flag", where });
  if (problem) throw problem;
  return value;
}

/** Returns the settings if they name a backend. @throws {@link BackendUrlMissing} if they name none */
export function requireBackend(settings: Settings): Settings & { readonly backend_url: string } {
  const { backend_url } = settings;
  if (backend_url === undefined) throw new BackendUrlMissing();
  return { ...settings, backend_url };
}

/**
 * Resolves every key, with problems beside the values. The value comes from the flag, or else the environment, or else
 * the file, or else the default. Limits in the file (`limits.ts`) can only be tightened by the others. Empty text and
 * `null` count as not given. Never throws, so that a bad file can still be shown. Serves contract §3.
 */
export function resolveAll(input: ResolveInput): Map<ConfigKey, Resolved> {
  const backend = check("backend_url", find("backend_url", input));
  const origin = originOf(backend.value);
  const here = origin === undefined || !input.file ? input : { ...input, file: lastIdsFor(input.file, origin) };
  const policy = resolveOne("confirmation_policy", here, false);
  const isStrict = policy.problem !== undefined || policy.value === "strict";
  const all = new Map(CONFIG_KEYS.map((name) => [name, resolveOne(name, here, isStrict)]));
  if (backend.problem === undefined && typeof backend.value === "string") {
    const address = backend.value;
    if (address.startsWith("http:") && !isHere(address) && all.get("allow_http")?.value !== true) {
      const { source, where } = backend;
      all.set("backend_url", { ...backend, problem: new HttpRefused({ host: hostOf(address), source, where }) });
    }
  }
  return all;
}

/** Resolves one key. A misspelt limit in the file is an error and never a permission. */
function resolveOne(name: ConfigKey, input: ResolveInput, isStrict: boolean): Resolved {
  const wanted = check(name, find(name, input));
  const limit = LIMITS[name];
  if (limit === undefined || (wanted.source !== "flag" && wanted.source !== "environment")) return wanted;
  if (limit.underStrict && !isStrict) return wanted;
  if (limit.loosenedBy === "terminal_flag" && wanted.source === "flag" && input.terminalFlags) return wanted;
  const inFile = check(name, find(name, { file: input.file ?? {} }));
  if (inFile.problem !== undefined) return inFile;
  if (wanted.problem !== undefined || (inFile.source === "default" && !limit.underStrict)) return wanted;
  const value = limit.stricter(inFile.value, wanted.value);
  if (value === wanted.value) return wanted;
  const { source, where } = wanted;
  const ignored = limit.adds ? undefined : { value: wanted.value, source, where };
  return { ...(value === inFile.value ? inFile : { ...wanted, value }), ...(ignored && { ignored }) };
}

function find(name: ConfigKey, { flags, env, file, locale }: ResolveInput): Found {
  const { fileOnly, default: preset } = declarationOf(name);
  const flag = fileOnly ? undefined : own(flags, name);
  if (isGiven(flag)) return { raw: flag, source: "flag", where: `--${name.replaceAll("_", "-")}` };
  for (const variable of environmentNames(name)) {
    const raw = own(env, variable);
    if (isGiven(raw)) return { raw, source: "environment", where: variable };
  }
  for (const alias of fileNames(name)) {
    const raw = own(file, alias);
    if (isGiven(raw)) return { raw, source: "file", where: "config.json" };
  }
  return { raw: typeof preset === "function" ? preset(locale) : preset, source: "default", where: "default" };
}

function check(name: ConfigKey, found: Found): Resolved {
  if (found.raw === undefined) return { ...found, value: undefined };
  const { kind, schema, expected, identifies } = declarationOf(name);
  const { source, where } = found;
  if (identifies && typeof found.raw === "string" && isPlaceholder(found.raw))
    return {
      ...found,
      value: undefined,
      problem: new Failure("tool.config.invalid.unfilled", { key: name, source, where }),
    };
  const raw = typeof found.raw === "string" ? fromText(kind, found.raw.trim()) : found.raw;
  const parsed = schema.safeParse(raw);
  const value = parsed.success && name === "backend_url" ? urlText(parsed.data) : parsed.data;
  if (value !== undefined) return { ...found, value };
  return { ...found, value: undefined, problem: new ConfigValueInvalid({ key: name, source, where, expected }) };
}

function urlText(value: unknown): string | undefined {
  return value === SANDBOX ? SANDBOX : normalBackendUrl(String(value))?.href.replace(/\/$/, "");
}

/** Converts text to the kind's type. Text that does not convert stays text, and the schema refuses it. */
function fromText(kind: Kind, text: string): unknown {
  if (kind === "number" && /^\d+(\.\d+)?$/.test(text)) return Number(text);
  return kind === "switch" ? (switchIn(text) ?? text) : text;
}
