import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";
import { removeLoneCompileCache } from "../app/compile-cache.ts";
import { sha256 } from "../app/hash.ts";
import { homeOf } from "../app/home-folder.ts";
import { systemClock } from "../clock.ts";
import { TowowError } from "../errors.ts";
import { ConfigStore } from "../home/config-store.ts";
import type { ConfigKey } from "../home/schema.ts";
import { resolveAll } from "../home/settings.ts";
import { silentLog } from "../log.ts";
import { showInvisible } from "../safety/invisible.ts";
import { applyPlan } from "../setup/apply.ts";
import { type Plan, planOf, type SetupRequest } from "../setup/change-plan.ts";
import { CLIENTS, type Client, type Scope } from "../setup/clients.ts";
import { ClientEntryDiffers, UnknownClient } from "../setup/errors.ts";
import type { Launch } from "../setup/launch.ts";
import type { Machine } from "../setup/machine.ts";
import { namedCopies } from "../setup/named-copies.ts";
import { changeLines, commandLine, fileText } from "../setup/preview.ts";
import { isInstalled } from "../setup/programs.ts";
import { SetupRecord } from "../setup/record.ts";
import { type SetupTexts, setupTexts } from "../text/setup.ts";
import { tellFailure } from "./failure.ts";
import { atTerminal } from "./home.ts";
import { print } from "./print.ts";
import { Copies } from "./setup/copies.ts";
import { createSetupMachine } from "./setup/machine.ts";

export interface SetupArguments {
  env: NodeJS.ProcessEnv;
  root: URL;
  clients: string[];
  scope: Scope;
  remove?: boolean;
  print?: boolean;
  yes?: boolean;
  force?: boolean;
  backendUrl?: string;
  mode?: string;
  lang?: string;
}

interface Session {
  machine: Machine;
  texts: SetupTexts;
  record: SetupRecord;
  copies: Copies;
  request: SetupRequest;
  options: SetupArguments;
  /** Somebody is there to be asked. */
  asks: boolean;
  /** Ctrl-C or Ctrl-D at a question: nothing more is asked or written. */
  ended: boolean;
}

const say = (line = "") => void print(`${line}\n`);

/** `towow-mcp setup [client…]`: puts this server into the files of MCP clients, or takes it out again. */
export async function setup(options: SetupArguments): Promise<void> {
  const { env, root, clients, scope, remove = false } = options;
  const machine = createSetupMachine(env, root);
  const given: Partial<Record<ConfigKey, unknown>> = {
    backend_url: options.backendUrl,
    mode: options.mode,
    lang: options.lang,
  };
  const home = homeOf(env);
  const file = new ConfigStore({ home, clock: systemClock, log: silentLog }).read().values;
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG;
  const all = resolveAll({ flags: given, env, file, locale });
  const lang = all.get("lang")?.value === "zh" ? "zh" : "en";
  const session: Session = {
    machine,
    texts: setupTexts(lang),
    record: new SetupRecord(machine, join(home, "setup.json"), sha256),
    copies: new Copies(fileURLToPath(root), machine.copies),
    request: { scope, remove, flags: flagsOf(given, all), force: options.force === true },
    options,
    asks: atTerminal() && options.yes !== true,
    ended: false,
  };
  const named = clients.map(clientOf);
  const found = named.length > 0 ? named : CLIENTS.filter((one) => concerns(session, one));
  if (named.length === 0) tellFound(session, found);
  const writes = named.length > 0 || session.asks || options.yes === true;
  const namedBefore = namedCopies(machine);
  let failed = false;
  const written: Plan[] = [];
  for (const client of found) {
    if (session.ended) break;
    try {
      const plan = planOf(machine, client, session.request);
      if (options.print) printPlan(session, plan);
      else if (await applyOne(session, plan, writes)) written.push(plan);
    } catch (error) {
      tellFailure(error, lang);
      failed = true;
    }
  }
  if (writes && !options.print && !session.ended) sweep(session, namedBefore);
  if (remove && written.length > 0) {
    removeLoneCompileCache(home);
    machine.removeEmptyFolder(home);
  }
  if (!writes && !options.print && found.length > 0) {
    say(`\n${session.texts.would}`);
    for (const { id } of found) say(`  towow-mcp setup ${id}${remove ? " --remove" : ""}`);
  }
  if (written.length > 0 && !remove) {
    say(`\n${session.texts.asked} ${session.texts.next}`);
    if (all.get("backend_url")?.value === undefined && !written.every(namesBackend)) say(session.texts.noBackend);
  }
  if (failed || session.ended) process.exitCode = 1;
}

/** A client that is here; or that has gone and left an entry of ours behind, which wants to be updated or taken out. */
function concerns({ machine, request }: Session, client: Client): boolean {
  if (client.files[request.scope] === undefined) return false;
  if (isInstalled(machine, client)) return true;
  try {
    return planOf(machine, client, request).own !== undefined;
  } catch (error) {
    if (error instanceof TowowError) return false; // a file that cannot be read is its own client's business
    throw error;
  }
}

/** An update keeps what the entry hands on. */
const namesBackend = ({ after }: Plan): boolean => /"(?:--backend-url|TOWOW_BACKEND_URL)"/.test(JSON.stringify(after));

