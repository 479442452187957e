import { localeOf } from "../../app/home-folder.ts";
import type { Io } from "../../app/io.ts";
import { Failure } from "../../errors.ts";
import { LAST_KEYS, withoutLast } from "../../home/last-ids.ts";
import { LIMITED_KEYS, LIMITS, loosens } from "../../home/limits.ts";
import { CONFIG_KEYS, type ConfigKey, declarationOf, fileNames } from "../../home/schema.ts";
import { parseConfigValue, resolveAll as resolve, type resolveAll } from "../../home/settings.ts";
import type { CliTexts } from "../../text/cli.ts";
import { atTerminal, type Home, openHome, typedYes, warn } from "../home.ts";
import { print, printError } from "../print.ts";

type Settings = ReturnType<typeof resolveAll>;

/** The keys that the program itself sets for each backend. Only `forget --identity` removes them. */
const IDENTITY_KEYS = ["user_id", "api_token", "identities", "token_origins"];

/** Finds the key that a name stands for. @throws `tool.config.invalid.unknown_key` */
export function keyOf(name: string): ConfigKey {
  const key = CONFIG_KEYS.find((one) => fileNames(one).includes(name));
  if (key === undefined)
    throw new Failure("tool.config.invalid.unknown_key", { key: name.slice(0, 80), known: CONFIG_KEYS });
  return key;
}

/**
 * `towow-mcp config set <key> <value>` changes the config file. The exit status is 1 if nothing was changed.
 * @throws `tool.config.invalid.unknown_key`, `tool.config.invalid.own_key`, `tool.config.blocked.secret_argument`,
 * `ConfigValueInvalid`, `HttpRefused`, `tool.config.invalid.unknown_tool_name`, `HomeUnwritable`,
 * `tool.config.timeout.locked`
 */
export async function configSet({ io, key, value }: { io: Io; key: string; value: string }): Promise<void> {
  const home = openHome(io);
  const { texts } = home;
  const name = keyOf(key);
  const { fileOnly, secret } = declarationOf(name);
  if (fileOnly) throw new Failure("tool.config.invalid.own_key", { key: name });
  if (secret && value !== "-")
    throw new Failure("tool.config.blocked.secret_argument", { command: `config set ${name} -` });
  const given = value === "-" ? await firstLineOfStdin(io, name, texts) : value;
  if (given === undefined) return void refuse(io, texts.config.unchanged);
  const parsed = parseConfigValue(name, given);
  const change = (file: Readonly<Record<string, unknown>>) => ({ ...without(file, name), [name]: parsed });
  await checkTogether(home, name, change);
  if (await isAllowed(home, change)) await write(home, name, change, texts.config.set);
}

/** `towow-mcp config unset <key>` restores the default, and also removes a key that this version does not know. */
export async function configUnset({ io, key }: { io: Io; key: string }) {
  const home = openHome(io);
  const { texts } = home;
  const file = home.store.read().values;
  if (IDENTITY_KEYS.includes(key)) throw new Failure("tool.config.invalid.identity_key", { key });
  const name = Object.hasOwn(file, key) && !CONFIG_KEYS.some((one) => fileNames(one).includes(key)) ? key : keyOf(key);
  if (!namesOf(name).some((one) => Object.hasOwn(file, one)) && !LAST_KEYS.some((one) => one === name)) {
    void print(io, `${texts.config.notSet(key)}\n`);
    return;
  }
  const last = LAST_KEYS.find((one) => one === name);
  const change = (current: Readonly<Record<string, unknown>>) =>
    last === undefined ? without(current, name) : { ...withoutLast(current, last) };
  if (await isAllowed(home, change)) await write(home, name, change, texts.config.unset);
}

type Change = (file: Readonly<Record<string, unknown>>) => Record<string, unknown>;

const namesOf = (name: string): string[] =>
  (CONFIG_KEYS as string[]).includes(name) ? fileNames(name as ConfigKey) : [name];

