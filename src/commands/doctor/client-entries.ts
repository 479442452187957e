import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Io } from "../../app/io.ts";
import { TowowError } from "../../errors.ts";
import type { ConfigFile } from "../../home/file.ts";
import { toToolError } from "../../result/tool-error.ts";
import { findProgram } from "../../search-path.ts";
import { type Plan, planOf } from "../../setup/change-plan.ts";
import { CLIENTS, type Client, type Scope } from "../../setup/clients.ts";
import type { Machine } from "../../setup/machine.ts";
import { isNewer, namedCopies, olderCopies, toThisVersion } from "../../setup/older-copies.ts";
import { commandLineOf, ownEntry } from "../../setup/own-entry.ts";
import { isInstalled } from "../../setup/programs.ts";
import { shellWord } from "../../terminal/shell-word.ts";
import { type DoctorTexts, doctorTexts } from "../../text/doctor.ts";
import { textsForPerson } from "../../text/index.ts";
import { Copies } from "../setup/copies.ts";
import { createSetupMachine } from "../setup/machine.ts";
import { isOff, offSentences } from "../setup/off.ts";
import { ownNetworks, toHomesNetwork } from "../setup/own-networks.ts";
import type { Finding } from "./finding.ts";

interface ClientEntriesContext {
  io: Io;
  root: URL;
  lang: "zh" | "en";
  /** The content of the home's config file, which names the network for clients whose entries name none. */
  file: ConfigFile;
}

/** Reports what the config files of the known clients say about this program. Only reads. */
export async function clientEntries({ io, root, lang, file }: ClientEntriesContext): Promise<Finding[]> {
  const machine = createSetupMachine(io, root);
  const texts = doctorTexts(lang).clients;
  const installed = CLIENTS.filter((client) => isInstalled(machine, client));
  const older = olderCopies(machine);
  const update = older.length === 0 ? undefined : toThisVersion(older);
  const found = installed.flatMap((client) => examine(client, machine, { texts, lang, update }));
  const none: Finding[] = [{ check: "clients", level: "ok", message: texts.none }];
  return [
    ...(installed.length === 0 ? none : found),
    ...withOwnNetwork(machine, file, texts),
    ...CLIENTS.flatMap((client) => inProject(client, machine, texts)),
    ...leftOver(machine, new Copies(fileURLToPath(root), machine.copies), texts),
  ];
}

interface Saying {
  texts: DoctorTexts["clients"];
  lang: "zh" | "en";
  /** The command that moves every older copy to this version. Undefined if there is none. */
  update: string | undefined;
}

function examine(client: Client, machine: Machine, saying: Saying): Finding[] {
  const { lang } = saying;
  const check = `clients.${client.id}`;
  try {
    const plan = planOf(machine, client, wish("user"));
    const off = plan.before === undefined ? [] : offSentences(plan, lang);
    const found = entryOf(plan, machine, saying);
    // If the client has switched the program off, a finding that all is well would claim that the client starts it.
    const isUseless = found.level === "ok" && isOff(plan) && off.length > 0;
    return [...(isUseless ? [] : [found]), ...off.map((one) => ({ check, level: "warning" as const, ...one }))];
  } catch (error) {
    if (!(error instanceof TowowError)) throw error;
    const { message, recovery_suggestion } = toToolError(error, {
      texts: textsForPerson(lang),
      idempotent: true,
      callable: () => false,
    });
    return [{ check, level: "problem", message: `${client.title}: ${message}`, fix: recovery_suggestion }];
  }
}

/** Reports what the entry starts, and whether that can be started. */
function entryOf({ client, before, path, text, isEmpty }: Plan, machine: Machine, { texts, update }: Saying): Finding {
  const { id, title } = client;
  const check = `clients.${id}`;
  const fix = `towow-mcp setup ${id}`;
  if (isEmpty && client.refuses.includes(text === "" ? "empty" : "blank"))
    return { check, level: "problem", message: texts.nothing(title, path), fix };
  if (before === undefined) return { check, level: "ok", message: texts.absent(title), fix };
  const [command, file] = commandLineOf(before);
  const own = ownEntry(before, machine);
  if (own?.url !== undefined) return { check, level: "ok", message: texts.endpoint(title, own.url, path) };
  if (command === undefined) return { check, level: "ok", message: texts.remote(title, path) };
  const missing = !canStart(machine, command) ? command : undefined;
  if (missing !== undefined)
    return { check, level: "problem", message: texts.gone(title, missing), fix: own ? fix : `${fix} --force` };
  if (own?.from === "npx") return { check, level: "warning", message: texts.npx(title, path), fix };
  if (own?.version !== undefined && machine.read(file!) === undefined)
    return { check, level: "problem", message: texts.gone(title, file!), fix };
  if (own?.version !== undefined && isNewer(own.version, machine.version))
    return {
      check,
      level: "warning",
      message: texts.newerCopy(title, own.version, machine.version),
      fix: texts.update,
    };
  if (own?.version !== undefined && own.version !== machine.version)
    return {
      check,
      level: "warning",
      message: texts.otherCopy(title, own.version, machine.version),
      fix: update ?? fix,
    };
  return { check, level: "ok", message: texts.there(title, path) };
}

/**
 * Finds entries that name another network than the home does. Choosing a new network leaves these entries as they are.
 */
function withOwnNetwork(machine: Machine, file: ConfigFile, texts: DoctorTexts["clients"]): Finding[] {
  const { backend_url } = file;
  const network = typeof backend_url === "string" ? backend_url : undefined;
  return ownNetworks(machine, network, file).map((one) => ({
    check: `clients.${one.client.id}.network`,
    level: "warning",
    message: texts.ownNetwork(one.client.title, one.network, one.path),
    fix: toHomesNetwork([one], network ?? one.network),
  }));
}

/** Reports entries of the current project that start the program by npx, because the project chooses what npx runs. */
function inProject(client: Client, machine: Machine, texts: DoctorTexts["clients"]): Finding[] {
  if (client.files.project === undefined) return [];
  try {
    const { before, path } = planOf(machine, client, wish("project"));
    if (ownEntry(before, machine)?.from !== "npx") return [];
    const fix = `towow-mcp setup ${client.id} --scope project`;
    return [{ check: `clients.${client.id}.project`, level: "warning", message: texts.npx(client.title, path), fix }];
  } catch (error) {
    if (error instanceof TowowError) return []; // A project's broken file is not the home's problem.
    throw error;
  }
}

/** Finds copies of other versions that no client starts. */
function leftOver(machine: Machine, copies: Copies, texts: DoctorTexts["clients"]): Finding[] {
  const named = namedCopies(machine);
  const unused = copies.versions().filter((version) => version !== machine.version && named?.has(version) === false);
  return unused.map((version) => {
    const path = join(machine.copies, version);
    const erase = machine.platform === "win32" ? "rmdir /s /q" : "rm -r";
    return { check: "copies", level: "warning", message: texts.leftOver(path), fix: `${erase} ${shellWord(path)}` };
  });
}

const wish = (scope: Scope) => ({ scope, remove: false, flags: [] });

const canStart = (machine: Machine, command: string): boolean =>
  /[/\\]/.test(command) ? machine.isProgram(command) : findProgram(machine, command) !== undefined;