function clientOf(name: string): Client {
  const client = CLIENTS.find(({ id }) => id === name);
  if (client === undefined) throw new UnknownClient({ client: name, known: CLIENTS.map(({ id }) => id).join(", ") });
  return client;
}

/** What setup was given for the server, in its normal form. Throws what a bad value throws. */
function flagsOf(given: Partial<Record<ConfigKey, unknown>>, all: ReturnType<typeof resolveAll>): string[] {
  const names = (Object.keys(given) as ConfigKey[]).filter((key) => given[key]);
  return names.flatMap((key) => {
    const { value, problem } = all.get(key)!;
    if (problem !== undefined) throw problem;
    return [`--${key.replaceAll("_", "-")}`, String(value)];
  });
}

function tellFound({ texts }: Session, found: readonly Client[]): void {
  const known = CLIENTS.map(({ id }) => id).join(", ");
  say(found.length > 0 ? texts.found(found.map(({ title }) => title).join(", ")) : texts.none(known));
}

/**
 * Takes away the copies that no client names. One that a client named until now stays till the next setup: the client
 * may still run it, and a server that runs reads its files when it needs them.
 */
function sweep({ machine, copies, request, texts }: Session, namedBefore: ReadonlySet<string> | undefined): void {
  const named = namedCopies(machine);
  if (named === undefined || namedBefore === undefined) return;
  for (const version of copies.versions()) {
    if (named.has(version) || (!request.remove && (version === machine.version || namedBefore.has(version)))) continue;
    copies.remove(version);
    say(texts.swept(join(machine.copies, version)));
  }
}

function printPlan({ machine, copies, texts, options }: Session, plan: Plan): void {
  const { client, scope, path, commands } = plan;
  say(`# ${client.title} · ${scope} · ${path}`);
  const isMissing = plan.launch.from === "copy" && !copies.versions().includes(machine.version);
  if (isMissing && !options.remove) say(`# ${texts.copyMissing(join(machine.copies, machine.version))}`);
  if (commands !== undefined)
    for (const [, ...args] of commands) say(`# ${commandLine([client.programs[0]!, ...args])}`);
  if (!options.remove) return void say(fileText(plan).trimEnd());
  for (const line of changeLines(plan)) say(`  ${showInvisible(line)}`);
}

/** Shows one client's change, asks where somebody is there, and carries it out. Whether something was written. */
async function applyOne(session: Session, plan: Plan, writes: boolean): Promise<boolean> {
  const { machine, texts, record, options, asks } = session;
  const { client, scope, path, kind, commands, launch } = plan;
  say(`\n${client.title} · ${scope} · ${path}`);
  if (kind === "same" || kind === "absent") {
    const isNew = kind === "same" && writes && install(session, launch);
    say(kind === "absent" ? texts.notThere : isNew ? texts.copyReplaced : texts.same);
    return false;
  }
  if (!isInstalled(machine, client)) say(texts.absent);
  for (const line of changeLines(plan)) say(`  ${showInvisible(line)}`);
  if (commands !== undefined)
    for (const [, ...args] of commands) say(texts.by(commandLine([client.programs[0]!, ...args])));
  if (kind !== "remove") say(texts.starts[launch.from](commandLine([launch.command, ...launch.args])));
  if (!writes) return false;
  const isOthers = kind === "replace" || (kind === "remove" && plan.own === undefined);
  if (isOthers && !asks && !options.force) {
    const command = `towow-mcp setup ${client.id} ${kind === "remove" ? "--remove " : ""}--force`;
    throw new ClientEntryDiffers({ client: client.title, path, command });
  }
  const question = kind === "remove" && isOthers ? "removeOthers" : kind;
  if (asks && !(options.force && isOthers) && !(await agreed(session, question))) {
    say(texts.left);
    return false;
  }
  // The file may have changed while the question stood.
  const now = planOf(machine, client, session.request);
  if (now.kind !== kind || JSON.stringify(now.before) !== JSON.stringify(plan.before))
    return applyOne(session, now, writes);
  if (kind !== "remove") install(session, launch);
  applyPlan(machine, now, record);
  const from = plan.own?.version;
  const isUpdate = kind === "update" && from !== undefined && from !== machine.version;
  say(isUpdate ? texts.updated(from, machine.version) : texts.done[kind]);
  return true;
}

/** The copy that the entry names; whether it was made, or made anew. */
function install({ machine, copies, texts }: Session, { from }: Launch): boolean {
  if (from !== "copy" || !copies.install(machine.version)) return false;
  say(texts.copied(join(machine.copies, machine.version)));
  return true;
}

type Asked = "add" | "update" | "replace" | "remove" | "removeOthers";

async function agreed(session: Session, kind: Asked): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const ended = new AbortController();
  lines.on("close", () => ended.abort());
  try {
    const answer = (await lines.question(session.texts[kind], { signal: ended.signal })).trim().toLowerCase();
    return answer === "" ? kind !== "replace" && kind !== "removeOthers" : session.texts.yes.includes(answer);
  } catch (error) {
    if (!ended.signal.aborted) throw error;
    session.ended = true;
    say();
    return false;
  } finally {
    lines.close();
  }
}