function without(file: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> {
  const names = namesOf(name);
  return Object.fromEntries(Object.entries(file).filter(([key]) => !names.includes(key)));
}

/**
 * Checks what a value alone does not show: plain http to another machine, and names of tools that do not exist.
 * @throws HttpRefused, `tool.config.invalid.unknown_tool_name`
 */
async function checkTogether(home: Home, name: ConfigKey, change: Change): Promise<void> {
  const after = resolve({ file: change(home.store.read().values) });
  const problem = after.get(name)?.problem;
  if (problem !== undefined) throw problem;
  if (name !== "allow_tools" && name !== "exclude_tools") return;
  const { checkToolNames } = await import("../../tools/index.ts");
  checkToolNames({ allow_tools: undefined, exclude_tools: undefined, [name]: after.get(name)?.value });
}

/**
 * Returns whether a change is allowed. A change that permits more than the file does needs a real terminal, because a model
 * with a shell could otherwise make the change. Under `strict` the person must also type yes.
 */
async function isAllowed(home: Home, change: Change): Promise<boolean> {
  const { io, texts } = home;
  const file = home.store.read().values;
  const [before, after] = [resolve({ file }), resolve({ file: change(file) })];
  const isStrict = [before, home.settings()].some((all) => inForce(all, "confirmation_policy") === "strict");
  const loosened = LIMITED_KEYS.flatMap((key) => {
    const limit = LIMITS[key]!;
    const [from, to] = [inForce(before, key), after.get(key)?.value];
    const binds = limit.underStrict ? isStrict : before.get(key)?.source === "file";
    return binds && (from === undefined || loosens(limit, from, to)) ? [{ key, limit, from, to }] : [];
  });
  if (loosened.length === 0) return true;
  const weakens = loosened.some(({ limit }) => limit.loosenedBy === "nothing");
  if (weakens || !atTerminal(io))
    for (const { key, limit, from, to } of loosened) {
      const say = limit.loosenedBy === "nothing" ? texts.config.looser : texts.config.loosens;
      void print(io, `${say(key, textOf(from) ?? texts.config.none, textOf(to) ?? texts.config.none)}\n`);
    }
  if (!atTerminal(io)) return refuse(io, texts.config.needsTerminal);
  return !weakens || (await typedYes(io, texts.config.typeYes)) || refuse(io, texts.config.unchanged);
}

/**
 * Returns the value of a limit that is in force. If the file's value is misspelt, the limit allows nothing, and the
 * result is undefined unless the key says what a refused value means.
 */
function inForce(all: Settings, key: ConfigKey): unknown {
  const { value, problem } = all.get(key)!;
  return problem === undefined ? value : LIMITS[key]?.whenRefused;
}

async function write(
  home: Home,
  name: string,
  change: Change,
  say: (key: string, value: string | undefined) => string,
) {
  const { store, texts, io } = home;
  const written = await store.update(change);
  const setAside = store.read().warnings.filter(({ params }) => params.kept !== undefined);
  warn(home, setAside); // The warning says that a corrupt file was set aside to make room for the new file.
  const maskedValue = (all: Settings) => (name === "api_token" ? "***" : textOf(all.get(name as ConfigKey)?.value));
  const inFile = resolve({ file: written, locale: localeOf(io.env) });
  void print(io, `${say(name, maskedValue(inFile))}\n`);
  const now = home.settings().get(name as ConfigKey);
  if (now?.source === "environment")
    void printError(io, `${texts.config.overridden(name, now.where, String(maskedValue(home.settings())))}\n`);
}

const textOf = (value: unknown) => (value === undefined ? undefined : String(value));

function refuse(io: Io, line: string): false {
  void printError(io, `${line}\n`);
  io.exitCode = 1;
  return false;
}

/**
 * Reads the first line of stdin. At a terminal the person types the line, and a secret is not echoed. Returns undefined if the
 * person leaves the prompt.
 */
async function firstLineOfStdin(io: Io, key: ConfigKey, { config: texts }: CliTexts): Promise<string | undefined> {
  if (io.stdin.isTTY) {
    const { typedLine, typedSecret } = await import("../terminal.ts");
    return declarationOf(key).secret ? typedSecret(io, texts.typeSecret(key)) : typedLine(io, () => `${key}: `);
  }
  const { boundedLines } = await import("../../bounded-lines.ts");
  for await (const line of boundedLines(io.stdin, 64 * 1024)) {
    io.stdin.destroy();
    return "text" in line ? line.text.trim() : "";
  }
  return "";
}
